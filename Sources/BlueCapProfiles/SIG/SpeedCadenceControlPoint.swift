// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The control point that the services for cycling and running speed and cadence share (Cycling Speed and Cadence
/// Service 1.0, 3.4; Running Speed and Cadence Service 1.0, 3.4; GATT Specification Supplement, SC Control Point).
///
/// One byte of op code, then its parameter; numbers are little-endian.
public struct SpeedCadenceControlPoint: ControlPointValue {
    public static let uuid: BluetoothUUID = "2A55"
    public static let name = "SC Control Point"
    public static let responseCode = OpCode.responseCode

    public var opCode: OpCode
    public var parameter: Bytes

    public init(opCode: OpCode, parameter: Bytes = []) { (self.opCode, self.parameter) = (opCode, parameter) }

    /// The procedures of the control point.
    public struct OpCode: AssignedNumber {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Set the distance or the revolutions counted so far: a `UInt32`.
        public static let setCumulativeValue = Self(rawValue: 1)
        /// Calibrate the sensor; running only.
        public static let startSensorCalibration = Self(rawValue: 2)
        /// Set the location of the sensor: a ``SensorLocation``.
        public static let updateSensorLocation = Self(rawValue: 3)
        /// Ask which locations the sensor knows; the answer has one byte for each.
        public static let requestSupportedSensorLocations = Self(rawValue: 4)
        /// The response to a request.
        public static let responseCode = Self(rawValue: 16)

        public static let assigned: [(Self, String)] = [
            (.setCumulativeValue, "Set Cumulative Value"), (.startSensorCalibration, "Start Sensor Calibration"),
            (.updateSensorLocation, "Update Sensor Location"),
            (.requestSupportedSensorLocations, "Request Supported Sensor Locations"),
            (.responseCode, "Response Code"),
        ]
    }

    /// Returns a request to set the count so far: wheel revolutions when cycling, 1/10 metre when running.
    public static func setCumulativeValue(_ value: UInt32) -> Self {
        Self(opCode: .setCumulativeValue, parameter: SerDe.serialize(value))
    }

    /// A request to calibrate the sensor; running only.
    public static var startSensorCalibration: Self { Self(opCode: .startSensorCalibration) }

    /// Returns a request to set the location of the sensor.
    public static func updateSensorLocation(_ location: SensorLocation) -> Self {
        Self(opCode: .updateSensorLocation, parameter: [location.rawValue])
    }

    /// A request for the locations that the sensor supports.
    public static var requestSupportedSensorLocations: Self { Self(opCode: .requestSupportedSensorLocations) }
}
