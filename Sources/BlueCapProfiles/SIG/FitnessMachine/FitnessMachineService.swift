// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Fitness Machine Service of the Bluetooth SIG: the measurements, the capabilities and the control of a treadmill,
/// cross trainer, climber, rower or indoor bike.
///
/// A machine that has more to send than one notification holds sends several in turn; only the last has the leading
/// field (the speed, the floors or the stroke rate). In the values of this package that field is then nil (Fitness
/// Machine Service 1.0, 4.19, More Data).
public enum FitnessMachineService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1826"
    public static let name = "Fitness Machine"
    public static let tag = BluetoothSIG.tag

    /// The quantities that the machine measures, and the targets that a central can set: two sets of 32 flags (Fitness
    /// Machine Service 1.0, 4.3).
    public struct Feature: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2ACC"
        public static let name = "Fitness Machine Feature"
        public static let properties: CharacteristicProperties = .read
        public static let permissions: AttributePermissions = .readable
        public static let initialValue: Bytes? = [0, 0, 0, 0, 0, 0, 0, 0]

        /// The quantities that the machine measures.
        public var machine: MachineFeatures
        /// The targets that a central can set.
        public var targets: TargetFeatures

        /// Creates a value without features.
        public init() { self.init(machine: [], targets: []) }

        /// Creates a value with the given features.
        ///
        /// - Parameters:
        ///   - machine: The quantities that the machine measures.
        ///   - targets: The targets that a central can set.
        public init(machine: MachineFeatures, targets: TargetFeatures) {
            self.machine = machine
            self.targets = targets
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            machine = MachineFeatures(rawValue: try reader.read())
            targets = TargetFeatures(rawValue: try reader.read())
        }

        public var encodedByteCount: Int { 8 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(fields: machine.rawValue, targets.rawValue)
        }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("machine", \.machine), TextField("targets", \.targets),
        ]
        #endif
    }

    /// The quantities that a fitness machine measures.
    public struct MachineFeatures: NamedFlags {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The machine measures the mean speed.
        public static let averageSpeed = Self(rawValue: 1 << 0)
        /// The machine measures the cadence.
        public static let cadence = Self(rawValue: 1 << 1)
        /// The machine measures the total distance.
        public static let totalDistance = Self(rawValue: 1 << 2)
        /// The machine measures the inclination.
        public static let inclination = Self(rawValue: 1 << 3)
        /// The machine measures the elevation gain.
        public static let elevationGain = Self(rawValue: 1 << 4)
        /// The machine measures the pace.
        public static let pace = Self(rawValue: 1 << 5)
        /// The machine measures the number of steps.
        public static let stepCount = Self(rawValue: 1 << 6)
        /// The machine measures the level of resistance.
        public static let resistanceLevel = Self(rawValue: 1 << 7)
        /// The machine measures the number of strides.
        public static let strideCount = Self(rawValue: 1 << 8)
        /// The machine measures the energy that is spent.
        public static let expendedEnergy = Self(rawValue: 1 << 9)
        /// The machine measures the heart rate.
        public static let heartRate = Self(rawValue: 1 << 10)
        /// The machine measures the metabolic equivalent.
        public static let metabolicEquivalent = Self(rawValue: 1 << 11)
        /// The machine measures the time since the start.
        public static let elapsedTime = Self(rawValue: 1 << 12)
        /// The machine measures the time until the end.
        public static let remainingTime = Self(rawValue: 1 << 13)
        /// The machine measures the power.
        public static let power = Self(rawValue: 1 << 14)
        /// The machine measures the force on the belt and the power.
        public static let forceOnBeltAndPower = Self(rawValue: 1 << 15)
        /// The user's data is kept.
        public static let userDataRetention = Self(rawValue: 1 << 16)

        public static let flagNames: [(Self, String)] = [
            (.averageSpeed, "Average Speed"), (.cadence, "Cadence"), (.totalDistance, "Total Distance"),
            (.inclination, "Inclination"), (.elevationGain, "Elevation Gain"), (.pace, "Pace"),
            (.stepCount, "Step Count"), (.resistanceLevel, "Resistance Level"), (.strideCount, "Stride Count"),
            (.expendedEnergy, "Expended Energy"), (.heartRate, "Heart Rate Measurement"),
            (.metabolicEquivalent, "Metabolic Equivalent"), (.elapsedTime, "Elapsed Time"),
            (.remainingTime, "Remaining Time"), (.power, "Power Measurement"),
            (.forceOnBeltAndPower, "Force on Belt and Power Output"), (.userDataRetention, "User Data Retention"),
        ]
    }

    /// The targets of a fitness machine that a central can set.
    public struct TargetFeatures: NamedFlags {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// A central can set a speed.
        public static let speed = Self(rawValue: 1 << 0)
        /// A central can set an inclination.
        public static let inclination = Self(rawValue: 1 << 1)
        /// A central can set a level of resistance.
        public static let resistanceLevel = Self(rawValue: 1 << 2)
        /// A central can set a power.
        public static let power = Self(rawValue: 1 << 3)
        /// A central can set a heart rate.
        public static let heartRate = Self(rawValue: 1 << 4)
        /// A central can set the energy to spend.
        public static let expendedEnergy = Self(rawValue: 1 << 5)
        /// A central can set a number of steps.
        public static let stepNumber = Self(rawValue: 1 << 6)
        /// A central can set a number of strides.
        public static let strideNumber = Self(rawValue: 1 << 7)
        /// A central can set a distance.
        public static let distance = Self(rawValue: 1 << 8)
        /// A central can set a training time.
        public static let trainingTime = Self(rawValue: 1 << 9)
        /// A central can set times in two zones of heart rate.
        public static let timeInTwoHeartRateZones = Self(rawValue: 1 << 10)
        /// A central can set times in three zones of heart rate.
        public static let timeInThreeHeartRateZones = Self(rawValue: 1 << 11)
        /// A central can set times in five zones of heart rate.
        public static let timeInFiveHeartRateZones = Self(rawValue: 1 << 12)
        /// A central can set a simulated ride.
        public static let indoorBikeSimulation = Self(rawValue: 1 << 13)
        /// A central can set the circumference of the wheel.
        public static let wheelCircumference = Self(rawValue: 1 << 14)
        /// A central can start a spin down.
        public static let spinDown = Self(rawValue: 1 << 15)
        /// A central can set a cadence.
        public static let cadence = Self(rawValue: 1 << 16)

        public static let flagNames: [(Self, String)] = [
            (.speed, "Speed"), (.inclination, "Inclination"), (.resistanceLevel, "Resistance"), (.power, "Power"),
            (.heartRate, "Heart Rate"), (.expendedEnergy, "Expended Energy"), (.stepNumber, "Step Number"),
            (.strideNumber, "Stride Number"), (.distance, "Distance"), (.trainingTime, "Training Time"),
            (.timeInTwoHeartRateZones, "Time in Two Heart Rate Zones"),
            (.timeInThreeHeartRateZones, "Time in Three Heart Rate Zones"),
            (.timeInFiveHeartRateZones, "Time in Five Heart Rate Zones"),
            (.indoorBikeSimulation, "Indoor Bike Simulation"), (.wheelCircumference, "Wheel Circumference"),
            (.spinDown, "Spin Down Control"), (.cadence, "Targeted Cadence"),
        ]
    }
}
