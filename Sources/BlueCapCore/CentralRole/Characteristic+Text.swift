// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Values as text, by the profile: names and texts of the value's parts, hexadecimal without a profile.
extension Characteristic {
    /// The name in the profile, for people; "Unknown" without one.
    public var name: String { profile.name }

    /// The texts that the value can have, when they are few (an enumeration's cases); empty otherwise.
    public var stringValues: [String] { profile.stringValues }

    /// The text of the value read or notified last; nil before the first, and where ``value`` is not one that the
    /// profile knows.
    public var stringValue: [String: String]? { value.flatMap { profile.stringValue($0) } }

    /// Reads the value and gives its text.
    ///
    /// - Parameter timeout: As for ``read(timeout:)``.
    /// - Returns: The texts of the value's parts by their names.
    /// - Throws: `.undecodable` with the bytes where the profile knows no such value, else as ``read(timeout:)``.
    public func readStringValue(timeout: Duration? = nil) async throws(CharacteristicError) -> [String: String] {
        try text(try await read(timeout: timeout))
    }

    /// Writes the value that a text stands for, as ``write(_:kind:timeout:)-(Bytes,_,_)`` writes its bytes.
    ///
    /// - Parameters:
    ///   - stringValue: The texts of all parts by their names, as ``stringValue`` gives them.
    ///   - kind: Whether the peer answers.
    ///   - timeout: As for ``read(timeout:)``.
    /// - Throws: `.notSerializable`, before anything is sent, when a part is missing or has no meaning; else as
    ///   ``write(_:kind:timeout:)-(Bytes,_,_)``.
    public func write(
        stringValue: [String: String], kind: WriteKind = .withResponse, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        guard let bytes = profile.bytes(fromString: stringValue) else { throw .notSerializable }
        try await write(bytes, kind: kind, timeout: timeout)
    }

    /// The notified values as text, by the profile; as
    /// ``notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``.
    ///
    /// - Parameters:
    ///   - capacity: How many values are kept for a slow loop; what is dropped is counted.
    ///   - onDisconnect: Whether the sequence ends with the connection or goes on after the next one.
    ///   - onUndecodable: What happens at bytes that the profile does not know as a value.
    ///   - transport: How values travel from the platform's service; the first listener's choice holds.
    ///   - timeout: How long switching on may take; nil for as long as the platform waits.
    ///   - valueTimeout: How long the loop waits for each value, one that is left out included; then the sequence
    ///     throws `.valueTimeout`. Nil for as long as it takes.
    /// - Throws: As ``notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``; the sequence throws
    ///   `.undecodable` at bytes that the profile does not know, unless it skips them.
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
