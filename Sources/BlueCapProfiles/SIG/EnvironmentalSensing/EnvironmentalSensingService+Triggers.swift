// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// The descriptor that holds the condition on which a characteristic is notified: one byte of condition, and its
    /// operand (Environmental Sensing Service 1.0, 3.1.2.2).
    ///
    /// A characteristic has up to three; ``Configuration`` defines how they are combined. Writing one can fail with the
    /// ATT errors 0x80, Write Request Rejected, and 0x81, Condition not supported.
    public struct TriggerSetting: ByteCodable, TextFieldCoding, Hashable {
        /// The UUID that is assigned to the attribute: 290D.
        public static let uuid: BluetoothUUID = "290D"
        /// The name of the descriptor.
        public static let name = "Environmental Sensing Trigger Setting"

        /// The condition for a notification.
        public var condition: Condition
        /// The operand of the condition: 24 bits of seconds, a value as the characteristic sends it, or nothing.
        public var operand: Bytes

        /// Creates a setting that never causes a notification.
        public init() { self.init(condition: .inactive) }

        /// Creates a setting.
        ///
        /// - Parameters:
        ///   - condition: The condition for a notification.
        ///   - operand: The operand of the condition, as it is sent.
        public init(condition: Condition, operand: Bytes = []) {
            (self.condition, self.operand) = (condition, operand)
        }

        /// A setting that never causes a notification.
        public static var inactive: Self { Self(condition: .inactive) }

        /// A setting that causes a notification whenever the value changes.
        public static var valueChange: Self { Self(condition: .valueChange) }

        /// Returns a setting that causes a notification once in the given number of seconds.
        public static func fixedInterval(seconds: UInt24) -> Self {
            Self(condition: .fixedInterval, operand: SerDe.serialize(seconds))
        }

        /// Returns a setting that causes at most one notification in the given number of seconds.
        public static func minimumInterval(seconds: UInt24) -> Self {
            Self(condition: .minimumInterval, operand: SerDe.serialize(seconds))
        }

        /// Returns a setting that causes notifications while the value compares with another.
        ///
        /// - Parameters:
        ///   - condition: One of those from ``Condition/lessThan`` through ``Condition/notEqual``.
        ///   - value: The value to compare with that of the characteristic, of the same type.
        @_disfavoredOverload
        public static func compare(_ condition: Condition, _ value: some ByteEncodable) -> Self {
            Self(condition: condition, operand: SerDe.serialize(value))
        }

        /// Asks for the type of a literal.
        @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
        public static func compare(_ condition: Condition, _ value: UntypedLiteral) -> Self {
            Self(condition: condition, operand: value.bytes)
        }

        /// The seconds of an interval; nil for other conditions.
        public var seconds: UInt24? {
            guard condition == .fixedInterval || condition == .minimumInterval else { return nil }
            return try? SerDe.deserialize(operand, as: UInt24.self)
        }

        /// Returns the value to compare with; nil for other conditions, and when the operand is no such value.
        public func comparand<Value: ByteDecodable>(as type: Value.Type = Value.self) -> Value? {
            guard (Condition.lessThan.rawValue...Condition.notEqual.rawValue).contains(condition.rawValue) else {
                return nil
            }
            return try? SerDe.deserialize(operand, as: type)
        }

        /// Reads the condition and takes all bytes behind it as the operand.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            condition = Condition(rawValue: try reader.read())
            operand = try reader.read()
        }

        public var encodedByteCount: Int { 1 + operand.count }

        public func encode(into output: inout OutputRawSpan) { output.write(fields: condition.rawValue, operand) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField(choice: "condition", \.condition), .hex("operand", \.operand, isOptional: true),
        ]
        #endif

        /// A condition for notifications of a characteristic.
        public struct Condition: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// Notifications are never sent.
            public static let inactive = Self(rawValue: 0)
            /// One notification in the given number of seconds.
            public static let fixedInterval = Self(rawValue: 1)
            /// At most one notification in the given number of seconds.
            public static let minimumInterval = Self(rawValue: 2)
            /// Whenever the value is another than before.
            public static let valueChange = Self(rawValue: 3)
            /// While the value is less than the operand.
            public static let lessThan = Self(rawValue: 4)
            /// While it is at most the operand.
            public static let lessThanOrEqual = Self(rawValue: 5)
            /// While it is greater than the operand.
            public static let greaterThan = Self(rawValue: 6)
            /// While it is at least the operand.
            public static let greaterThanOrEqual = Self(rawValue: 7)
            /// While it is the operand.
            public static let equal = Self(rawValue: 8)
            /// While it is not the operand.
            public static let notEqual = Self(rawValue: 9)

            public static let assigned: [(Self, String)] = [
                (.inactive, "Inactive"), (.fixedInterval, "Fixed Interval"), (.minimumInterval, "Minimum Interval"),
                (.valueChange, "Value Change"), (.lessThan, "Less Than"), (.lessThanOrEqual, "Less Than or Equal"),
                (.greaterThan, "Greater Than"), (.greaterThanOrEqual, "Greater Than or Equal"), (.equal, "Equal"),
                (.notEqual, "Not Equal"),
            ]
        }
    }

    /// The descriptor that defines how trigger settings are combined: one byte (Environmental Sensing Service 1.0,
    /// 3.1.2.3). Other values are reserved and refused.
    public enum Configuration: UInt8, RawDeserializable, TextChoice {
        /// All conditions must hold.
        case all = 0
        /// One condition must hold.
        case any = 1

        public static let uuid: BluetoothUUID = "290B"
        public static let name = "Environmental Sensing Configuration"

        public var choice: String { self == .all ? "Boolean AND" : "Boolean OR" }
    }
}
