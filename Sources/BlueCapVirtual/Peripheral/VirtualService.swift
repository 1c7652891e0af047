// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
public import BlueCapSerDe

/// A service of a virtual peripheral.
public final class VirtualService: Sendable {
    /// The UUID of the attribute.
    public let uuid: BluetoothUUID
    /// A Boolean value that is true if it is a primary service. A central finds secondary ones through services that
    /// include them.
    public let isPrimary: Bool
    /// The services that it includes. They need not stand in the peripheral's own list.
    public var includedServices: [VirtualService] { included.withLock { $0 } }
    /// The characteristics in the order of their handles.
    public let characteristics: [VirtualCharacteristic]
    /// Where it is to stand, if that is free.
    let wantedHandle: UInt16?
    /// Changed only by the end of the service.
    private let included: Locked<[VirtualService]>

    init(_ service: LocalService, includedServices: [VirtualService], characteristics: [VirtualCharacteristic]) {
        uuid = service.uuid
        isPrimary = service.isPrimary
        included = Locked(includedServices)
        self.characteristics = characteristics
        wantedHandle = service.handle == 0 ? nil : service.handle
    }

    deinit {
        // Of a chain of services, each of which would end within the end of the one before.
        var ending = takeIncluded()
        while var service = ending.popLast() {
            if isKnownUniquelyReferenced(&service) { ending += service.takeIncluded() }
        }
    }

    private func takeIncluded() -> [VirtualService] {
        included.withLock { included in
            defer { included = [] }
            return included
        }
    }

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the service.
    ///   - isPrimary: Whether it is a primary service.
    ///   - includedServices: The services that it includes.
    ///   - characteristics: The characteristics in the order of their handles.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, includedServices: [VirtualService] = [],
        characteristics: [VirtualCharacteristic] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        included = Locked(includedServices)
        self.characteristics = characteristics
        wantedHandle = nil
    }

    /// A service that stands at a handle, if that is free.
    package init(
        _ uuid: BluetoothUUID, isPrimary: Bool, handle: UInt16?, includedServices: [VirtualService],
        characteristics: [VirtualCharacteristic]
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        included = Locked(includedServices)
        self.characteristics = characteristics
        wantedHandle = handle
    }

    /// Creates a service with characteristics listed in braces.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the service.
    ///   - isPrimary: Whether it is a primary service.
    ///   - includedServices: The services that it includes.
    ///   - characteristics: The characteristics in the order of their handles, one a line.
    public convenience init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, includedServices: [VirtualService] = [],
        @VirtualList<VirtualCharacteristic> _ characteristics: () -> [VirtualCharacteristic]
    ) {
        self.init(
            uuid, isPrimary: isPrimary, includedServices: includedServices, characteristics: characteristics())
    }

    /// Creates the service that a profile declares, with all its characteristics: each with the properties, the
    /// permissions and the initial value of its own profile.
    ///
    /// ```swift
    /// if let profile = ProfileManager.standard.service(withUUID: BatteryService.uuid) {
    ///     radio.add(VirtualPeripheral(name: "Strap", services: [VirtualService(profile: profile)]))
    /// }
    /// ```
    ///
    /// Where a profile has no initial value, the characteristic reads as no bytes until
    /// ``VirtualCharacteristic/setValue(_:)-(Bytes)`` or one of its like gives it one.
    ///
    /// - Parameters:
    ///   - profile: The UUID, and the profiles of the characteristics.
    ///   - isPrimary: Whether it is a primary service.
    ///   - includedServices: The services that it includes.
    public convenience init(
        profile: some ServiceProfileProtocol, isPrimary: Bool = true, includedServices: [VirtualService] = []
    ) {
        self.init(
            profile.uuid, isPrimary: isPrimary, includedServices: includedServices,
            characteristics: profile.characteristics.map { characteristic in
                VirtualCharacteristic(
                    characteristic.uuid, properties: characteristic.properties,
                    permissions: characteristic.permissions, value: characteristic.initialValue ?? [])
            })
    }

    /// Returns the characteristics with a UUID in the order of their handles.
    public func characteristics(withUUID uuid: BluetoothUUID) -> [VirtualCharacteristic] {
        characteristics.filter { $0.uuid == uuid }
    }
}

/// Lists services or characteristics in braces, one a line.
@resultBuilder
public enum VirtualList<Element> {
    /// Returns the elements of all lines.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap { $0 } }
    /// One line's element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }
    /// One line's elements.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }
    /// Returns the elements of a condition that holds.
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
    /// Returns the elements of a condition's first branch.
    public static func buildEither(first part: [Element]) -> [Element] { part }
    /// Returns the elements of a condition's second branch.
    public static func buildEither(second part: [Element]) -> [Element] { part }
    /// Returns the elements of a loop.
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap { $0 } }
}
