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
/// Reads and writes of one characteristic are sent one at a time, in the order of the calls; reads and writes of
/// different characteristics do not wait for each other here. After a reconnection a characteristic represents its
/// attribute again once services and characteristics are discovered again.
public final class Characteristic: Sendable, Identifiable {
    /// The properties that can be read without `await`.
    struct Facts {
        var value: Bytes?
        var isNotifying = false
        var descriptors: [Descriptor] = []
        var droppedCount = 0
    }

    /// The identifier of the characteristic in the peer's database; it distinguishes characteristics that share a UUID.
    public let id: AttributeID
    /// The UUID, which names the kind of the characteristic.
    public let uuid: BluetoothUUID
    /// The operations that the characteristic supports.
    public let properties: CharacteristicProperties
    /// The manager's profile for characteristics with the UUID in such a service; if it has none, a profile with the
    /// name "Unknown" and hexadecimal text.
    public let profile: CharacteristicProfile
    let serviceID: AttributeID
    let serviceUUID: BluetoothUUID
    let facts = Locked(Facts())
    let directWrites = Locked(DirectWrites())
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

    /// The value read or notified last; the property does not use the radio.
    public var value: Bytes? { facts.withLock { $0.value } }

    /// Returns a Boolean value that is true if the characteristic has all of the given properties.
    public func propertyEnabled(_ property: CharacteristicProperties) -> Bool { properties.contains(property) }

    /// A Boolean value that is true if notifications are on, as the peer confirmed.
    public var isNotifying: Bool { facts.withLock { $0.isNotifying } }

    /// A Boolean value that is true if the characteristic can notify or indicate.
    public var canNotify: Bool {
        !properties.isDisjoint(with: [.notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired])
    }

    /// A Boolean value that is true if the characteristic can be read.
    public var canRead: Bool { properties.contains(.read) }

    /// A Boolean value that is true if the characteristic can be written, with or without a response.
    public var canWrite: Bool { !properties.isDisjoint(with: [.write, .writeWithoutResponse]) }

    /// The descriptors that ``discoverDescriptors(timeout:)`` found last; empty before the first discovery.
    public var descriptors: [Descriptor] { facts.withLock { $0.descriptors } }

    /// Returns the descriptors with a UUID.
    public func descriptors(withUUID uuid: BluetoothUUID) -> [Descriptor] { descriptors.filter { $0.uuid == uuid } }

    /// The number of notified values that were dropped, over all present and former listeners: values for which there
    /// was no room, and values still buffered when a loop was left.
    public var droppedCount: Int { facts.withLock { $0.droppedCount } }

    /// The number of reads that are sent or queued and not yet answered.
    public var pendingReadCount: Int {
        get async {
            guard let manager = peripheral?.manager else { return 0 }
            return await manager.connections.values.pendingCount(self, manager) {
                if case .read = $0 { true } else { false }
            }
        }
    }

    /// The number of writes that are sent or queued and not yet answered.
    public var pendingWriteCount: Int {
        get async {
            guard let manager = peripheral?.manager else { return 0 }
            return await manager.connections.values.pendingCount(self, manager) {
                if case .write = $0 { true } else { false }
            }
        }
    }

    /// Discovers all descriptors.
    ///
    /// - Returns: The discovered attributes, in the order of the peer's database.
    /// - Throws: `.descriptorDiscoveryTimeout` (the connection stays), `.notDiscovered` if the characteristic was not
    ///   discovered since the connection was made, `.disconnected`, `.cancelled`, `.poweredOff`, `.invalidated`,
    ///   `.att`, `.backend`, `.unconfigured`.
    @discardableResult
    public func discoverDescriptors(timeout: Duration? = nil) async throws(CharacteristicError) -> [Descriptor] {
        let manager = try requireManager()
        return try await manager.connections.databases.discoverDescriptors(self, timeout: timeout, manager)
    }

