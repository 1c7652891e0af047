// SPDX-License-Identifier: MIT

public import Foundation

/// An error of CoreBluetooth. Delegates receive an `NSError` of this domain (F5).
public struct CBError: CustomNSError, Hashable, Error, Sendable {
    /// A code of CBError. An imported enum takes every raw value, so this is a structure (language rule 1).
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        /// Never nil, as that of an imported enum.
        public init?(rawValue: Int) { self.rawValue = rawValue }

        init(code: Int) { rawValue = code }

        public static let unknown = Self(code: 0)
        public static let invalidParameters = Self(code: 1)
        public static let invalidHandle = Self(code: 2)
        public static let notConnected = Self(code: 3)
        public static let outOfSpace = Self(code: 4)
        public static let operationCancelled = Self(code: 5)
        public static let connectionTimeout = Self(code: 6)
        public static let peripheralDisconnected = Self(code: 7)
        public static let uuidNotAllowed = Self(code: 8)
        public static let alreadyAdvertising = Self(code: 9)
        public static let connectionFailed = Self(code: 10)
        public static let connectionLimitReached = Self(code: 11)
        public static let unkownDevice = Self(code: 12)
        public static let operationNotSupported = Self(code: 13)
        public static let peerRemovedPairingInformation = Self(code: 14)
        public static let encryptionTimedOut = Self(code: 15)
        public static let tooManyLEPairedDevices = Self(code: 16)
        public static let leGattExceededBackgroundNotificationLimit = Self(code: 17)
        public static let leGattNearBackgroundNotificationLimit = Self(code: 18)
    }

    public static var errorDomain: String { CBErrorDomain }

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

    public static var unknown: Code { .unknown }
    public static var invalidParameters: Code { .invalidParameters }
    public static var invalidHandle: Code { .invalidHandle }
    public static var notConnected: Code { .notConnected }
    public static var outOfSpace: Code { .outOfSpace }
    public static var operationCancelled: Code { .operationCancelled }
    public static var connectionTimeout: Code { .connectionTimeout }
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    public static var uuidNotAllowed: Code { .uuidNotAllowed }
    public static var alreadyAdvertising: Code { .alreadyAdvertising }
    public static var connectionFailed: Code { .connectionFailed }
    public static var connectionLimitReached: Code { .connectionLimitReached }
    public static var unkownDevice: Code { .unkownDevice }
    public static var operationNotSupported: Code { .operationNotSupported }
    public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
    public static var encryptionTimedOut: Code { .encryptionTimedOut }
    public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
    public static var leGattExceededBackgroundNotificationLimit: Code { .leGattExceededBackgroundNotificationLimit }
    public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
}
