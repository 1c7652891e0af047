// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A descriptor of a characteristic: a handle with a stable identity.
public final class Descriptor: Sendable, Identifiable {
    /// Client Characteristic Configuration (0x2902), which switches notifications; only a subscription writes it.
    public static let clientConfiguration: BluetoothUUID = "2902"

    /// The identifier of the descriptor in the peer's database.
    public let id: AttributeID
    /// The UUID, which names the kind of the descriptor.
    public let uuid: BluetoothUUID
    let facts = Locked(Bytes?.none)
    private weak let weakCharacteristic: Characteristic?
    private weak let weakPeripheral: Peripheral?

    init(_ found: DiscoveredDescriptor, of characteristic: Characteristic) {
        id = found.id
        uuid = found.uuid
        weakCharacteristic = characteristic
        weakPeripheral = characteristic.peripheral
    }

    /// The characteristic that has the descriptor; nil once it is released.
    public var characteristic: Characteristic? { weakCharacteristic }

    /// The peripheral that has the descriptor; nil once it is released.
    public var peripheral: Peripheral? { weakPeripheral }

    /// The value read last; the property does not use the radio.
    public var value: Bytes? { facts.withLock { $0 } }

    /// Reads the whole value, in its order among the reads and writes of the descriptor.
    ///
    /// - Parameter timeout: As for ``Characteristic/read(timeout:)``.
    /// - Throws: `.readTimeout`, `.notDiscovered`, `.att`, `.disconnected`, `.cancelled`, `.poweredOff`,
    ///   `.invalidated`, `.backend`, `.unconfigured`.
    public func read(timeout: Duration? = nil) async throws(CharacteristicError) -> Bytes {
        let manager = try requireManager()
        return try await manager.connections.values.read(self, timeout: timeout, manager)
    }

    /// Writes the whole value with a response, in its order among the reads and writes of the descriptor.
    ///
    /// - Parameters:
    ///   - value: The new value, at most 512 bytes.
    ///   - timeout: As for ``Characteristic/read(timeout:)``.
    /// - Throws: `.writeNotSupported` for ``clientConfiguration``: use
    ///   ``Characteristic/notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)`` or
    ///   ``Characteristic/startNotifying(transport:timeout:)``; else as
    ///   ``Characteristic/write(_:kind:timeout:)-(Bytes,_,_)``.
    public func write(_ value: Bytes, timeout: Duration? = nil) async throws(CharacteristicError) {
        let manager = try requireManager()
        try await manager.connections.values.write(value, to: self, timeout: timeout, manager)
    }

    /// Writes an encoded value with a response, as ``write(_:timeout:)-(Bytes,_)``.
    ///
    /// - Parameters:
    ///   - value: A value whose encoding has at most 512 bytes.
    ///   - timeout: As for ``Characteristic/read(timeout:)``.
    /// - Throws: As ``write(_:timeout:)-(Bytes,_)``.
    @_disfavoredOverload
    public func write(_ value: some ByteEncodable, timeout: Duration? = nil) async throws(CharacteristicError) {
        try await write(SerDe.serialize(value), timeout: timeout)
    }

    /// Writes an array's bytes with a response, as ``write(_:timeout:)-(Bytes,_)``.
    ///
    /// - Parameters:
    ///   - value: At most 512 bytes.
    ///   - timeout: As for ``Characteristic/read(timeout:)``.
    /// - Throws: As ``write(_:timeout:)-(Bytes,_)``.
    public func write(_ value: [UInt8], timeout: Duration? = nil) async throws(CharacteristicError) {
        try await write(Bytes(value), timeout: timeout)
    }

    /// Not available, because `Int` has no fixed size on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public func write(_ value: Int, timeout: Duration? = nil) async {}

    /// Not available for a `Data` or a part of an array, as `Bytes` is the type of bytes here.
    @available(*, unavailable, message: "make bytes of it: Bytes(data), or Bytes(Array(part)) of a part of an array")
    public func write(_ value: some Sequence<UInt8>, timeout: Duration? = nil) async {}

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public func write(_ value: UntypedLiteral, timeout: Duration? = nil) async throws(CharacteristicError) {
        try await write(value.bytes, timeout: timeout)
    }

    private func requireManager() throws(CharacteristicError) -> CentralManager {
        guard let peripheral else { throw .unconfigured }
        guard let manager = peripheral.manager else { throw .invalidated }
        return manager
    }
}

extension Descriptor: Hashable {
    /// Returns a Boolean value that is true if both are the same object.
    public static func == (left: Descriptor, right: Descriptor) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Descriptor: CustomStringConvertible {
    /// The UUID and the place in the database.
    public var description: String { "descriptor \(uuid) at \(id)" }
}
