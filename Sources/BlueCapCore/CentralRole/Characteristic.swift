// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A characteristic of a connected peripheral: a handle with a stable identity.
///
/// ```swift
/// let level = try strap.characteristic("2A19")        // after discover(_:timeout:)
/// print(try await level.read(timeout: .seconds(2)).hex)
/// for try await bytes in try await level.notifications(capacity: .newest(10)) {
///     print(bytes.hex)                                // leaving the loop unsubscribes
/// }
/// ```
///
/// Reads and writes of one characteristic go out one at a time, in the order of the calls; those of different
/// characteristics do not wait for each other here. After a reconnection a characteristic stands for its attribute
/// again once services and characteristics are discovered again.
public final class Characteristic: Sendable, Identifiable {
    /// What can be read without `await`.
    struct Facts {
        var value: Bytes?
        var isNotifying = false
        var descriptors: [Descriptor] = []
        var droppedCount = 0
    }

    /// Names the characteristic in the peer's database; characteristics that share a UUID differ in it.
    public let id: AttributeID
    /// The UUID, which names the kind of the characteristic.
    public let uuid: BluetoothUUID
    /// What may be done with it.
    public let properties: CharacteristicProperties
    /// The profile that the manager was given for characteristics with the UUID in such a service; one by the name
    /// "Unknown", with hexadecimal text, where it was given none.
    public let profile: CharacteristicProfile
    let serviceID: AttributeID
    let serviceUUID: BluetoothUUID
    let facts = Locked(Facts())
    let outlet = Locked(Outlet())
    private weak let weakService: Service?
    private weak let weakPeripheral: Peripheral?

    init(_ found: DiscoveredCharacteristic, of service: Service) {
        id = found.id
        uuid = found.uuid
        properties = found.properties
        profile = service.profile.characteristicProfile(withUUID: found.uuid)
        serviceID = service.id
        serviceUUID = service.uuid
        weakService = service
        weakPeripheral = service.peripheral
    }

    /// The service that has the characteristic; nil once it is released.
    public var service: Service? { weakService }

    /// The peripheral that has the characteristic; nil once it is released.
    public var peripheral: Peripheral? { weakPeripheral }

    /// The value read or notified last; no radio is asked.
    public var value: Bytes? { facts.withLock { $0.value } }

    /// Whether all of some properties are among its own.
    public func propertyEnabled(_ property: CharacteristicProperties) -> Bool { properties.contains(property) }

    /// Whether notifications are on, as the peer confirmed.
    public var isNotifying: Bool { facts.withLock { $0.isNotifying } }

    /// Whether it can notify or indicate.
    public var canNotify: Bool {
        !properties.isDisjoint(with: [.notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired])
    }

    /// Whether it can be read.
    public var canRead: Bool { properties.contains(.read) }

    /// Whether it can be written, with or without a response.
    public var canWrite: Bool { !properties.isDisjoint(with: [.write, .writeWithoutResponse]) }

    /// The descriptors that ``discoverDescriptors(timeout:)`` found last; empty before.
    public var descriptors: [Descriptor] { facts.withLock { $0.descriptors } }

    /// The descriptors with a UUID.
    public func descriptors(withUUID uuid: BluetoothUUID) -> [Descriptor] { descriptors.filter { $0.uuid == uuid } }

    /// How many notified values were dropped, over all listeners that there are and were: because there was no room,
    /// and those still buffered when a loop was left.
    public var droppedCount: Int { facts.withLock { $0.droppedCount } }

    /// How many reads are sent or queued and still waited for.
    public var pendingReadCount: Int {
        get async {
            await peripheral?.manager?.pendingCount(self) { if case .read = $0 { true } else { false } } ?? 0
        }
    }

    /// How many writes are sent or queued and still waited for.
    public var pendingWriteCount: Int {
        get async {
            await peripheral?.manager?.pendingCount(self) { if case .write = $0 { true } else { false } } ?? 0
        }
    }

    /// Discovers all descriptors.
    ///
    /// - Returns: What was found, in the order of the peer's database.
    /// - Throws: `.descriptorDiscoveryTimeout` (the connection stays), `.notDiscovered` when the characteristic was not
    ///   discovered since the connection was made, `.disconnected`, `.cancelled`, `.poweredOff`, `.invalidated`,
    ///   `.att`, `.backend`, `.unconfigured`.
    @discardableResult
    public func discoverDescriptors(timeout: Duration? = nil) async throws(CharacteristicError) -> [Descriptor] {
        try await requireManager().discoverDescriptors(self, timeout: timeout)
    }

