// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension UserDataService {
    /// Registration and consent of users (User Data Service 1.0, 3.4; GATT Specification Supplement, User Control
    /// Point).
    ///
    /// One byte of op code, then its parameter; numbers are little-endian. A user's data can be had only after the user
    /// has consented on this link.
    public struct ControlPoint: ControlPointValue {
        /// The UUID that is assigned to the attribute: 2A9F.
        public static let uuid: BluetoothUUID = "2A9F"
        /// The name of the characteristic.
        public static let name = "User Control Point"
        /// The answer to a procedure (Response Code).
        public static let responseCode = OpCode.responseCode

        /// What is asked, or that this is the answer.
        public var opCode: OpCode
        /// What belongs to the op code, as it is sent.
        public var parameter: Bytes

        /// A value from its op code and the parameter as it is sent.
        public init(opCode: OpCode, parameter: Bytes = []) { (self.opCode, self.parameter) = (opCode, parameter) }

        /// A new user with a consent code, 0 through 9999; the answer has the user's index, a `UInt8`.
        public static func registerNewUser(consentCode: UInt16) -> Self {
            Self(opCode: .registerNewUser, parameter: SerDe.serialize(consentCode))
        }

        /// Consent of a user, by the code of the registration.
        public static func consent(user: UInt8, consentCode: UInt16) -> Self {
            Self(opCode: .consent, parameter: [user] + SerDe.serialize(consentCode))
        }

        /// Deletes the data of the user who has consented.
        public static let deleteUserData = Self(opCode: .deleteUserData)

        /// What can be asked.
        public struct OpCode: AssignedNumber {
            /// The number as it is sent.
            public let rawValue: UInt8

            /// An op code from the number as it is sent.
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
            /// The answer to a request.
            public static let responseCode = Self(rawValue: 32)

            /// The op codes that have names.
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
