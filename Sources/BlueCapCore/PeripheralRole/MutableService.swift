// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A service that this program offers: a handle with a stable identity.
///
/// ```swift
/// let level = TypedMutableCharacteristic<BatteryService.Level>()
/// let battery = MutableService(BatteryService.self, characteristics: [level.characteristic])
/// try await manager.add(battery, timeout: .seconds(5))
/// ```
///
/// ``PeripheralManager/add(_:timeout:)-(MutableService,_)`` offers the service to centrals in its state at that time. A
/// later change takes effect the next time that the service is added: remove it and add it again. The handle does not
/// retain the manager; the manager retains the added services.
public final class MutableService: Sendable {
    struct Facts {
        var characteristics: [MutableCharacteristic] = []
        var includedServices: [MutableService] = []
        var registration: HandleRegistration?

        mutating func takeIncluded() -> [MutableService] {
            defer { includedServices = [] }
            return includedServices
        }
    }

    /// The service's profile; for a service created from a UUID a profile with the name "Unknown".
    public let profile: ServiceProfile
    /// A Boolean value that is true for a primary service, and false for a service that is only included in others.
    public let isPrimary: Bool
    let facts = Locked(Facts())

    /// Creates a service as its profile declares it, without characteristics: see ``characteristicsFromProfiles()``.
    ///
    /// - Parameters:
    ///   - profile: The profile, which has the UUID, the name and the profiles of the characteristics.
    ///   - isPrimary: A Boolean value that is true if centrals find the service by itself, and not only as an included
    ///     service.
    public init(profile: some ServiceProfileProtocol, isPrimary: Bool = true) {
        self.profile = profile.profile
        self.isPrimary = isPrimary
    }

    /// Creates a service that a type declares.
    ///
    /// ```swift
    /// let level = TypedMutableCharacteristic<BatteryService.Level>()
    /// let battery = MutableService(BatteryService.self, characteristics: [level.characteristic])
    /// ```
    ///
    /// - Parameters:
    ///   - service: The type, which has the UUID and the name.
    ///   - isPrimary: A Boolean value that is true if centrals find the service by itself, and not only as an included
    ///     service.
    ///   - characteristics: Its characteristics, in the order in which centrals find them.
    public convenience init<Service: ServiceConfigurable>(
        _ service: Service.Type, isPrimary: Bool = true, characteristics: [MutableCharacteristic] = []
    ) {
        self.init(profile: ConfiguredServiceProfile<Service>(), isPrimary: isPrimary)
        self.characteristics = characteristics
    }

    /// Creates a service that has no profile and no characteristics yet.
    ///
    /// - Parameters:
    ///   - uuid: The UUID under which centrals find it.
    ///   - isPrimary: A Boolean value that is true if centrals find the service by itself, and not only as an included
    ///     service.
    public convenience init(uuid: BluetoothUUID, isPrimary: Bool = true) {
        self.init(profile: ServiceProfile(uuid: uuid), isPrimary: isPrimary)
    }

    deinit {
        // Services that include each other form a chain. The loop avoids a recursion of their deinitializers.
        var ending = facts.withLock { $0.takeIncluded() }
        while var service = ending.popLast() {
            if isKnownUniquelyReferenced(&service) { ending += service.facts.withLock { $0.takeIncluded() } }
        }
    }

    /// The UUID under which centrals find the service.
    public var uuid: BluetoothUUID { profile.uuid }

    /// The name in the profile, for people; centrals do not see it.
    public var name: String { profile.name }

    /// The characteristics, in the order in which centrals find them.
    ///
    /// A change while the service is added takes effect the next time that the service is added.
    public var characteristics: [MutableCharacteristic] {
        get { facts.withLock { $0.characteristics } }
        set {
            let old = facts.withLock { facts in
                defer { facts.characteristics = newValue }
                return facts.characteristics
            }
            for characteristic in old where !newValue.contains(characteristic) { characteristic.left(self) }
            for characteristic in newValue { characteristic.joined(self) }
        }
    }

    /// Replaces the characteristics by the characteristics that the profile declares, with their initial values.
    public func characteristicsFromProfiles() {
        characteristics = MutableCharacteristic.withProfiles(profile.characteristics)
    }

    /// The services that this service includes; they have to be added before it.
    ///
    /// A change while the service is added takes effect the next time that the service is added.
    public var includedServices: [MutableService] {
        get { facts.withLock { $0.includedServices } }
        set { facts.withLock { $0.includedServices = newValue } }
    }

    /// Returns the characteristics with a UUID.
    public func characteristics(withUUID uuid: BluetoothUUID) -> [MutableCharacteristic] {
        characteristics.filter { $0.uuid == uuid }
    }

    /// A Boolean value that is true if a manager offers the service, or is about to.
    public var isAdded: Bool { facts.withLock { $0.registration != nil } }

    var registration: HandleRegistration? { facts.withLock { $0.registration } }
}

extension MutableService: Hashable {
    /// Returns a Boolean value that is true if both are the same object.
    public static func == (left: MutableService, right: MutableService) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MutableService: CustomStringConvertible {
    /// The word "service" and the UUID.
    public var description: String { "service \(uuid)" }
}

/// The manager and the number with which a handle is added; the manager is not retained. Take the manager from a copy
/// outside the handle's lock, because the manager's deinitializer takes that lock.
struct HandleRegistration {
    weak let manager: PeripheralManager?
    let id: AttributeID
}