    /// Reads the whole value, a long one in as many parts as it takes.
    ///
    /// - Parameter timeout: How long it may take, from the call, the time in the queue included; nil for as long as the
    ///   platform waits. A read that was sent cannot be cancelled on the radio: its caller is freed, and the next read
    ///   or write of this characteristic goes out only after its reply or the end of the link.
    /// - Throws: `.readNotSupported`, `.readTimeout`, `.notDiscovered`, `.att`, `.disconnected`, `.cancelled`,
    ///   `.poweredOff`, `.invalidated`, `.backend`, `.unconfigured`.
    public func read(timeout: Duration? = nil) async throws(CharacteristicError) -> Bytes {
        try await requireManager().read(self, timeout: timeout)
    }

    /// Writes the whole value.
    ///
    /// With a response it returns when the peer has answered. Without one it returns when the platform can take the
    /// next: a loop of such writes is slowed to what the link carries, and they reach the peer in order. A value longer
    /// than one packet is written in parts with a response, and refused without.
    ///
    /// - Parameters:
    ///   - value: At most 512 bytes with a response; at most ``Peripheral/maximumWriteLength(for:)`` without.
    ///   - kind: Whether the peer answers.
    ///   - timeout: As for ``read(timeout:)``.
    /// - Throws: `.writeNotSupported`, `.valueTooLong`, `.writeTimeout`, `.notDiscovered`, `.att`, `.disconnected`,
    ///   `.cancelled`, `.poweredOff`, `.invalidated`, `.backend`, `.unconfigured`.
    public func write(
        _ value: Bytes, kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        if kind == .withoutResponseOverSocket, await sendAtOnce(value) { return }
        try await requireManager().write(value, to: self, kind: kind, timeout: timeout)
    }

    /// Writes an encoded value, as ``write(_:kind:timeout:)-(Bytes,_,_)``.
    ///
    /// - Parameters:
    ///   - value: A value whose encoding is as long as the bytes of such a write at most.
    ///   - kind: Whether the peer answers.
    ///   - timeout: As for ``read(timeout:)``.
    /// - Throws: As ``write(_:kind:timeout:)-(Bytes,_,_)``.
    public func write(
        _ value: some ByteEncodable, kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        try await write(SerDe.serialize(value), kind: kind, timeout: timeout)
    }

    /// Writes an array's bytes, as ``write(_:kind:timeout:)-(Bytes,_,_)``. It is what an array literal of numbers means
    /// here: bytes.
    ///
    /// - Parameters:
    ///   - value: At most as many bytes as such a write takes.
    ///   - kind: Whether the peer answers.
    ///   - timeout: As for ``read(timeout:)``.
    /// - Throws: As ``write(_:kind:timeout:)-(Bytes,_,_)``.
    public func write(
        _ value: [UInt8], kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        try await write(Bytes(value), kind: kind, timeout: timeout)
    }

    /// Not offered: `Int` has no size of its own on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public func write(_ value: Int, kind: WriteKind = .withResponse, timeout: Duration? = nil) async {}

    func requireManager() throws(CharacteristicError) -> CentralManager {
        guard let peripheral else { throw .unconfigured }
        guard let manager = peripheral.manager else { throw .invalidated }
        return manager
    }
}

extension Characteristic: Hashable {
    /// Whether both are the same object.
    public static func == (left: Characteristic, right: Characteristic) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Characteristic: CustomStringConvertible {
    /// UUID and place in the database.
    public var description: String { "characteristic \(uuid) at \(id)" }
}

/// Names of the first BlueCap, for the compiler to say what they are called now.
extension Characteristic {
    /// The old name of ``notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``.
    @available(*, unavailable, renamed: "notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)")
    public func receiveNotificationUpdates(capacity: Int = .max) {}

    /// Notifications end when their loop is left.
    @available(*, unavailable, message: "leave the loop over notifications(…)")
    public func stopNotificationUpdates() {}

    /// The old name of ``write(_:kind:timeout:)-(Bytes,_,_)``.
    @available(*, unavailable, renamed: "write(_:kind:timeout:)")
    public func write(data: Bytes, timeout: Double = .infinity) {}
}
