// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The control point through which stored measurements are read again (GATT Specification Supplement, Record Access
/// Control Point; Glucose Service 1.0, 3.4; Pulse Oximeter Service 1.0, 3.4).
///
/// One byte of op code, one of operator, then the operand; numbers are little-endian. The measurements come as
/// notifications or indications of the measurement's own characteristic, and then the answer here.
public struct RecordAccessControlPoint: ControlPointMessage, CharacteristicConfigurable, TextFieldCoding {
    public static let uuid: BluetoothUUID = "2A52"
    public static let name = "Record Access Control Point"
    public static let properties: CharacteristicProperties = [.write, .indicate]
    public static let permissions: AttributePermissions = [.writeable]

    public var opCode: OpCode
    /// The filter that selects records.
    public var filter: Filter

    /// Creates a value from an op code and the records that it concerns.
    ///
    /// - Parameters:
    ///   - opCode: The procedure that is requested, or the mark of a response.
    ///   - filter: The records that the request concerns. In a response its operator is null and its operand holds the
    ///     response.
    public init(opCode: OpCode, filter: Filter = .null) { (self.opCode, self.filter) = (opCode, filter) }

    /// Op code 0, which is reserved.
    public init() { self.init(opCode: OpCode(rawValue: 0)) }

    #if !hasFeature(Embedded)
    public static let textFields: [TextField<Self>] = [
        TextField(choice: "opCode", \.opCode),
        TextField(choice: "operator", \.filter.operator),
        TextField(
            "operand", isNumber: false, isOptional: true,
            text: { $0.filter.operand.isEmpty ? nil : $0.filter.operand.hex },
            parse: { value, text in
                guard let operand = try? Bytes(hex: text) else { return false }
                value.filter.operand = operand
                return true
            }),
    ]
    #endif

    /// Reads the op code and the operator, and takes all bytes behind them as the operand.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        opCode = OpCode(rawValue: try reader.read())
        filter = Filter(operator: Operator(rawValue: try reader.read()), operand: try reader.read())
    }

    public var encodedByteCount: Int { 2 + filter.operand.count }

    public func encode(into output: inout OutputRawSpan) {
        output.write(fields: opCode.rawValue, filter.operator.rawValue, filter.operand)
    }
}

extension RecordAccessControlPoint {
    /// A filter that selects records.
    public struct Filter: Hashable, Sendable {
        /// The comparison that the operand is for.
        public var `operator`: Operator
        /// The limits, as they are sent: one byte that names the field to compare, then one or two numbers; empty where
        /// the operator needs none.
        public var operand: Bytes

        /// Creates a filter from an operator and its operand.
        ///
        /// - Parameters:
        ///   - operator: The comparison that selects records.
        ///   - operand: The operand as it is sent: one byte that names the field to compare, then one or two numbers,
        ///     little-endian; empty where the operator needs none.
        public init(operator: Operator, operand: Bytes = []) { (self.operator, self.operand) = (`operator`, operand) }

        /// No records: where the op code needs none.
        public static let null = Self(operator: .null)
        /// All records that are stored.
        public static let all = Self(operator: .all)
        /// The oldest record.
        public static let first = Self(operator: .first)
        /// The most recent record.
        public static let last = Self(operator: .last)

        /// Returns the filter for records up to a sequence number, included (Glucose Service).
        public static func sequenceNumbers(_ numbers: PartialRangeThrough<UInt16>) -> Self {
            Self(operator: .lessThanOrEqual, operand: [1] + SerDe.serialize(numbers.upperBound))
        }

        /// Returns the filter for records from a sequence number, included (Glucose Service).
        public static func sequenceNumbers(_ numbers: PartialRangeFrom<UInt16>) -> Self {
            Self(operator: .greaterThanOrEqual, operand: [1] + SerDe.serialize(numbers.lowerBound))
        }

