// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Identifies the device at the other end of a link, a peripheral or a central, across connections and runs of the program.
///
/// On BlueZ and on the virtual radio the text is the device address (`"C0:DE:00:00:01:01"`, upper case); on Apple's
/// platforms it is the UUID that CoreBluetooth gives out instead of the address. It can be stored (it is `Codable`, as
/// plain text) and given to ``CentralManager/retrievePeripherals(withIdentifiers:)`` in a later run on the same platform.
public struct PeerIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The identifier as text.
    public let text: String
    /// The text as a number, where it is a device address: what dictionaries and comparisons look at, for every value and
    /// every sighting.
    private let address: UInt64?

    /// An identifier from its text, as ``text`` gave it.
    public init(_ text: String) {
        self.text = text.uppercased()
        address = Self.address(self.text)
    }

    /// The number that six octets in upper case with colons between stand for; nil for any other text.
    private static func address(_ text: String) -> UInt64? {
        let bytes = text.utf8
        guard bytes.count == 17 else { return nil }
        var number: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            switch (index % 3, byte) {
            case (2, UInt8(ascii: ":")): break
            case (0...1, UInt8(ascii: "0")...UInt8(ascii: "9")): number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
            case (0...1, UInt8(ascii: "A")...UInt8(ascii: "F")):
                number = number << 4 | UInt64(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        return number
    }

    /// The identifier as text.
    public var description: String { text }

    /// Whether both have the same text.
    public static func == (left: Self, right: Self) -> Bool {
        left.address == right.address && (left.address != nil || left.text == right.text)
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        if let address { hasher.combine(address) } else { hasher.combine(text) }
    }

    /// Orders by the text.
    public static func < (left: Self, right: Self) -> Bool {
        // The digits of an address stand in the order of their characters.
        if let left = left.address, let right = right.address { return left < right }
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
