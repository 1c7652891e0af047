// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Cycling Power Service of the Bluetooth SIG: the power, force and torque of a cyclist (Cycling Power Service
/// 1.1).
public enum CyclingPowerService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1818"
    public static let name = "Cycling Power"
    public static let tag = BluetoothSIG.tag

    /// The location of the sensor (Cycling Power Service 1.1, 3).
    public typealias SensorLocation = BlueCapProfiles.SensorLocation
}

extension CyclingPowerService {
    /// The capabilities of the sensor: 32 flags, little-endian (Cycling Power Service 1.1, 3.1; GATT Specification
    /// Supplement, Cycling Power Feature).
    public struct Feature: NamedFlags, CharacteristicValue, CharacteristicConfigurable, StringDeserializable {
        public static let uuid: BluetoothUUID = "2A65"
        public static let name = "Cycling Power Feature"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]
        public static let initialValue: Bytes? = [8, 0, 0, 0]

        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The sensor reports the share of one pedal in the power.
        public static let pedalPowerBalance = Self(rawValue: 1 << 0)
        /// The sensor adds up the torque.
        public static let accumulatedTorque = Self(rawValue: 1 << 1)
        /// The sensor counts wheel revolutions.
        public static let wheelRevolutions = Self(rawValue: 1 << 2)
        /// The sensor counts crank revolutions.
        public static let crankRevolutions = Self(rawValue: 1 << 3)
        /// The sensor reports the extremes of force or torque.
        public static let extremeMagnitudes = Self(rawValue: 1 << 4)
        /// The sensor reports the angles of the extremes.
        public static let extremeAngles = Self(rawValue: 1 << 5)
        /// The sensor reports the angles of the dead spots.
        public static let deadSpotAngles = Self(rawValue: 1 << 6)
        /// The sensor adds up the energy.
        public static let accumulatedEnergy = Self(rawValue: 1 << 7)
        /// The sensor reports when it compensates its offset.
        public static let offsetCompensationIndicator = Self(rawValue: 1 << 8)
        /// A central can start the compensation of the offset.
        public static let offsetCompensation = Self(rawValue: 1 << 9)
        /// A central can mask fields of the measurements.
        public static let contentMasking = Self(rawValue: 1 << 10)
        /// The sensor has several possible locations, one of which a central can set.
        public static let multipleSensorLocations = Self(rawValue: 1 << 11)
        /// A central can set the length of the crank.
        public static let crankLengthAdjustment = Self(rawValue: 1 << 12)
        /// A central can set the length of the chain.
        public static let chainLengthAdjustment = Self(rawValue: 1 << 13)
        /// A central can set the weight of the chain.
        public static let chainWeightAdjustment = Self(rawValue: 1 << 14)
        /// A central can set the length of the span.
        public static let spanLengthAdjustment = Self(rawValue: 1 << 15)
        /// The sensor measures torque; without this flag, force.
        public static let torqueBased = Self(rawValue: 1 << 16)
        /// The sensor reports the direction that it measures.
        public static let measurementDirection = Self(rawValue: 1 << 17)
        /// The sensor reports the date of its calibration in the factory.
        public static let factoryCalibrationDate = Self(rawValue: 1 << 18)
        /// A central can start the enhanced compensation of the offset, whose response holds more data.
        public static let enhancedOffsetCompensation = Self(rawValue: 1 << 19)
        /// The sensor is not for use with a second one: 1 in the two bits of distributed systems; with 0, it does not
        /// say.
        public static let notForDistributedSystem = Self(rawValue: 1 << 20)
        /// The sensor can be used with a second one: 2 in the same two bits.
        public static let forDistributedSystem = Self(rawValue: 2 << 20)
        /// The value 3 of the two bits, which has no meaning yet.
        public static let distributedSystemReserved = Self(rawValue: 3 << 20)

        public static let flagNames: [(Self, String)] = [
            (.pedalPowerBalance, "Pedal Power Balance"), (.accumulatedTorque, "Accumulated Torque"),
            (.wheelRevolutions, "Wheel Revolution Data"), (.crankRevolutions, "Crank Revolution Data"),
            (.extremeMagnitudes, "Extreme Magnitudes"), (.extremeAngles, "Extreme Angles"),
            (.deadSpotAngles, "Top and Bottom Dead Spot Angles"), (.accumulatedEnergy, "Accumulated Energy"),
            (.offsetCompensationIndicator, "Offset Compensation Indicator"),
            (.offsetCompensation, "Offset Compensation"), (.contentMasking, "Content Masking"),
            (.multipleSensorLocations, "Multiple Sensor Locations"),
            (.crankLengthAdjustment, "Crank Length Adjustment"), (.chainLengthAdjustment, "Chain Length Adjustment"),
            (.chainWeightAdjustment, "Chain Weight Adjustment"), (.spanLengthAdjustment, "Span Length Adjustment"),
            (.torqueBased, "Torque Based"), (.measurementDirection, "Instantaneous Measurement Direction"),
            (.factoryCalibrationDate, "Factory Calibration Date"),
            (.enhancedOffsetCompensation, "Enhanced Offset Compensation"),
            (.notForDistributedSystem, "Not for a Distributed System"),
            (.forDistributedSystem, "For a Distributed System"),
            (.distributedSystemReserved, "Distributed System Support Reserved (3)"),
        ]

        /// The two bits of distributed systems.
        public static let fields: [Self] = [.distributedSystemReserved]
    }
}
