/// Names one peripheral, stably over connections and runs of the program.
///
/// On BlueZ and on the virtual radio the text is the device address (`"C0:DE:00:00:01:01"`, upper case); on Apple's
/// platforms it is the UUID that CoreBluetooth gives out instead of the address. It can be stored (it is `Codable`, as
/// plain text) and given to ``CentralManager/retrievePeripherals(withIdentifiers:)`` in a later run on the same platform.
public struct PeripheralIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The identifier as text.
    public let text: String

    /// An identifier from its text, as ``text`` gave it.
    public init(_ text: String) {
        self.text = text.uppercased()
    }

    /// The identifier as text.
    public var description: String { text }

    /// Orders by the text.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension PeripheralIdentifier: Codable {
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

extension PeripheralIdentifier: ExpressibleByStringLiteral {
    /// An identifier from its text.
    public init(stringLiteral value: String) { self.init(value) }
}
