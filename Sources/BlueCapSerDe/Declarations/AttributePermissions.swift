// SPDX-License-Identifier: MIT

/// The conditions on which a central may read or write an attribute of a local GATT database (Core Specification, Vol
/// 3, Part F, 3.2.5).
///
/// Of several, the one that requires most counts. A central whose link does not meet it receives 0x05, Insufficient
/// Authentication, or 0x0F, Insufficient Encryption. Most centrals then pair and try again.
public struct AttributePermissions: OptionSet, Sendable, Hashable, CustomStringConvertible {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from its bits; bits without a name are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Any central may read.
    public static let readable = Self(rawValue: 0x01)
    /// Any central may write.
    public static let writeable = Self(rawValue: 0x02)
    /// A central on an encrypted link may read.
    public static let readEncryptionRequired = Self(rawValue: 0x04)
    /// A central on an encrypted link may write.
    public static let writeEncryptionRequired = Self(rawValue: 0x08)
    /// A central may read, or subscribe, on a link encrypted with an authenticated key: both users compared or typed
    /// digits when it was made. Just Works does not do. A `CBMutableCharacteristic` knows only encryption, and takes
    /// that.
    public static let readAuthenticationRequired = Self(rawValue: 0x10)
    /// A central on a link encrypted with an authenticated key may write.
    public static let writeAuthenticationRequired = Self(rawValue: 0x20)
    /// A central may read, or subscribe, on a link encrypted with an authenticated key of LE Secure Connections.
    public static let readSecureConnectionsRequired = Self(rawValue: 0x40)
    /// A central on a link encrypted with an authenticated key of LE Secure Connections may write.
    public static let writeSecureConnectionsRequired = Self(rawValue: 0x80)

    private static let names: [(permission: Self, name: String)] = [
        (.readable, "readable"), (.writeable, "writeable"), (.readEncryptionRequired, "readEncryptionRequired"),
        (.writeEncryptionRequired, "writeEncryptionRequired"),
        (.readAuthenticationRequired, "readAuthenticationRequired"),
        (.writeAuthenticationRequired, "writeAuthenticationRequired"),
        (.readSecureConnectionsRequired, "readSecureConnectionsRequired"),
        (.writeSecureConnectionsRequired, "writeSecureConnectionsRequired"),
    ]

    /// The one permission of a name; nil where none has it.
    package init?(name: String) {
        guard let permission = Self.names.first(where: { $0.name == name })?.permission else { return nil }
        self = permission
    }

    /// The names of the permissions, in the order of their bits.
    package var names: [String] { Self.names.filter { contains($0.permission) }.map { $0.name } }

    /// The names of the permissions, separated by commas.
    public var description: String { names.joined(separator: ", ") }
}

#if !hasFeature(Embedded)
extension AttributePermissions: Codable {}
#endif
