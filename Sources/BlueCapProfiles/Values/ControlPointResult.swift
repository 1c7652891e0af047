// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The outcome of a control point's request (GATT Specification Supplement; the services' own lists of response
/// values).
public struct ControlPointResult: AssignedNumber {
    /// The number as it is sent.
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The procedure has succeeded.
    public static let success = Self(rawValue: 1)
    /// The device does not know the op code.
    public static let opCodeNotSupported = Self(rawValue: 2)
    /// The parameter is not what the op code allows.
    public static let invalidParameter = Self(rawValue: 3)
    /// The device could not do it.
    public static let operationFailed = Self(rawValue: 4)
    /// The user has not consented (User Data Service only).
    public static let userNotAuthorized = Self(rawValue: 5)

    public static let assigned: [(Self, String)] = [
        (.success, "Success"), (.opCodeNotSupported, "Op Code not supported"), (.invalidParameter, "Invalid Parameter"),
        (.operationFailed, "Operation Failed"), (.userNotAuthorized, "User Not Authorized"),
    ]
}
