// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The last event at the machine, by its user or by the control point (Fitness Machine Service 1.0, 4.17).
    ///
    /// One byte of op code, then its parameter; numbers are little-endian.
    public struct Status: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2ADA"
        public static let name = "Fitness Machine Status"
        public static let properties: CharacteristicProperties = .notify
        public static let permissions: AttributePermissions = []

        /// The event at the machine.
        public var event: Event
        /// The parameter of the event, as it is sent.
        public var parameter: Bytes

        /// Creates the status of a machine that was reset.
        public init() { self.init(event: .reset) }

        /// Creates a status.
        ///
        /// - Parameters:
        ///   - event: The event at the machine.
        ///   - parameter: The parameter of the event, as it is sent; numbers are little-endian.
        public init(event: Event, parameter: Bytes = []) { (self.event, self.parameter) = (event, parameter) }

        /// Creates the status of a target that was changed.
        public init(changed target: Target) {
            // Up to the heart rate the op codes are those of the control point and 3, from the energy on those and 1.
            let code = target.controlCode
            self.init(event: Event(rawValue: code <= 6 ? code + 3 : code + 1), parameter: SerDe.serialize(target))
        }

        /// The user stopped the machine.
        public static var stoppedByUser: Self { Self(event: .stoppedOrPausedByUser, parameter: [1]) }

        /// The user paused the machine.
        public static var pausedByUser: Self { Self(event: .stoppedOrPausedByUser, parameter: [2]) }

        /// The target that was changed; nil when another thing happened or the parameter is not just that.
        public var changedTarget: Target? {
            switch event.rawValue {
            case 0x05...0x09: Target(controlCode: event.rawValue - 3, parameter: parameter)
            case 0x0a...0x13, 0x15: Target(controlCode: event.rawValue - 1, parameter: parameter)
            default: nil
            }
        }

        /// The progress of the spin down; nil for any other event.
        public var spinDown: SpinDownStatus? {
            guard event == .spinDown, parameter.count == 1 else { return nil }
            return SpinDownStatus(rawValue: parameter[0])
        }

        /// Reads the op code and takes all bytes behind it as the parameter.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            event = Event(rawValue: try reader.read())
            parameter = try reader.read()
        }

        public var encodedByteCount: Int { 1 + parameter.count }

        public func encode(into output: inout OutputRawSpan) { output.write(fields: event.rawValue, parameter) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField(choice: "event", \.event), .hex("parameter", \.parameter, isOptional: true),
        ]
        #endif

        /// An event at a machine.
        public struct Event: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// Everything was set back.
            public static let reset = Self(rawValue: 0x01)
            /// The user stopped (1) or paused (2) the machine.
            public static let stoppedOrPausedByUser = Self(rawValue: 0x02)
            /// The safety key stopped the machine.
            public static let stoppedBySafetyKey = Self(rawValue: 0x03)
            /// The user started the machine, or went on.
            public static let startedOrResumedByUser = Self(rawValue: 0x04)
            /// The progress of the spin down: a ``SpinDownStatus``.
            public static let spinDown = Self(rawValue: 0x14)
            /// The central has no control any more.
            public static let controlPermissionLost = Self(rawValue: 0xff)

            public static let assigned: [(Self, String)] = [
                (.reset, "Reset"), (.stoppedOrPausedByUser, "Stopped or Paused by the User"),
                (.stoppedBySafetyKey, "Stopped by Safety Key"),
                (.startedOrResumedByUser, "Started or Resumed by the User"),
                (Self(rawValue: 0x05), "Target Speed Changed"), (Self(rawValue: 0x06), "Target Incline Changed"),
                (Self(rawValue: 0x07), "Target Resistance Level Changed"),
                (Self(rawValue: 0x08), "Target Power Changed"),
                (Self(rawValue: 0x09), "Target Heart Rate Changed"),
                (Self(rawValue: 0x0a), "Targeted Expended Energy Changed"),
                (Self(rawValue: 0x0b), "Targeted Number of Steps Changed"),
                (Self(rawValue: 0x0c), "Targeted Number of Strides Changed"),
                (Self(rawValue: 0x0d), "Targeted Distance Changed"),
                (Self(rawValue: 0x0e), "Targeted Training Time Changed"),
                (Self(rawValue: 0x0f), "Targeted Time in Two Heart Rate Zones Changed"),
                (Self(rawValue: 0x10), "Targeted Time in Three Heart Rate Zones Changed"),
                (Self(rawValue: 0x11), "Targeted Time in Five Heart Rate Zones Changed"),
                (Self(rawValue: 0x12), "Indoor Bike Simulation Parameters Changed"),
                (Self(rawValue: 0x13), "Wheel Circumference Changed"), (.spinDown, "Spin Down Status"),
                (Self(rawValue: 0x15), "Targeted Cadence Changed"), (.controlPermissionLost, "Control Permission Lost"),
            ]
        }

        /// The progress of a spin down.
        public struct SpinDownStatus: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// The machine asks for a spin down.
            public static let requested = Self(rawValue: 1)
            /// The spin down has succeeded.
            public static let success = Self(rawValue: 2)
            /// The spin down has failed.
            public static let error = Self(rawValue: 3)
            /// The rider shall stop pedalling.
            public static let stopPedaling = Self(rawValue: 4)

            public static let assigned: [(Self, String)] = [
                (.requested, "Spin Down Requested"), (.success, "Success"), (.error, "Error"),
                (.stopPedaling, "Stop Pedaling"),
            ]
        }
    }
}
