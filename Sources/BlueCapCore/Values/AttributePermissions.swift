/// Who may read or write an attribute of a local GATT database (Core Specification, Vol 3, Part F, 3.2.5).
public struct AttributePermissions: OptionSet, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The bits.
    public let rawValue: UInt8

    /// A set from its bits; bits without a name are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Any central may read.
    public static let readable = Self(rawValue: 0x01)
    /// Any central may write.
    public static let writeable = Self(rawValue: 0x02)
    /// A central on an encrypted link may read.
    public static let readEncryptionRequired = Self(rawValue: 0x04)
    /// A central on an encrypted link may write.
    public static let writeEncryptionRequired = Self(rawValue: 0x08)

    private static let names: [(Self, String)] = [
        (.readable, "readable"), (.writeable, "writeable"), (.readEncryptionRequired, "readEncryptionRequired"),
        (.writeEncryptionRequired, "writeEncryptionRequired"),
    ]

    /// The names of the permissions, separated by commas.
    public var description: String {
        Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
