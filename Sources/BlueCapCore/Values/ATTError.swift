// SPDX-License-Identifier: MIT

/// An error code of the Attribute Protocol (Core Specification, Vol 3, Part F, 3.4.1.1, and the Core Specification
/// Supplement, Part B, for the common profile and service codes).
///
/// The type represents every code that a peer can send; its static members are the codes with a name.
public struct ATTError: Error, RawRepresentable, Sendable, Hashable, Codable {
    /// The code as it is in the Error Response.
    public let rawValue: UInt8

    /// Creates the error with a code; any code is valid.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// 0x00, not an error; answers a request that succeeded.
    public static let success = Self(rawValue: 0x00)
    /// 0x01, the attribute handle is not valid on this server.
    public static let invalidHandle = Self(rawValue: 0x01)
    /// 0x02, the attribute cannot be read.
    public static let readNotPermitted = Self(rawValue: 0x02)
    /// 0x03, the attribute cannot be written.
    public static let writeNotPermitted = Self(rawValue: 0x03)
    /// 0x04, the attribute PDU was not valid.
    public static let invalidPDU = Self(rawValue: 0x04)
    /// 0x05, the attribute needs an authenticated link.
    public static let insufficientAuthentication = Self(rawValue: 0x05)
    /// 0x06, the server does not support the request.
    public static let requestNotSupported = Self(rawValue: 0x06)
    /// 0x07, the offset is past the end of the value.
    public static let invalidOffset = Self(rawValue: 0x07)
    /// 0x08, the central is not authorized.
    public static let insufficientAuthorization = Self(rawValue: 0x08)
    /// 0x09, too many prepared writes are queued.
    public static let prepareQueueFull = Self(rawValue: 0x09)
    /// 0x0A, no attribute in the given handle range.
    public static let attributeNotFound = Self(rawValue: 0x0A)
    /// 0x0B, the attribute cannot be read or written in parts.
    public static let attributeNotLong = Self(rawValue: 0x0B)
    /// 0x0C, the encryption key is too short.
    public static let insufficientEncryptionKeySize = Self(rawValue: 0x0C)
    /// 0x0D, the value's length is wrong for the attribute.
    public static let invalidAttributeValueLength = Self(rawValue: 0x0D)
    /// 0x0E, the request met an error that was not expected.
    public static let unlikelyError = Self(rawValue: 0x0E)
    /// 0x0F, the attribute needs an encrypted link.
    public static let insufficientEncryption = Self(rawValue: 0x0F)
    /// 0x10, the type is not a grouping attribute.
    public static let unsupportedGroupType = Self(rawValue: 0x10)
    /// 0x11, the server lacks the resources.
    public static let insufficientResources = Self(rawValue: 0x11)
    /// 0x12, the database changed: discover again.
    public static let databaseOutOfSync = Self(rawValue: 0x12)
    /// 0x13, the value is not allowed.
    public static let valueNotAllowed = Self(rawValue: 0x13)
    /// 0xFC, the write was rejected (common profile code).
    public static let writeRequestRejected = Self(rawValue: 0xFC)
    /// 0xFD, the client characteristic configuration is improper (common profile code).
    public static let clientConfigurationImproper = Self(rawValue: 0xFD)
    /// 0xFE, a procedure of this profile is already running (common profile code).
    public static let procedureAlreadyInProgress = Self(rawValue: 0xFE)
    /// 0xFF, the value is out of range (common profile code).
    public static let outOfRange = Self(rawValue: 0xFF)

    /// A Boolean value that is true if the code is defined by an application (0x80 to 0x9F).
    public var isApplicationError: Bool { (0x80...0x9F).contains(rawValue) }

    private static let texts: [UInt8: String] = [
        0x00: "success", 0x01: "invalid handle", 0x02: "read not permitted", 0x03: "write not permitted",
        0x04: "invalid PDU", 0x05: "insufficient authentication", 0x06: "request not supported",
        0x07: "invalid offset", 0x08: "insufficient authorization", 0x09: "prepare queue full",
        0x0A: "attribute not found", 0x0B: "attribute not long", 0x0C: "encryption key size too short",
        0x0D: "invalid attribute value length", 0x0E: "unlikely error", 0x0F: "insufficient encryption",
        0x10: "unsupported group type", 0x11: "insufficient resources", 0x12: "database out of sync",
        0x13: "value not allowed", 0xFC: "write request rejected",
        0xFD: "client characteristic configuration descriptor improperly configured",
        0xFE: "procedure already in progress", 0xFF: "out of range",
    ]
}

extension ATTError: CustomStringConvertible {
    /// The code's text with its number: `"invalid offset (0x07)"`.
    public var description: String {
        let hex = String(rawValue, radix: 16, uppercase: true)
        return "\(text) (0x\(rawValue < 0x10 ? "0" : "")\(hex))"
    }

    /// The specification's text for the code.
    public var text: String {
        if let text = Self.texts[rawValue] { return text }
        switch rawValue {
        case 0x80...0x9F: return "application error"
        case 0xE0...0xFB: return "common profile or service error"
        default: return "reserved error code"
        }
    }
}
