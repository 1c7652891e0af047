// SPDX-License-Identifier: MIT

import BlueCapCore
public import BlueCapSerDe

/// A service of a virtual peripheral.
public final class VirtualService: Sendable {
    /// The UUID of the attribute.
    public let uuid: BluetoothUUID
    /// A Boolean value that is true if it is a primary service. A central finds secondary ones through services that
    /// include them.
    public let isPrimary: Bool
    /// The services that it includes. They need not stand in the peripheral's own list.
    public let includedServices: [VirtualService]
    /// The characteristics in the order of their handles.
    public let characteristics: [VirtualCharacteristic]
    /// Where it is to stand, if that is free.
    let wantedHandle: UInt16?

    init(_ service: LocalService, includedServices: [VirtualService], characteristics: [VirtualCharacteristic]) {
        uuid = service.uuid
        isPrimary = service.isPrimary
        self.includedServices = includedServices
        self.characteristics = characteristics
        wantedHandle = service.handle == 0 ? nil : service.handle
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
        self.includedServices = includedServices
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
        self.includedServices = includedServices
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

    /// Returns the characteristics with a UUID in the order of their handles.
    public func characteristics(withUUID uuid: BluetoothUUID) -> [VirtualCharacteristic] {
        characteristics.filter { $0.uuid == uuid }
    }
}
