// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The identifier of the device at the other end of a link, a peripheral or a central, across connections and runs of
/// the program.
///
/// On BlueZ and on the virtual radio the text is the device address (`"C0:DE:00:00:01:01"`, upper case); on Apple's
/// platforms it is the UUID that CoreBluetooth assigns instead of the address. It can be stored (it is `Codable`, as
/// plain text) and given to ``CentralManager/retrievePeripherals(withIdentifiers:timeout:)`` in a later run on the same
/// platform.
public struct PeerIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The representation. A device address is kept as a number, which needs no allocation, because dictionaries and
    /// comparisons use the identifier for every value and every sighting.
    private enum Form: Hashable {
        case address(UInt64)
        /// A text in upper case that is not an address.
        case text(String)
    }

    private let form: Form

    /// Creates an identifier from its text, in the form of ``text``.
    public init(_ text: String) {
        if let address = Self.address(text) {
            form = .address(address)
            return
        }
        // A single letter can become two in upper case (U+FB00 becomes "FF"), so the result may be an address.
        let text = text.uppercased()
        form = Self.address(text).map { .address($0) } ?? .text(text)
    }

    /// Creates the identifier of a device from its address, whose first octet is the highest; other bits are ignored.
    package init(address: UInt64) { form = .address(address & 0xFFFF_FFFF_FFFF) }

    /// The address of a device, six octets; nil for an identifier that is none.
    package var address: UInt64? { if case .address(let address) = form { address } else { nil } }

    /// A Boolean value that is true if the identifier is the address of a device: six octets.
    package var isAddress: Bool { address != nil }

    /// The identifier as text.
    public var text: String {
        switch form {
        case .address(let address): Self.text(address)
        case .text(let text): text
        }
    }

    /// Returns the number of an address, which is six octets separated by colons; nil for any other text.
    private static func address(_ text: String) -> UInt64? {
        let bytes = text.utf8
        guard bytes.count == 17 else { return nil }
        var number: UInt64 = 0
        var place = 0
        for byte in bytes {
            // Every third character is a colon.
            if place == 2 {
                guard byte == UInt8(ascii: ":") else { return nil }
                place = 0
                continue
            }
            guard let digit = digit(byte) else { return nil }
            number = number << 4 | UInt64(digit)
            place += 1
        }
        return number
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Returns the six octets of an address in upper case, separated by colons.
    private static func text(_ address: UInt64) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(17)
        for octet in stride(from: 40, through: 0, by: -8) {
            for shift in [octet + 4, octet] {
                let digit = UInt8(truncatingIfNeeded: address >> UInt64(shift)) & 0xF
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
            }
            if octet > 0 { bytes.append(UInt8(ascii: ":")) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The identifier as text.
    public var description: String { text }

    /// Returns a Boolean value that is true if both identifiers have the same text.
    public static func == (left: Self, right: Self) -> Bool { left.form == right.form }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        switch form {
        case .address(let address): hasher.combine(address)
        case .text(let text): hasher.combine(text)
        }
    }

    /// Returns a Boolean value that is true if the left text sorts before the right.
    public static func < (left: Self, right: Self) -> Bool {
        // The order of hexadecimal digits is the order of their characters.
        if case (.address(let left), .address(let right)) = (left.form, right.form) { return left < right }
        return left.text < right.text
    }
}

extension PeerIdentifier: Codable {
    /// Creates an identifier from the plain text.
    public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

    /// Writes the plain text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension PeerIdentifier: CodingKeyRepresentable {
    /// The plain text, so that dictionaries with identifiers as keys are coded as objects.
    public var codingKey: any CodingKey { TextKey(stringValue: text) }

    /// Creates an identifier from the plain text; never nil.
    public init?<Key: CodingKey>(codingKey: Key) { self.init(codingKey.stringValue) }
}

extension PeerIdentifier: ExpressibleByStringLiteral {
    /// Creates an identifier from its text.
    public init(stringLiteral value: String) { self.init(value) }
}

/// The former name of ``PeerIdentifier``, which also identifies centrals.
@available(*, deprecated, renamed: "PeerIdentifier")
public typealias PeripheralIdentifier = PeerIdentifier
