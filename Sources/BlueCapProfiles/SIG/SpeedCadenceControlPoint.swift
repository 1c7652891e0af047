// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The control point that the services for cycling and running speed and cadence share (Cycling Speed and Cadence
/// Service 1.0, 3.4; Running Speed and Cadence Service 1.0, 3.4; GATT Specification Supplement, SC Control Point).
///
/// One byte of op code, then its parameter; numbers are little-endian.
public struct SpeedCadenceControlPoint: ControlPointValue {
    /// The UUID that is assigned to the attribute: 2A55.
    public static let uuid: BluetoothUUID = "2A55"
    /// The name of the characteristic.
    public static let name = "SC Control Point"
    /// The answer to a procedure (Response Code).
    public static let responseCode = OpCode.responseCode

    /// What is asked, or that this is the answer.
    public var opCode: OpCode
    /// What belongs to the op code, as it is sent.
    public var parameter: Bytes

    /// A value from its op code and the parameter as it is sent.
    public init(opCode: OpCode, parameter: Bytes = []) { (self.opCode, self.parameter) = (opCode, parameter) }

    /// What can be asked.
    public struct OpCode: AssignedNumber {
        /// The number as it is sent.
        public let rawValue: UInt8

        /// An op code from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Set the distance or the revolutions counted so far: a `UInt32`.
        public static let setCumulativeValue = Self(rawValue: 1)
        /// Calibrate the sensor; running only.
        public static let startSensorCalibration = Self(rawValue: 2)
        /// Tell the sensor where it is: a ``SensorLocation``.
        public static let updateSensorLocation = Self(rawValue: 3)
        /// Ask which locations the sensor knows; the answer has one byte for each.
        public static let requestSupportedSensorLocations = Self(rawValue: 4)
        /// The answer to a request.
        public static let responseCode = Self(rawValue: 16)

        /// The op codes that have names.
        public static let assigned: [(Self, String)] = [
            (.setCumulativeValue, "Set Cumulative Value"), (.startSensorCalibration, "Start Sensor Calibration"),
            (.updateSensorLocation, "Update Sensor Location"),
            (.requestSupportedSensorLocations, "Request Supported Sensor Locations"),
            (.responseCode, "Response Code"),
        ]
    }

    /// Sets the count so far: wheel revolutions when cycling, 1/10 metre when running.
    public static func setCumulativeValue(_ value: UInt32) -> Self {
        Self(opCode: .setCumulativeValue, parameter: SerDe.serialize(value))
    }

    /// Calibrates the sensor; running only.
    public static var startSensorCalibration: Self { Self(opCode: .startSensorCalibration) }

    /// Tells the sensor where it is.
    public static func updateSensorLocation(_ location: SensorLocation) -> Self {
        Self(opCode: .updateSensorLocation, parameter: [location.rawValue])
    }

    /// Asks which locations the sensor knows.
    public static var requestSupportedSensorLocations: Self { Self(opCode: .requestSupportedSensorLocations) }
}
