// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The requests of a central to a machine, and the responses (Fitness Machine Service 1.0, 4.16).
    ///
    /// One byte of op code, then its parameter; numbers are little-endian. A machine carries a request out only after
    /// ``requestControl`` was answered with success; without it the response is
    /// ``ControlPointResult/controlNotPermitted``.
    public struct ControlPoint: ControlPointValue {
        public static let uuid: BluetoothUUID = "2AD9"
        public static let name = "Fitness Machine Control Point"
        public static let responseCode = OpCode.responseCode

        public var opCode: OpCode
        public var parameter: Bytes

        public init(opCode: OpCode, parameter: Bytes = []) { (self.opCode, self.parameter) = (opCode, parameter) }

        /// A request for control over the machine.
        public static var requestControl: Self { Self(opCode: .requestControl) }

        /// A request to restore the defaults of all settings.
        public static var reset: Self { Self(opCode: .reset) }

        /// A request to start, or to continue after a pause.
        public static var startOrResume: Self { Self(opCode: .startOrResume) }

        /// A request to stop the workout.
        public static var stop: Self { Self(opCode: .stopOrPause, parameter: [1]) }

        /// A request to pause the workout.
        public static var pause: Self { Self(opCode: .stopOrPause, parameter: [2]) }

        /// A request to start the spin down that calibrates an indoor bike.
        public static var startSpinDown: Self { Self(opCode: .spinDownControl, parameter: [1]) }

        /// A request to skip the spin down that the machine asked for.
        public static var ignoreSpinDown: Self { Self(opCode: .spinDownControl, parameter: [2]) }

        /// Returns a request to set a target.
        public static func set(_ target: Target) -> Self {
            Self(opCode: OpCode(rawValue: target.controlCode), parameter: SerDe.serialize(target))
        }

        /// The target that is set; nil when the op code sets none or the parameter is not just that.
        public var target: Target? { Target(controlCode: opCode.rawValue, parameter: parameter) }

        /// The speeds between which the rider lets the wheel roll out, in kilometres per hour of 0.01, from the answer
        /// to ``startSpinDown``; nil when this is none.
        public var spinDownSpeeds: (low: Scaled<UInt16, Per100>, high: Scaled<UInt16, Per100>)? {
            guard let response, response.request == .spinDownControl, response.parameter.count == 4,
                let low = try? SerDe.deserialize(Bytes(response.parameter.prefix(2)), as: UInt16.self),
                let high = try? SerDe.deserialize(Bytes(response.parameter.suffix(2)), as: UInt16.self)
            else { return nil }
            return (Scaled(rawValue: low), Scaled(rawValue: high))
        }

        /// The procedures of the control point.
        public struct OpCode: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// Ask for control.
            public static let requestControl = Self(rawValue: 0x00)
            /// Set everything back.
            public static let reset = Self(rawValue: 0x01)
            /// Start, or go on.
            public static let startOrResume = Self(rawValue: 0x07)
            /// Stop (1) or pause (2).
            public static let stopOrPause = Self(rawValue: 0x08)
            /// Start (1) or leave out (2) the spin down.
            public static let spinDownControl = Self(rawValue: 0x13)
            /// The response to a request.
            public static let responseCode = Self(rawValue: 0x80)

            public static let assigned: [(Self, String)] = [
                (.requestControl, "Request Control"), (.reset, "Reset"), (Self(rawValue: 0x02), "Set Target Speed"),
                (Self(rawValue: 0x03), "Set Target Inclination"),
                (Self(rawValue: 0x04), "Set Target Resistance Level"), (Self(rawValue: 0x05), "Set Target Power"),
                (Self(rawValue: 0x06), "Set Target Heart Rate"), (.startOrResume, "Start or Resume"),
                (.stopOrPause, "Stop or Pause"), (Self(rawValue: 0x09), "Set Targeted Expended Energy"),
                (Self(rawValue: 0x0a), "Set Targeted Number of Steps"),
                (Self(rawValue: 0x0b), "Set Targeted Number of Strides"),
                (Self(rawValue: 0x0c), "Set Targeted Distance"), (Self(rawValue: 0x0d), "Set Targeted Training Time"),
                (Self(rawValue: 0x0e), "Set Targeted Time in Two Heart Rate Zones"),
                (Self(rawValue: 0x0f), "Set Targeted Time in Three Heart Rate Zones"),
                (Self(rawValue: 0x10), "Set Targeted Time in Five Heart Rate Zones"),
                (Self(rawValue: 0x11), "Set Indoor Bike Simulation Parameters"),
                (Self(rawValue: 0x12), "Set Wheel Circumference"), (.spinDownControl, "Spin Down Control"),
                (Self(rawValue: 0x14), "Set Targeted Cadence"), (.responseCode, "Response Code"),
            ]
        }
    }
}

extension ControlPointResult {
    /// The central has no control over the machine (Fitness Machine Service only; the same number as
    /// ``userNotAuthorized``).
    public static let controlNotPermitted = Self(rawValue: 5)
}
