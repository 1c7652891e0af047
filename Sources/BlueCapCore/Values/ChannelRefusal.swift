// SPDX-License-Identifier: MIT

/// The result code with which a peer refuses a channel (Core Specification, Vol 3, Part A, 4.23).
///
/// The type represents every code that a peer can send; its static members are the codes with a name.
public struct ChannelRefusal: Error, RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The code as it is in the response.
    public let rawValue: UInt16

    /// Creates the refusal with a code; any code is valid.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 0x0002, the peer takes no channels on this PSM.
    public static let psmNotSupported = Self(rawValue: 0x0002)
    /// 0x0004, the peer has no resources left.
    public static let noResources = Self(rawValue: 0x0004)
    /// 0x0005, the devices have to be paired first.
    public static let insufficientAuthentication = Self(rawValue: 0x0005)
    /// 0x0006, the central is not authorized.
    public static let insufficientAuthorization = Self(rawValue: 0x0006)
    /// 0x0007, the encryption key is too short.
    public static let encryptionKeyTooShort = Self(rawValue: 0x0007)
    /// 0x0008, the link has to be encrypted first.
    public static let insufficientEncryption = Self(rawValue: 0x0008)
    /// 0x0009, the number of the channel's own end is out of range.
    public static let invalidSource = Self(rawValue: 0x0009)
    /// 0x000A, the number of the channel's own end is in use.
    public static let sourceInUse = Self(rawValue: 0x000A)
    /// 0x000B, the peer does not accept the lengths or credits.
    public static let unacceptableParameters = Self(rawValue: 0x000B)

    /// The meaning of the code, and the code in hexadecimal digits.
    public var description: String {
        let meaning =
            switch self {
            case .psmNotSupported: "it takes no channels on this PSM"
            case .noResources: "it has no resources left"
            case .insufficientAuthentication: "the devices have to be paired"
            case .insufficientAuthorization: "the central is not authorized"
            case .encryptionKeyTooShort: "the encryption key is too short"
            case .insufficientEncryption: "the link has to be encrypted"
            case .invalidSource: "the channel's number is out of range"
            case .sourceInUse: "the channel's number is in use"
            case .unacceptableParameters: "it does not accept the lengths"
            default: "it gave an unknown reason"
            }
        return "\(meaning) (0x\(String(rawValue, radix: 16, uppercase: true)))"
    }
}
