// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Values as text, by the profile: names and texts of the value's parts, hexadecimal without a profile.
extension Characteristic {
    /// The name in the profile, for people; "Unknown" without one.
    public var name: String { profile.name }

    /// The possible texts of the value if there are few (the cases of an enumeration); empty otherwise.
    public var stringValues: [String] { profile.stringValues }

    /// The text of the value read or notified last; nil before the first value, and if the profile cannot decode
    /// ``value``.
    public var stringValue: [String: String]? { value.flatMap { profile.stringValue($0) } }

    /// Reads the value and returns its text.
    ///
    /// - Parameter timeout: As for ``read(timeout:)``.
    /// - Returns: The texts of the value's parts by their names.
    /// - Throws: `.undecodable` with the bytes if the profile cannot decode them; otherwise the errors of
    ///   ``read(timeout:)``.
    public func readStringValue(timeout: Duration? = nil) async throws(CharacteristicError) -> [String: String] {
        try text(try await read(timeout: timeout))
    }

    /// Writes the value of a text, in the same way as ``write(_:kind:timeout:)-(Bytes,_,_)`` writes bytes.
    ///
    /// - Parameters:
    ///   - stringValue: The texts of all parts by their names, in the form of ``stringValue``.
    ///   - kind: The kind of write, with or without a response of the peer.
    ///   - timeout: As for ``read(timeout:)``.
    /// - Throws: `.notSerializable`, before anything is sent, if a part is missing or not valid; otherwise the errors
    ///   of ``write(_:kind:timeout:)-(Bytes,_,_)``.
    public func write(
        stringValue: [String: String], kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        guard let bytes = profile.bytes(fromString: stringValue) else { throw .notSerializable }
        try await write(bytes, kind: kind, timeout: timeout)
    }

    /// Returns the notified values as text, by the profile, in the same way as
    /// ``notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``.
    ///
    /// - Parameters:
    ///   - capacity: The number of values that are kept for a slow loop; dropped values are counted.
    ///   - onDisconnect: The policy that decides if the sequence ends with the connection or continues after the next
    ///     one.
    ///   - onUndecodable: The policy for bytes that the profile cannot decode.
    ///   - transport: The transport of values from the platform's service; the first listener's choice is used.
    ///   - timeout: The maximum time for switching on; nil for as long as the platform waits.
    ///   - valueTimeout: The maximum time that the loop waits for each value, including skipped values; then the
    ///     sequence throws `.valueTimeout`. Nil for no limit.
    /// - Throws: As ``notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``; the sequence throws
    ///   `.undecodable` at bytes that the profile cannot decode, unless it skips them.
    public func stringNotifications(
        capacity: StreamCapacity = .newest(1024), onDisconnect: DisconnectPolicy = .end,
        onUndecodable: UndecodablePolicy = .end, transport: NotificationTransport = .standard,
        timeout: Duration? = nil, valueTimeout: Duration? = nil
    ) async throws(CharacteristicError) -> TypedNotifications<[String: String]> {
        let notifications = try await notifications(
            capacity: capacity, onDisconnect: onDisconnect, transport: transport, timeout: timeout,
            valueTimeout: valueTimeout)
        return TypedNotifications(notifications: notifications, onUndecodable: onUndecodable, decode: text)
    }

    @Sendable
    func text(_ bytes: Bytes) throws(CharacteristicError) -> [String: String] {
        do { return try profile.text(bytes) } catch { throw .undecodable(error, bytes, from: uuid) }
    }
}
