// SPDX-License-Identifier: MIT

public import Foundation

/// An error of the Attribute Protocol. Delegates receive an `NSError` of this domain (F5).
public struct CBATTError: CustomNSError, Hashable, Error, Sendable {
    /// A code of CBATTError. An imported enum takes every raw value, so this is a structure (language rule 1).
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        /// Never nil, as that of an imported enum.
        public init?(rawValue: Int) { self.rawValue = rawValue }

        init(code: Int) { rawValue = code }

        public static let success = Self(code: 0)
        public static let invalidHandle = Self(code: 1)
        public static let readNotPermitted = Self(code: 2)
        public static let writeNotPermitted = Self(code: 3)
        public static let invalidPdu = Self(code: 4)
        public static let insufficientAuthentication = Self(code: 5)
        public static let requestNotSupported = Self(code: 6)
        public static let invalidOffset = Self(code: 7)
        public static let insufficientAuthorization = Self(code: 8)
        public static let prepareQueueFull = Self(code: 9)
        public static let attributeNotFound = Self(code: 10)
        public static let attributeNotLong = Self(code: 11)
        public static let insufficientEncryptionKeySize = Self(code: 12)
        public static let invalidAttributeValueLength = Self(code: 13)
        public static let unlikelyError = Self(code: 14)
        public static let insufficientEncryption = Self(code: 15)
        public static let unsupportedGroupType = Self(code: 16)
        public static let insufficientResources = Self(code: 17)
    }

    public static var errorDomain: String { CBATTErrorDomain }

    public let code: Code
    private let information: [String: String]

    /// An error with a code. Of `userInfo` the values that are text are kept.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        information = userInfo.compactMapValues { $0 as? String }
    }

    public var userInfo: [String: Any] { information }

    public var errorCode: Int { code.rawValue }

    public var errorUserInfo: [String: Any] { information }

    public static var success: Code { .success }
    public static var invalidHandle: Code { .invalidHandle }
    public static var readNotPermitted: Code { .readNotPermitted }
    public static var writeNotPermitted: Code { .writeNotPermitted }
    public static var invalidPdu: Code { .invalidPdu }
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    public static var requestNotSupported: Code { .requestNotSupported }
    public static var invalidOffset: Code { .invalidOffset }
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    public static var prepareQueueFull: Code { .prepareQueueFull }
    public static var attributeNotFound: Code { .attributeNotFound }
    public static var attributeNotLong: Code { .attributeNotLong }
    public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
    public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
    public static var unlikelyError: Code { .unlikelyError }
    public static var insufficientEncryption: Code { .insufficientEncryption }
    public static var unsupportedGroupType: Code { .unsupportedGroupType }
    public static var insufficientResources: Code { .insufficientResources }
}
