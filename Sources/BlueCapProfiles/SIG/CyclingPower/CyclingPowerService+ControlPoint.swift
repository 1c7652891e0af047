// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension CyclingPowerService {
    /// Settings and calibration (Cycling Power Service 1.1, 3; GATT Specification Supplement, Cycling Power Control
    /// Point).
    ///
    /// One byte of op code, then its parameter; numbers are little-endian.
    public struct ControlPoint: ControlPointValue {
        public static let uuid: BluetoothUUID = "2A66"
        public static let name = "Cycling Power Control Point"
        public static let responseCode = OpCode.responseCode

        public var opCode: OpCode
        public var parameter: Bytes

        public init(opCode: OpCode, parameter: Bytes = []) { (self.opCode, self.parameter) = (opCode, parameter) }

        /// The procedures of the control point.
        public struct OpCode: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// Set the wheel revolutions counted so far: a `UInt32`.
            public static let setCumulativeValue = Self(rawValue: 1)
            /// Tell the sensor where it is: a ``SensorLocation``.
            public static let updateSensorLocation = Self(rawValue: 2)
            /// Ask which locations the sensor knows; the answer has one byte for each.
            public static let requestSupportedSensorLocations = Self(rawValue: 3)
            /// Set the length of the crank: a `UInt16` of 1/2 mm.
            public static let setCrankLength = Self(rawValue: 4)
            /// Ask for the length of the crank: a `UInt16` of 1/2 mm.
            public static let requestCrankLength = Self(rawValue: 5)
            /// Set the length of the chain: a `UInt16` of mm.
            public static let setChainLength = Self(rawValue: 6)
            /// Ask for the length of the chain: a `UInt16` of mm.
            public static let requestChainLength = Self(rawValue: 7)
            /// Set the weight of the chain: a `UInt16` of g.
            public static let setChainWeight = Self(rawValue: 8)
            /// Ask for the weight of the chain: a `UInt16` of g.
            public static let requestChainWeight = Self(rawValue: 9)
            /// Set the length of the span: a `UInt16` of mm.
            public static let setSpanLength = Self(rawValue: 10)
            /// Ask for the length of the span: a `UInt16` of mm.
            public static let requestSpanLength = Self(rawValue: 11)
            /// Compensate the offset; the answer is the force (N) or torque (1/32 N m) before, an `Int16`.
            public static let startOffsetCompensation = Self(rawValue: 12)
            /// Leave fields out of the measurements: a `UInt16` with a bit for each.
            public static let maskMeasurementContent = Self(rawValue: 13)
            /// Ask how often the sensor measures: a `UInt8` of Hz.
            public static let requestSamplingRate = Self(rawValue: 14)
            /// Ask when the sensor was calibrated in the factory: a `DateTime`.
            public static let requestFactoryCalibrationDate = Self(rawValue: 15)
            /// Compensate the offset, with a longer answer.
            public static let startEnhancedOffsetCompensation = Self(rawValue: 16)
            /// The response to a request.
            public static let responseCode = Self(rawValue: 32)

            public static let assigned: [(Self, String)] = [
                (.setCumulativeValue, "Set Cumulative Value"), (.updateSensorLocation, "Update Sensor Location"),
                (.requestSupportedSensorLocations, "Request Supported Sensor Locations"),
                (.setCrankLength, "Set Crank Length"), (.requestCrankLength, "Request Crank Length"),
                (.setChainLength, "Set Chain Length"), (.requestChainLength, "Request Chain Length"),
                (.setChainWeight, "Set Chain Weight"), (.requestChainWeight, "Request Chain Weight"),
                (.setSpanLength, "Set Span Length"), (.requestSpanLength, "Request Span Length"),
                (.startOffsetCompensation, "Start Offset Compensation"),
                (.maskMeasurementContent, "Mask Cycling Power Measurement Characteristic Content"),
                (.requestSamplingRate, "Request Sampling Rate"),
                (.requestFactoryCalibrationDate, "Request Factory Calibration Date"),
                (.startEnhancedOffsetCompensation, "Start Enhanced Offset Compensation"),
                (.responseCode, "Response Code"),
            ]
        }

        /// Returns a request to set the wheel revolutions counted so far.
        public static func setCumulativeValue(_ revolutions: UInt32) -> Self {
            Self(opCode: .setCumulativeValue, parameter: SerDe.serialize(revolutions))
        }

        /// Returns a request to set the location of the sensor.
        public static func updateSensorLocation(_ location: SensorLocation) -> Self {
            Self(opCode: .updateSensorLocation, parameter: [location.rawValue])
        }

        /// Returns a request to set the length of the crank in millimetres, in steps of 1/2.
        public static func setCrankLength(_ millimetres: Scaled<UInt16, Per2>) -> Self {
            Self(opCode: .setCrankLength, parameter: SerDe.serialize(millimetres))
        }

        /// Returns a request to set the length of the chain in millimetres.
        public static func setChainLength(_ millimetres: UInt16) -> Self {
            Self(opCode: .setChainLength, parameter: SerDe.serialize(millimetres))
        }

        /// Returns a request to set the weight of the chain in grams.
        public static func setChainWeight(_ grams: UInt16) -> Self {
            Self(opCode: .setChainWeight, parameter: SerDe.serialize(grams))
        }

        /// Returns a request to set the length of the span in millimetres.
        public static func setSpanLength(_ millimetres: UInt16) -> Self {
            Self(opCode: .setSpanLength, parameter: SerDe.serialize(millimetres))
        }

        /// Returns a request to leave the fields whose bits are 1 out of the measurements.
        public static func maskMeasurementContent(_ fields: UInt16) -> Self {
            Self(opCode: .maskMeasurementContent, parameter: SerDe.serialize(fields))
        }
    }
}
