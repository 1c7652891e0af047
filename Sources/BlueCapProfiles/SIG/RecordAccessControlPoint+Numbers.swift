// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension RecordAccessControlPoint {
    /// The procedures of the control point, and their responses.
    public struct OpCode: AssignedNumber {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Send the records that the filter selects.
        public static let reportStoredRecords = Self(rawValue: 1)
        /// Delete the records that the filter selects.
        public static let deleteStoredRecords = Self(rawValue: 2)
        /// End the operation that is in progress.
        public static let abortOperation = Self(rawValue: 3)
        /// Count the records that the filter selects.
        public static let reportNumberOfStoredRecords = Self(rawValue: 4)
        /// The response to a count.
        public static let numberOfStoredRecordsResponse = Self(rawValue: 5)
        /// The answer to any other request.
        public static let responseCode = Self(rawValue: 6)

        public static let assigned: [(Self, String)] = [
            (.reportStoredRecords, "Report Stored Records"),
            (.deleteStoredRecords, "Delete Stored Records"),
            (.abortOperation, "Abort Operation"),
            (.reportNumberOfStoredRecords, "Report Number of Stored Records"),
            (.numberOfStoredRecordsResponse, "Number of Stored Records Response"),
            (.responseCode, "Response Code"),
        ]
    }

    /// The comparison that the operand is for.
    public struct Operator: AssignedNumber {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// No operator, where the op code needs none.
        public static let null = Self(rawValue: 0)
        /// All records that are stored.
        public static let all = Self(rawValue: 1)
        /// The records up to a limit, with it.
        public static let lessThanOrEqual = Self(rawValue: 2)
        /// The records from a limit on, with it.
        public static let greaterThanOrEqual = Self(rawValue: 3)
        /// The records between two limits, with both.
        public static let within = Self(rawValue: 4)
        /// The oldest record.
        public static let first = Self(rawValue: 5)
        /// The most recent record.
        public static let last = Self(rawValue: 6)

        public static let assigned: [(Self, String)] = [
            (.null, "Null"),
            (.all, "All Records"),
            (.lessThanOrEqual, "Less Than or Equal To"),
            (.greaterThanOrEqual, "Greater Than or Equal To"),
            (.within, "Within Range Of"),
            (.first, "First Record"),
            (.last, "Last Record"),
        ]
    }

    /// The outcome of a request.
    public struct Result: AssignedNumber {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The procedure has succeeded.
        public static let success = Self(rawValue: 1)
        /// The device does not know the op code.
        public static let opCodeNotSupported = Self(rawValue: 2)
        /// The op code does not allow the operator.
        public static let invalidOperator = Self(rawValue: 3)
        /// The device does not know the operator.
        public static let operatorNotSupported = Self(rawValue: 4)
        /// The operator does not allow the operand.
        public static let invalidOperand = Self(rawValue: 5)
        /// No record meets the filter.
        public static let noRecordsFound = Self(rawValue: 6)
        /// The operation in progress could not be ended.
        public static let abortUnsuccessful = Self(rawValue: 7)
        /// The device could not finish.
        public static let procedureNotCompleted = Self(rawValue: 8)
        /// The device does not know the operand.
        public static let operandNotSupported = Self(rawValue: 9)

        public static let assigned: [(Self, String)] = [
            (.success, "Success"),
            (.opCodeNotSupported, "Op Code Not Supported"),
            (.invalidOperator, "Invalid Operator"),
            (.operatorNotSupported, "Operator Not Supported"),
            (.invalidOperand, "Invalid Operand"),
            (.noRecordsFound, "No Records Found"),
            (.abortUnsuccessful, "Abort Unsuccessful"),
            (.procedureNotCompleted, "Procedure Not Completed"),
            (.operandNotSupported, "Operand Not Supported"),
        ]
    }
}
