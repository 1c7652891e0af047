// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A characteristic with values of a declared type; ``TypedMutableCharacteristic`` is its counterpart in the peripheral
/// role.
///
/// ```swift
/// let level = try strap.characteristic(BatteryService.Level.self)
/// print(try await level.read(timeout: .seconds(2)).percent)
/// for try await level in try await level.notifications(capacity: .newest(10)) {
///     print(level.percent)                            // leaving the loop unsubscribes
/// }
/// ```
public struct TypedCharacteristic<Value: ByteCodable>: Sendable {
    /// The characteristic itself, for its bytes and its properties.
    public let characteristic: Characteristic

    /// Creates a typed view of a characteristic; the UUID of the characteristic is not checked.
    public init(_ characteristic: Characteristic) { self.characteristic = characteristic }

    /// The UUID of the characteristic.
    public var uuid: BluetoothUUID { characteristic.uuid }

    /// The name that the profile gives the characteristic.
    public var name: String { characteristic.name }

    /// The operations that the peripheral allows.
    public var properties: CharacteristicProperties { characteristic.properties }

    /// The value read or notified last, decoded; nil before the first value.
    ///
    /// - Throws: `.undecodable`.
    public var value: Value? {
        get throws(CharacteristicError) {
            guard let bytes = characteristic.value else { return nil }
            return try decode(bytes)
        }
    }

    /// Reads and decodes the value.
    ///
    /// - Parameter timeout: As for ``Characteristic/read(timeout:)``.
    /// - Throws: `.undecodable` with the bytes if they are not a value of the type; otherwise the errors of
    ///   ``Characteristic/read(timeout:)``.
    public func read(timeout: Duration? = nil) async throws(CharacteristicError) -> Value {
        try decode(try await characteristic.read(timeout: timeout))
    }

    /// Encodes and writes a value.
    ///
    /// - Parameters:
    ///   - value: A value whose encoding is at most as long as
    ///     ``Characteristic/write(_:kind:timeout:)-(Bytes,_,_)`` allows.
    ///   - kind: The kind of write, with or without a response of the peer.
    ///   - timeout: As for ``Characteristic/read(timeout:)``.
    /// - Throws: As ``Characteristic/write(_:kind:timeout:)-(Bytes,_,_)``.
    public func write(
        _ value: Value, kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        try await characteristic.write(SerDe.serialize(value), kind: kind, timeout: timeout)
    }

    /// Not a property: the call switches notifications on, which takes time and can fail.
    @available(*, unavailable, message: "call it: for try await value in try await characteristic.notifications()")
    public var notifications: TypedNotifications<Value> {
        get async throws(CharacteristicError) { try await notifications() }
    }

    /// Returns the notified values, decoded, in the same way as
    /// ``Characteristic/notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``.
    ///
    /// - Parameters:
    ///   - capacity: The number of values that are kept for a slow loop; dropped values are counted.
    ///   - onDisconnect: The policy that decides if the sequence ends with the connection or continues after the next
    ///     one.
    ///   - onUndecodable: The policy for bytes that are not a value of the type.
    ///   - transport: The transport of values from the platform's service; the first listener's choice is used.
    ///   - timeout: The maximum time for switching on; nil for as long as the platform waits.
    ///   - valueTimeout: The maximum time that the loop waits for each value, including skipped values; then the
    ///     sequence throws `.valueTimeout`. Nil for no limit.
    /// - Throws: As ``Characteristic/startNotifying(transport:timeout:)``.
    public func notifications(
        capacity: StreamCapacity = .newest(1024), onDisconnect: DisconnectPolicy = .end,
        onUndecodable: UndecodablePolicy = .end, transport: NotificationTransport = .standard,
        timeout: Duration? = nil, valueTimeout: Duration? = nil
    ) async throws(CharacteristicError) -> TypedNotifications<Value> {
        let notifications = try await characteristic.notifications(
            capacity: capacity, onDisconnect: onDisconnect, transport: transport, timeout: timeout,
            valueTimeout: valueTimeout)
        return TypedNotifications(
            notifications: notifications, onUndecodable: onUndecodable, decode: decode)
    }

    /// Returns the notified values, decoded, as a plain stream.
    ///
    /// The stream ends without an error with the connection, for a cancelled task, when it is released, and with `.end`
    /// at bytes that are not a value of the type.
    ///
    /// - Parameters:
    ///   - capacity: The number of values that are kept for a slow loop; dropped values are counted.
    ///   - onDisconnect: The policy that decides if the stream ends with the connection or continues after the next
    ///     one.
    ///   - onUndecodable: The policy that decides if the stream ends at bytes that are not a value of the type, or
    ///     skips them.
    ///   - transport: The transport of values from the platform's service; the first listener's choice is used.
    ///   - timeout: The maximum time for switching on; nil for as long as the platform waits.
    /// - Throws: As ``Characteristic/startNotifying(transport:timeout:)``.
    public func values(
        capacity: StreamCapacity = .newest(1024), onDisconnect: DisconnectPolicy = .end,
        onUndecodable: UndecodablePolicy = .end, transport: NotificationTransport = .standard, timeout: Duration? = nil
    ) async throws(CharacteristicError) -> AsyncStream<Value> {
        let decoder = try await notifications(
            capacity: capacity, onDisconnect: onDisconnect, onUndecodable: onUndecodable, transport: transport,
            timeout: timeout)
        return AsyncStream { try? await decoder.next() }
    }

    @Sendable
    private func decode(_ bytes: Bytes) throws(CharacteristicError) -> Value {
        do { return try SerDe.deserialize(bytes) } catch { throw .undecodable(error, bytes, from: uuid) }
    }
}
