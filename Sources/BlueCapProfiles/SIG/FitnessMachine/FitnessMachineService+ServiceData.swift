// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The service data that a fitness machine has to advertise: whether it is free to be used, and which machine it is
    /// (Fitness Machine Service 1.0, 3.1).
    ///
    /// A scan reads it from what it sights, and a peripheral puts it into its advertisement:
    ///
    /// ```swift
    /// let machine = try discovery.advertisements.serviceValue(FitnessMachineService.ServiceData.self)
    /// advertisement.setServiceValue(FitnessMachineService.ServiceData(isAvailable: true, machines: .treadmill))
    /// ```
    public struct ServiceData: CharacteristicValue, Hashable {
        /// The UUID of the service, under which the data is advertised: 1826.
        public static let uuid = FitnessMachineService.uuid

        /// A Boolean value that is true if the machine is free to be used.
        public var isAvailable: Bool
        /// The machines that it is: one of them in nearly every case.
        public var machines: MachineTypes

        /// Creates service data.
        ///
        /// - Parameters:
        ///   - isAvailable: A Boolean value that is true if the machine is free to be used.
        ///   - machines: The machines that it is.
        public init(isAvailable: Bool, machines: MachineTypes) {
            self.isAvailable = isAvailable
            self.machines = machines
        }

        /// Reads a byte of flags, of which one has a meaning, and two bytes of types.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            isAvailable = try reader.read(UInt8.self) & 1 == 1
            machines = MachineTypes(rawValue: try reader.read())
        }

        public var encodedByteCount: Int { 3 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(fields: UInt8(isAvailable ? 1 : 0), machines.rawValue)
        }
    }

    /// The kinds of fitness machines (Fitness Machine Service 1.0, 3.1.2).
    public struct MachineTypes: NamedFlags {
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// A treadmill, with ``TreadmillData``.
        public static let treadmill = Self(rawValue: 1 << 0)
        /// A cross trainer, with ``CrossTrainerData``.
        public static let crossTrainer = Self(rawValue: 1 << 1)
        /// A step climber, with ``StepClimberData``.
        public static let stepClimber = Self(rawValue: 1 << 2)
        /// A stair climber, with ``StairClimberData``.
        public static let stairClimber = Self(rawValue: 1 << 3)
        /// A rower, with ``RowerData``.
        public static let rower = Self(rawValue: 1 << 4)
        /// An indoor bike, with ``IndoorBikeData``.
        public static let indoorBike = Self(rawValue: 1 << 5)

        public static let flagNames: [(Self, String)] = [
            (.treadmill, "Treadmill"), (.crossTrainer, "Cross Trainer"), (.stepClimber, "Step Climber"),
            (.stairClimber, "Stair Climber"), (.rower, "Rower"), (.indoorBike, "Indoor Bike"),
        ]
    }
}