    /// Reads the whole value; a long value is read in several parts.
    ///
    /// - Parameter timeout: The maximum time from the call, including the time in the queue; nil for as long as the
    ///   platform waits. A read that was sent cannot be cancelled on the radio: its caller stops waiting, and the next
    ///   read or write of this characteristic is sent only after its reply or the end of the link.
    /// - Throws: `.readNotSupported`, `.readTimeout`, `.notDiscovered`, `.att`, `.disconnected`, `.cancelled`,
    ///   `.poweredOff`, `.invalidated`, `.backend`, `.unconfigured`.
    public func read(timeout: Duration? = nil) async throws(CharacteristicError) -> Bytes {
        let manager = try requireManager()
        return try await manager.connections.values.read(self, timeout: timeout, manager)
    }

    /// Writes the whole value.
    ///
    /// With a response it returns when the peer has answered. Without a response it returns when the platform can
    /// accept the next value: a loop of such writes is slowed to the capacity of the link, and the values reach the
    /// peer in order. A value longer than one packet is written in parts with a response, and refused without a
    /// response.
    ///
    /// - Parameters:
    ///   - value: The value: at most 512 bytes with a response; at most ``Peripheral/maximumWriteLength(for:)`` without
    ///     a response.
    ///   - kind: The kind of write, with or without a response of the peer.
    ///   - timeout: As for ``read(timeout:)``.
    /// - Throws: `.writeNotSupported`, `.valueTooLong`, `.writeTimeout`, `.notDiscovered`, `.att`, `.disconnected`,
    ///   `.cancelled`, `.poweredOff`, `.invalidated`, `.backend`, `.unconfigured`.
    public func write(
        _ value: Bytes, kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        if kind == .withoutResponseOverSocket, await sendAtOnce(value) { return }
        let manager = try requireManager()
        try await manager.connections.values.write(value, to: self, kind: kind, timeout: timeout, manager)
    }

    /// Writes an encoded value, as ``write(_:kind:timeout:)-(Bytes,_,_)``.
    ///
    /// - Parameters:
    ///   - value: A value whose encoding does not exceed the maximum length of such a write.
    ///   - kind: The kind of write, with or without a response of the peer.
    ///   - timeout: As for ``read(timeout:)``.
    /// - Throws: As ``write(_:kind:timeout:)-(Bytes,_,_)``.
    @_disfavoredOverload
    public func write(
        _ value: some ByteEncodable, kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        try await write(SerDe.serialize(value), kind: kind, timeout: timeout)
    }

    /// Writes an array's bytes, as ``write(_:kind:timeout:)-(Bytes,_,_)``.
    ///
    /// With this overload an array literal of numbers stands for bytes.
    ///
    /// - Parameters:
    ///   - value: The bytes, at most the maximum length of such a write.
    ///   - kind: The kind of write, with or without a response of the peer.
    ///   - timeout: As for ``read(timeout:)``.
    /// - Throws: As ``write(_:kind:timeout:)-(Bytes,_,_)``.
    public func write(
        _ value: [UInt8], kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        try await write(Bytes(value), kind: kind, timeout: timeout)
    }

    /// Not available, because `Int` has no fixed size on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public func write(_ value: Int, kind: WriteKind = .withResponse, timeout: Duration? = nil) async {}

    /// Not available for a `Data` or a part of an array, as `Bytes` is the type of bytes here.
    @available(*, unavailable, message: "make bytes of it: Bytes(data), or Bytes(Array(part)) of a part of an array")
    public func write(
        _ value: some Sequence<UInt8>, kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async {}

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public func write(
        _ value: UntypedLiteral, kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async throws(CharacteristicError) { try await write(value.bytes, kind: kind, timeout: timeout) }

    func requireManager() throws(CharacteristicError) -> CentralManager {
        guard let peripheral else { throw .unconfigured }
        guard let manager = peripheral.manager else { throw .invalidated }
        return manager
    }
}

extension Characteristic: Hashable {
    /// Returns a Boolean value that is true if both are the same object.
    public static func == (left: Characteristic, right: Characteristic) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Characteristic: CustomStringConvertible {
    /// The UUID and the place in the database.
    public var description: String { "characteristic \(uuid) at \(id)" }
}

/// Names of the first BlueCap, kept so that the compiler reports their present names.
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
