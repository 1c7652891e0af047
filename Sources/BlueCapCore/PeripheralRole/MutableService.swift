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
/// ``PeripheralManager/add(_:timeout:)-(MutableService,_)`` offers it to centrals as it is then. What is set here later
/// counts from the next time it is added: remove it and add it again. The handle does not keep the manager; the manager
/// keeps what is added.
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

    /// The service's profile; one by the name "Unknown" where it was made from a UUID.
    public let profile: ServiceProfile
    /// Whether it is a primary service; a service that is only there to be included is not.
    public let isPrimary: Bool
    let facts = Locked(Facts())

    /// Creates a service as its profile declares it, without characteristics: see ``characteristicsFromProfiles()``.
    ///
    /// - Parameters:
    ///   - profile: The UUID, the name and the profiles of the characteristics.
    ///   - isPrimary: Whether centrals find it by itself, and not only as an included service.
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
    ///   - isPrimary: Whether centrals find it by itself, and not only as an included service.
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
    ///   - isPrimary: Whether centrals find it by itself, and not only as an included service.
    public convenience init(uuid: BluetoothUUID, isPrimary: Bool = true) {
        self.init(profile: ServiceProfile(uuid: uuid), isPrimary: isPrimary)
    }

    deinit {
        // Of a chain of services, each of which would end within the end of the one before.
        var ending = facts.withLock { $0.takeIncluded() }
        while var service = ending.popLast() {
            if isKnownUniquelyReferenced(&service) { ending += service.facts.withLock { $0.takeIncluded() } }
        }
    }

    /// The UUID under which centrals find the service.
    public var uuid: BluetoothUUID { profile.uuid }

    /// The name in the profile, for people; centrals do not see it.
    public var name: String { profile.name }

    /// The characteristics, in the order in which centrals find them. What is set while the service is added counts
    /// from the next time that it is added.
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

    /// Makes the characteristics that the profile declares, with their initial values, in place of those that there
    /// are.
    public func characteristicsFromProfiles() {
        characteristics = MutableCharacteristic.withProfiles(profile.characteristics)
    }

    /// The services that this one includes; they have to be added before it. What is set while the service is added
    /// counts from the next time that it is added.
    public var includedServices: [MutableService] {
        get { facts.withLock { $0.includedServices } }
        set { facts.withLock { $0.includedServices = newValue } }
    }

    /// The characteristics with a UUID.
    public func characteristics(withUUID uuid: BluetoothUUID) -> [MutableCharacteristic] {
        characteristics.filter { $0.uuid == uuid }
    }

    /// Whether a manager offers the service, or is about to.
    public var isAdded: Bool { facts.withLock { $0.registration != nil } }

    var registration: HandleRegistration? { facts.withLock { $0.registration } }
}

extension MutableService: Hashable {
    /// Whether both are the same object.
    public static func == (left: MutableService, right: MutableService) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MutableService: CustomStringConvertible {
    /// The word "service" and the UUID.
    public var description: String { "service \(uuid)" }
}

/// Where a handle is added, without keeping the manager. Take the manager from a copy outside of the handle's lock: the
/// manager's end takes that lock.
struct HandleRegistration {
    weak let manager: PeripheralManager?
    let id: AttributeID
}
