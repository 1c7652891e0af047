// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Identifies the device at the other end of a link, a peripheral or a central, across connections and runs of the
/// program.
///
/// On BlueZ and on the virtual radio the text is the device address (`"C0:DE:00:00:01:01"`, upper case); on Apple's
/// platforms it is the UUID that CoreBluetooth gives out instead of the address. It can be stored (it is `Codable`, as
/// plain text) and given to ``CentralManager/retrievePeripherals(withIdentifiers:timeout:)`` in a later run on the same
/// platform.
public struct PeerIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// A device address is kept as a number: it takes no room of its own, and is what dictionaries and comparisons look
    /// at for every value and every sighting.
    private enum Form: Hashable {
        case address(UInt64)
        /// In upper case, and no address.
        case text(String)
    }

    private let form: Form

    /// An identifier from its text, as ``text`` gave it.
    public init(_ text: String) {
        if let address = Self.address(text) {
            form = .address(address)
            return
        }
        // There are letters that become two of the alphabet's.
        let text = text.uppercased()
        form = Self.address(text).map { .address($0) } ?? .text(text)
    }

    /// Whether it is the address of a device: six octets.
    package var isAddress: Bool {
        if case .address = form { true } else { false }
    }

    /// The identifier as text.
    public var text: String {
        switch form {
        case .address(let address): Self.text(address)
        case .text(let text): text
        }
    }

    /// The number that six octets with colons between stand for; nil for any other text.
    private static func address(_ text: String) -> UInt64? {
        let bytes = text.utf8
        guard bytes.count == 17 else { return nil }
        var number: UInt64 = 0
        var place = 0
        for byte in bytes {
            // Each third is a colon.
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

    /// The six octets of an address in upper case with colons between.
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

    /// Whether both have the same text.
    public static func == (left: Self, right: Self) -> Bool { left.form == right.form }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        switch form {
        case .address(let address): hasher.combine(address)
        case .text(let text): hasher.combine(text)
        }
    }

    /// Orders by the text.
    public static func < (left: Self, right: Self) -> Bool {
        // The digits of an address stand in the order of their characters.
        if case (.address(let left), .address(let right)) = (left.form, right.form) { return left < right }
        return left.text < right.text
    }
}

extension PeerIdentifier: Codable {
    /// Reads the plain text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the plain text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension PeerIdentifier: CodingKeyRepresentable {
    /// The plain text, so that dictionaries with identifiers as keys are coded as objects.
    public var codingKey: any CodingKey { TextKey(stringValue: text) }

    /// Reads the plain text; never nil.
    public init?<Key: CodingKey>(codingKey: Key) { self.init(codingKey.stringValue) }
}

extension PeerIdentifier: ExpressibleByStringLiteral {
    /// An identifier from its text.
    public init(stringLiteral value: String) { self.init(value) }
}

/// The former name of ``PeerIdentifier``, which identifies centrals, too.
@available(*, deprecated, renamed: "PeerIdentifier")
public typealias PeripheralIdentifier = PeerIdentifier