        /// Returns the filter for records between two sequence numbers, both included (Glucose Service).
        public static func sequenceNumbers(_ numbers: ClosedRange<UInt16>) -> Self {
            Self(
                operator: .within,
                operand: [1] + SerDe.serialize(numbers.lowerBound) + SerDe.serialize(numbers.upperBound))
        }

        /// Returns the filter for records up to a time as the user sees it, included (Glucose Service).
        public static func userFacingTimes(through time: DateTime) -> Self {
            Self(operator: .lessThanOrEqual, operand: [2] + SerDe.serialize(time))
        }

        /// Returns the filter for records from a time as the user sees it, included (Glucose Service).
        public static func userFacingTimes(from time: DateTime) -> Self {
            Self(operator: .greaterThanOrEqual, operand: [2] + SerDe.serialize(time))
        }

        /// Returns the filter for records between two times as the user sees them, both included (Glucose Service).
        ///
        /// - Parameters:
        ///   - first: The earliest time.
        ///   - last: The latest time.
        public static func userFacingTimes(from first: DateTime, through last: DateTime) -> Self {
            Self(operator: .within, operand: [2] + SerDe.serialize(first) + SerDe.serialize(last))
        }
    }

    /// Returns a request to send the records that the filter selects.
    public static func reportStoredRecords(_ filter: Filter) -> Self {
        Self(opCode: .reportStoredRecords, filter: filter)
    }

    /// Returns a request to delete the records that the filter selects.
    public static func deleteStoredRecords(_ filter: Filter) -> Self {
        Self(opCode: .deleteStoredRecords, filter: filter)
    }

    /// A request to end the operation that is in progress.
    public static let abortOperation = Self(opCode: .abortOperation)

    /// Returns a request to count the records that the filter selects.
    public static func reportNumberOfStoredRecords(_ filter: Filter) -> Self {
        Self(opCode: .reportNumberOfStoredRecords, filter: filter)
    }

    /// Returns the response to a count.
    public static func numberOfStoredRecords(_ count: UInt16) -> Self {
        Self(opCode: .numberOfStoredRecordsResponse, filter: Filter(operator: .null, operand: SerDe.serialize(count)))
    }

    /// Returns the response to any request but a count.
    ///
    /// - Parameters:
    ///   - request: The op code of the request.
    ///   - result: The outcome of the procedure.
    public static func response(to request: OpCode, _ result: Result) -> Self {
        Self(
            opCode: .responseCode,
            filter: Filter(operator: .null, operand: [request.rawValue, result.rawValue]))
    }

    /// The number of records, when this is the response to a count.
    public var numberOfStoredRecords: UInt16? {
        guard opCode == .numberOfStoredRecordsResponse else { return nil }
        return try? SerDe.deserialize(filter.operand)
    }

    /// The request that this answers, and how it went; nil when this is no such answer.
    public var response: (request: OpCode, result: Result)? {
        guard opCode == .responseCode, filter.operand.count >= 2 else { return nil }
        return (OpCode(rawValue: filter.operand[0]), Result(rawValue: filter.operand[1]))
    }
}

extension RecordAccessControlPoint {
    /// The result of a procedure that did what was asked: Success.
    public static let succeeded = Result.success

    /// The result of a procedure that did not: Procedure Not Completed.
    public static let failed = Result.procedureNotCompleted

    /// The request that ends the procedure which is under way: Abort Operation.
    public static let abort: Self? = abortOperation

    /// Creates the response to any request but a count that succeeded, for which there is
    /// ``numberOfStoredRecords(_:)``.
    ///
    /// - Parameters:
    ///   - request: The op code of the request.
    ///   - result: The outcome of the procedure.
    public init(to request: OpCode, _ result: Result) { self = .response(to: request, result) }

    /// The op code of the request and its result, when this is a response; a number of records is the response to a
    /// count that succeeded.
    public var outcome: (request: OpCode, result: Result)? {
        numberOfStoredRecords == nil ? response : (.reportNumberOfStoredRecords, .success)
    }
}
