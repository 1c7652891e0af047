// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A characteristic that this program offers: a handle with a stable identity.
///
/// ```swift
/// let counter = MutableCharacteristic(
///     uuid: "FFF1", properties: [.read, .notify], permissions: [.readable], value: [0])
/// let service = MutableService(uuid: "FFF0")
/// service.characteristics = [counter]
/// try await manager.add(service, timeout: .seconds(5))
/// try counter.update([1])                             // kept for reads, and sent to all who are subscribed
/// ```
///
/// This object holds the value, even before the characteristic is added: a central that reads receives it, unless the
/// app answers reads itself (``readRequests(capacity:)``). A central's write changes the value only if the app accepts
/// it (``writeRequests(capacity:)``).
public final class MutableCharacteristic: Sendable {
    struct Facts {
        var value: Bytes?
        var descriptors: [MutableDescriptor] = []
        var usesWriteSocket = false
        var updatePolicy: UpdatePolicy
        var queue = UpdateQueue()
        var subscribers: [Central] = []
        weak var service: MutableService?
        var registration: HandleRegistration?
        /// A Boolean value that is true if the manager that had the characteristic last has ended.
        var hasManagerEnded = false
        var cutUpdateCount = 0
        /// The gate of a control point whose requests the app takes; nil otherwise.
        var gate: (any ControlPointGate)?
        /// The numbers of the descriptors that were added with the characteristic.
        var descriptorIDs: [AttributeID] = []
    }

    /// The profile that declares the characteristic and converts its value to text; for a characteristic created from a
    /// UUID a profile with the name "Unknown" and hexadecimal text.
    public let profile: CharacteristicProfile
    let facts: Locked<Facts>
    let writeCaster = Multicaster<WriteRequest>(replay: .none) { $0.ticket.droppedByStream() }
    let readCaster = Multicaster<AttributeReadRequest>(replay: .none) { $0.ticket.droppedByStream() }
    let subscriptionCaster = Multicaster<SubscriptionEvent>(replay: .none)

    /// The gate of the control point; nil if the app does not handle the writes as control point requests.
    var gate: (any ControlPointGate)? { facts.withLock { $0.gate } }

    /// Creates a characteristic as its profile declares it, with the profile's initial value.
    public init(profile: some CharacteristicProfileProtocol) {
        self.profile = profile.profile
        let updatePolicy = UpdatePolicy.standard(for: profile.profile.properties)
        facts = Locked(Facts(value: profile.initialValue, updatePolicy: updatePolicy))
    }

    /// Creates a characteristic; by default centrals may read and write it and subscribe to it.
    ///
    /// - Parameters:
    ///   - uuid: The UUID under which centrals find it.
    ///   - properties: The operations that centrals see as supported.
    ///   - permissions: The operations that are allowed, and the encryption or authentication that they need.
    ///   - value: The value that centrals read at first; nil for an empty value.
    public convenience init(
        uuid: BluetoothUUID, properties: CharacteristicProperties = [.read, .write, .notify],
        permissions: AttributePermissions = [.readable, .writeable], value: Bytes? = nil
    ) {
        self.init(
            profile: CharacteristicProfile(
                uuid: uuid, name: CharacteristicProfile.unknownName, permissions: permissions, properties: properties,
                initialValue: value))
    }

    /// Returns a characteristic for each of some profiles, in their order.
    public static func withProfiles(_ profiles: [any CharacteristicProfileProtocol]) -> [MutableCharacteristic] {
        profiles.map { MutableCharacteristic(profile: $0.profile) }
    }

    deinit {
        writeCaster.finish()
        readCaster.finish()
        subscriptionCaster.finish()
    }

    /// The UUID under which centrals find the characteristic.
    public var uuid: BluetoothUUID { profile.uuid }

    /// The name in the profile, for people; centrals do not see it.
    public var name: String { profile.name }

    /// The operations that the characteristic supports.
    public var properties: CharacteristicProperties { profile.properties }

    /// The operations that are allowed, and the encryption or authentication that they need.
    public var permissions: AttributePermissions { profile.permissions }

    /// The service that has the characteristic; nil before it is assigned to a service.
    public var service: MutableService? { facts.withLock { $0.service } }

    /// The value.
    ///
    /// It can be set at any time; setting it does not send it to subscribers: see ``update(_:)-(Bytes)``. A read of a
    /// nil value returns no bytes.
    public var value: Bytes? {
        get { facts.withLock { $0.value } }
        set { facts.withLock { $0.value = newValue } }
    }

    /// The descriptors, without the descriptors that the platform adds (Client Characteristic Configuration, Extended
    /// Properties).
    ///
    /// A change while the service is added takes effect the next time that the service is added.
    public var descriptors: [MutableDescriptor] {
        get { facts.withLock { $0.descriptors } }
        set { facts.withLock { $0.descriptors = newValue } }
    }

    /// A Boolean value that is true if writes without response may use a separate channel of the platform (BlueZ's
    /// AcquireWrite).
    ///
    /// Such a channel is cheaper, and its writes cannot be refused. On BlueZ values are lost when the channel is full,
    /// and the first values may arrive changed: use it only if neither matters. A change while the service is added
    /// takes effect the next time that the service is added.
    public var usesWriteSocket: Bool {
        get { facts.withLock { $0.usesWriteSocket } }
        set { facts.withLock { $0.usesWriteSocket = newValue } }
    }

