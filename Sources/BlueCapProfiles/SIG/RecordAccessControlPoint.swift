// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The control point through which stored measurements are had again (GATT Specification Supplement, Record Access
/// Control Point; Glucose Service 1.0, 3.4; Pulse Oximeter Service 1.0, 3.4).
///
/// One byte of op code, one of operator, then the operand; numbers are little-endian. The measurements come as
/// notifications or indications of the measurement's own characteristic, and then the answer here.
public struct RecordAccessControlPoint: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
    /// The UUID that is assigned to the characteristic: 2A52.
    public static let uuid: BluetoothUUID = "2A52"
    /// The name of the characteristic.
    public static let name = "Record Access Control Point"
    /// Write with response, and indicate.
    public static let properties: CharacteristicProperties = [.write, .indicate]
    /// Any central may write; none may read.
    public static let permissions: AttributePermissions = [.writeable]

    /// What is asked, or that this is an answer.
    public var opCode: OpCode
    /// Which records are meant, and their limits.
    public var filter: Filter

    /// A value from its op code and the records that it is about; in answers the filter's operator is null and its
    /// operand is the answer.
    public init(opCode: OpCode, filter: Filter = .null) { (self.opCode, self.filter) = (opCode, filter) }

    /// Op code 0, which is reserved.
    public init() { self.init(opCode: OpCode(rawValue: 0)) }

    #if !hasFeature(Embedded)
    /// `opCode` and `operator` by name, and `operand` in hexadecimal when there is one.
    public static let textFields: [TextField<Self>] = [
        TextField(choice: "opCode", \.opCode),
        TextField(choice: "operator", \.filter.operator),
        TextField(
            "operand", isOptional: true, text: { $0.filter.operand.isEmpty ? nil : $0.filter.operand.hex },
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

    /// Two, and the size of the operand.
    public var encodedByteCount: Int { 2 + filter.operand.count }

    /// Appends the op code, the operator and the operand.
    public func encode(into output: inout OutputRawSpan) {
        output.write(opCode.rawValue)
        output.write(filter.operator.rawValue)
        output.write(filter.operand)
    }
}

extension RecordAccessControlPoint {
    /// Which records are meant.
    public struct Filter: Hashable, Sendable {
        /// How the operand is to be taken.
        public var `operator`: Operator
        /// The limits, as they are sent: one byte that tells what is compared, then one or two numbers; empty where the
        /// operator needs none.
        public var operand: Bytes

        /// A filter from an operator and its operand as it is sent.
        public init(operator: Operator, operand: Bytes = []) { (self.operator, self.operand) = (`operator`, operand) }

        /// No records: where the op code needs none.
        public static let null = Self(operator: .null)
        /// All records.
        public static let all = Self(operator: .all)
        /// The oldest record.
        public static let first = Self(operator: .first)
        /// The most recent record.
        public static let last = Self(operator: .last)

        /// The records up to a sequence number, with it (Glucose Service).
        public static func sequenceNumbers(_ numbers: PartialRangeThrough<UInt16>) -> Self {
            Self(operator: .lessThanOrEqual, operand: [1] + SerDe.serialize(numbers.upperBound))
        }

        /// The records from a sequence number on, with it (Glucose Service).
        public static func sequenceNumbers(_ numbers: PartialRangeFrom<UInt16>) -> Self {
            Self(operator: .greaterThanOrEqual, operand: [1] + SerDe.serialize(numbers.lowerBound))
        }

        /// The records from one sequence number through another (Glucose Service).
        public static func sequenceNumbers(_ numbers: ClosedRange<UInt16>) -> Self {
            Self(
                operator: .within,
                operand: [1] + SerDe.serialize(numbers.lowerBound) + SerDe.serialize(numbers.upperBound))
        }

        /// The records up to a time as the user sees it, with it (Glucose Service).
        public static func userFacingTimes(through time: DateTime) -> Self {
            Self(operator: .lessThanOrEqual, operand: [2] + SerDe.serialize(time))
        }

        /// The records from a time as the user sees it on, with it (Glucose Service).
        public static func userFacingTimes(from time: DateTime) -> Self {
            Self(operator: .greaterThanOrEqual, operand: [2] + SerDe.serialize(time))
        }

        /// The records from one time as the user sees it through another (Glucose Service).
        public static func userFacingTimes(from first: DateTime, through last: DateTime) -> Self {
            Self(operator: .within, operand: [2] + SerDe.serialize(first) + SerDe.serialize(last))
        }
    }

    /// Sends the records.
    public static func reportStoredRecords(_ filter: Filter) -> Self {
        Self(opCode: .reportStoredRecords, filter: filter)
    }

    /// Deletes the records.
    public static func deleteStoredRecords(_ filter: Filter) -> Self {
        Self(opCode: .deleteStoredRecords, filter: filter)
    }

    /// Ends what goes on.
    public static let abortOperation = Self(opCode: .abortOperation)

    /// Counts the records.
    public static func reportNumberOfStoredRecords(_ filter: Filter) -> Self {
        Self(opCode: .reportNumberOfStoredRecords, filter: filter)
    }

    /// The answer to a count.
    public static func numberOfStoredRecords(_ count: UInt16) -> Self {
        Self(opCode: .numberOfStoredRecordsResponse, filter: Filter(operator: .null, operand: SerDe.serialize(count)))
    }

    /// The answer to any other request.
    public static func response(to request: OpCode, _ result: Result) -> Self {
        Self(
            opCode: .responseCode,
            filter: Filter(operator: .null, operand: [request.rawValue, result.rawValue]))
    }

    /// How many records there are, when this is the answer to a count.
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
