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
/// The value is here, before the characteristic is added too: a central that reads gets it, unless the app answers
/// reads itself (``readRequests(capacity:)``). Centrals write only what the app accepts (``writeRequests(capacity:)``).
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
        /// Where it is a control point whose requests the app takes.
        var gate: (any ControlPointGate)?
        /// The numbers of the descriptors that were added with it.
        var descriptorIDs: [AttributeID] = []
    }

    /// What declares it, and turns its value into text; hexadecimal by the name "Unknown" where it was made from a
    /// UUID.
    public let profile: CharacteristicProfile
    let facts: Locked<Facts>
    let writeCaster = Multicaster<WriteRequest>(replay: .none) { $0.ticket.droppedByStream() }
    let readCaster = Multicaster<AttributeReadRequest>(replay: .none) { $0.ticket.droppedByStream() }
    let subscriptionCaster = Multicaster<SubscriptionEvent>(replay: .none)

    /// A characteristic as its profile declares it, with the profile's initial value.
    public init(profile: some CharacteristicProfileProtocol) {
        self.profile = profile.profile
        let updatePolicy = UpdatePolicy.standard(for: profile.profile.properties)
        facts = Locked(Facts(value: profile.initialValue, updatePolicy: updatePolicy))
    }

    /// Creates a characteristic; by default centrals may read and write it and subscribe to it.
    ///
    /// - Parameters:
    ///   - uuid: The UUID under which centrals find it.
    ///   - properties: The operations that centrals see as possible.
    ///   - permissions: The operations that are allowed, and whether they need encryption or authentication.
    ///   - value: The value that centrals read at first; nil for one without bytes.
    public convenience init(
        uuid: BluetoothUUID, properties: CharacteristicProperties = [.read, .write, .notify],
        permissions: AttributePermissions = [.readable, .writeable], value: Bytes? = nil
    ) {
        self.init(
            profile: CharacteristicProfile(
                uuid: uuid, name: CharacteristicProfile.unknownName, permissions: permissions, properties: properties,
                initialValue: value))
    }

    /// A characteristic for each of some profiles, in their order.
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

    /// What may be done with it.
    public var properties: CharacteristicProperties { profile.properties }

    /// The operations that are allowed, and whether they need encryption or authentication.
    public var permissions: AttributePermissions { profile.permissions }

    /// The service that has it; nil before it is given to one.
    public var service: MutableService? { facts.withLock { $0.service } }

    /// The value; it can be set at any time, and is not sent to subscribers by that: see ``update(_:)-(Bytes)``. Reads
    /// of nil give no bytes.
    public var value: Bytes? {
        get { facts.withLock { $0.value } }
        set { facts.withLock { $0.value = newValue } }
    }

    /// The descriptors, without those that the platform adds (Client Characteristic Configuration, Extended
    /// Properties). What is set while the service is added counts from the next time that it is added.
    public var descriptors: [MutableDescriptor] {
        get { facts.withLock { $0.descriptors } }
        set { facts.withLock { $0.descriptors = newValue } }
    }

    /// Whether writes without response may come over a channel of their own where the platform has one (BlueZ's
    /// AcquireWrite): cheaper, and impossible to refuse. On BlueZ values are lost when the channel is full, and the
    /// first ones may arrive changed: use it where neither matters. What is set while the service is added counts from
    /// the next time that it is added.
    public var usesWriteSocket: Bool {
        get { facts.withLock { $0.usesWriteSocket } }
        set { facts.withLock { $0.usesWriteSocket = newValue } }
    }

    /// Whether it can notify or indicate.
    public var canNotify: Bool { properties.allowNotifying }

    /// Whether all of some properties are among its own.
    public func propertyEnabled(_ property: CharacteristicProperties) -> Bool { properties.contains(property) }

    /// Whether all of some permissions are among its own.
    public func permissionEnabled(_ permission: AttributePermissions) -> Bool { permissions.contains(permission) }

    // MARK: Requests and subscriptions

    /// The writes of centrals, from now on; see ``WriteRequest`` for how each is answered.
    ///
    /// Without a stream here or on the manager, writes are refused with `.requestNotSupported` (0x06). Of a stream that
    /// is full the oldest request is dropped and, if no other stream has it, answered with `.insufficientResources`.
    /// Requests that are not answered when the stream is released are answered with `.unlikelyError`. Every call gives
    /// a stream of its own; all get the same requests, each of which is answered once. A stream goes on over removing
    /// and adding; it ends with the manager, with this handle, when it is released, and for a cancelled task.
    public func writeRequests(capacity: StreamCapacity = .newest(1024)) -> AsyncStream<WriteRequest> {
        writeCaster.stream(capacity: capacity)
    }

    /// The reads of centrals, from now on, for an app that answers them itself; without a stream they are answered from
    /// ``value``. A stream drops, releases and ends as that of ``writeRequests(capacity:)``.
    public func readRequests(capacity: StreamCapacity = .newest(1024)) -> AsyncStream<AttributeReadRequest> {
        readCaster.stream(capacity: capacity)
    }

    /// The beginnings and ends of subscriptions, from now on, none dropped. Ends as the stream of
    /// ``writeRequests(capacity:)``.
    public func subscriptions() -> AsyncStream<SubscriptionEvent> { subscriptionCaster.stream(capacity: .unbounded) }

    /// How many requests were dropped because there was no room on this characteristic's streams.
    public var droppedRequestCount: Int { writeCaster.droppedCount + readCaster.droppedCount }

    /// The centrals that are subscribed; one that stands for all where the platform does not distinguish them.
    public var subscribers: [Central] { facts.withLock { $0.subscribers } }

    // MARK: For the manager

    var registration: HandleRegistration? { facts.withLock { $0.registration } }

    func joined(_ service: MutableService) { facts.withLock { $0.service = service } }

    func left(_ service: MutableService) {
        facts.withLock { if $0.service === service { $0.service = nil } }
    }

    func endStreams() {
        writeCaster.endStreams()
        readCaster.endStreams()
        subscriptionCaster.endStreams()
        gate?.endStreams()
    }

    /// Puts a central's bytes into the value.
    func commit(_ part: Bytes, at offset: Int) -> ATTError? {
        facts.withLock { $0.value.splice(part, at: offset) }
    }
}

extension MutableCharacteristic: Hashable {
    /// Whether both are the same object.
    public static func == (left: MutableCharacteristic, right: MutableCharacteristic) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MutableCharacteristic: CustomStringConvertible {
    /// The word "characteristic" and the UUID.
    public var description: String { "characteristic \(uuid)" }
}

/// Names of the first BlueCap, for the compiler to say what they are called now.
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