    /// A Boolean value that is true if the characteristic can notify or indicate.
    public var canNotify: Bool { properties.allowNotifying }

    /// Returns a Boolean value that is true if the characteristic has all of the given properties.
    public func propertyEnabled(_ property: CharacteristicProperties) -> Bool { properties.contains(property) }

    /// Returns a Boolean value that is true if the characteristic has all of the given permissions.
    public func permissionEnabled(_ permission: AttributePermissions) -> Bool { permissions.contains(permission) }

    // MARK: Requests and subscriptions

    /// Returns the writes of centrals from now on; see ``WriteRequest`` for the answers.
    ///
    /// Without a stream here or on the manager, writes are refused with `.requestNotSupported` (0x06). If a stream is
    /// full, its oldest request is dropped, counted in ``droppedRequestCount`` and, if no other stream has it, answered
    /// with `.insufficientResources`; `.oldest` drops the newest one instead, and `.unbounded` none. Write commands
    /// wait in the streams alone; no platform holds a central back.
    ///
    /// Requests that are not answered when the stream is released are answered with `.unlikelyError`. Every call
    /// returns a separate stream; all streams receive the same requests, each of which is answered once. A stream
    /// continues when the service is removed and added again; it ends with the manager, with this handle, when it is
    /// released, and for a cancelled task.
    public func writeRequests(capacity: StreamCapacity = .newest(1024)) -> AsyncStream<WriteRequest> {
        writeCaster.stream(capacity: capacity)
    }

    /// Returns the reads of centrals from now on, for an app that answers them itself; without a stream they are
    /// answered from ``value``.
    ///
    /// The stream drops and releases requests, and ends, in the same way as a stream of ``writeRequests(capacity:)``.
    public func readRequests(capacity: StreamCapacity = .newest(1024)) -> AsyncStream<AttributeReadRequest> {
        readCaster.stream(capacity: capacity)
    }

    /// Returns the beginnings and ends of subscriptions from now on; none is dropped.
    ///
    /// The stream ends in the same way as a stream of ``writeRequests(capacity:)``.
    public func subscriptions() -> AsyncStream<SubscriptionEvent> { subscriptionCaster.stream(capacity: .unbounded) }

    /// The number of requests that were dropped because there was no room for them: in this characteristic's streams,
    /// or among those that may wait for an answer (``PeripheralManager/Configuration/maximumOpenRequests``); and of the
    /// write commands that came while there was no stream.
    public var droppedRequestCount: Int { writeCaster.droppedCount + readCaster.droppedCount }

    /// The centrals that are subscribed; if the platform does not distinguish them, one entry that stands for all.
    public var subscribers: [Central] { facts.withLock { $0.subscribers } }

    // MARK: For the manager

    var registration: HandleRegistration? { facts.withLock { $0.registration } }

    func joined(_ service: MutableService) { facts.withLock { $0.service = service } }

    func left(_ service: MutableService) { facts.withLock { if $0.service === service { $0.service = nil } } }

    func endStreams() {
        writeCaster.endStreams()
        readCaster.endStreams()
        subscriptionCaster.endStreams()
        gate?.endStreams()
    }

    /// Writes a central's bytes into the value.
    func commit(_ part: Bytes, at offset: Int) -> ATTError? { facts.withLock { $0.value.splice(part, at: offset) } }
}

extension MutableCharacteristic: Hashable {
    /// Returns a Boolean value that is true if both are the same object.
    public static func == (left: MutableCharacteristic, right: MutableCharacteristic) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MutableCharacteristic: CustomStringConvertible {
    /// The word "characteristic" and the UUID.
    public var description: String { "characteristic \(uuid)" }
}

/// Names of the first BlueCap, kept so that the compiler reports their present names.
extension MutableCharacteristic {
    /// The old name of ``writeRequests(capacity:)``.
    @available(*, unavailable, renamed: "writeRequests(capacity:)")
    public func startRespondingToWriteRequests(capacity: Int = .max) {}

    /// Write requests end when their loop is left.
    @available(*, unavailable, message: "leave the loop over writeRequests(capacity:)")
    public func stopRespondingToWriteRequests() {}

    /// The old name of ``update(_:)-(Bytes)``.
    @available(*, unavailable, renamed: "update(_:)")
    public func update(withData data: Bytes) {}
}

/// Values as text, by the profile: names and texts of the value's parts, hexadecimal without a profile.
extension MutableCharacteristic {
    /// The possible texts of the value if there are few (the cases of an enumeration); empty otherwise.
    public var stringValues: [String] { profile.stringValues }

    /// The text of the value; nil without a value, and if the profile cannot decode it.
    public var stringValue: [String: String]? { value.flatMap { profile.stringValue($0) } }

    /// Sets the value to the value of a text and sends it to all subscribers, as ``update(_:)-(Bytes)``.
    ///
    /// - Throws: As ``update(_:)-(Bytes)``, and `.notSerializable` if a part is missing or not valid.
    public func update(stringValue: [String: String]) throws(MutableCharacteristicError) {
        guard let bytes = profile.bytes(fromString: stringValue) else { throw .notSerializable }
        try update(bytes)
    }
}
