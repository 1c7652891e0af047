// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension UserDataService {
    /// Registration and consent of users (User Data Service 1.0, 3.4; GATT Specification Supplement, User Control
    /// Point).
    ///
    /// One byte of op code, then its parameter; numbers are little-endian. A user's data can be had only after the user
    /// has consented on this link.
    public struct ControlPoint: ControlPointValue {
        public static let uuid: BluetoothUUID = "2A9F"
        public static let name = "User Control Point"
        public static let responseCode = OpCode.responseCode

        public var opCode: OpCode
        public var parameter: Bytes

        public init(opCode: OpCode, parameter: Bytes = []) { (self.opCode, self.parameter) = (opCode, parameter) }

        /// Returns a request to register a new user with a consent code, 0 to 9999. The response has the user's index,
        /// a `UInt8`.
        public static func registerNewUser(consentCode: UInt16) -> Self {
            Self(opCode: .registerNewUser, parameter: SerDe.serialize(consentCode))
        }

        /// Returns a request to give consent for a user.
        ///
        /// - Parameters:
        ///   - user: The index of the user.
        ///   - consentCode: The consent code of the registration, 0 to 9999.
        public static func consent(user: UInt8, consentCode: UInt16) -> Self {
            Self(opCode: .consent, parameter: [user] + SerDe.serialize(consentCode))
        }

        /// A request to delete the data of the user who has consented.
        public static let deleteUserData = Self(opCode: .deleteUserData)

        /// The procedures of the control point.
        public struct OpCode: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// Make a new user: a `UInt16` of consent code.
            public static let registerNewUser = Self(rawValue: 1)
            /// Let this link have a user's data: a `UInt8` of index and a `UInt16` of consent code.
            public static let consent = Self(rawValue: 2)
            /// Delete the data of the user who has consented.
            public static let deleteUserData = Self(rawValue: 3)
            /// Send all users.
            public static let listAllUsers = Self(rawValue: 4)
            /// Delete one or all users: a `UInt8` of index, 255 for all.
            public static let deleteUsers = Self(rawValue: 5)
            /// The response to a request.
            public static let responseCode = Self(rawValue: 32)

            public static let assigned: [(Self, String)] = [
                (.registerNewUser, "Register New User"),
                (.consent, "Consent"),
                (.deleteUserData, "Delete User Data"),
                (.listAllUsers, "List All Users"),
                (.deleteUsers, "Delete Users"),
                (.responseCode, "Response Code"),
            ]
        }
    }
}
