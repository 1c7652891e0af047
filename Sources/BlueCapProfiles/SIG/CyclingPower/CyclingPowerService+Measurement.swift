// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension CyclingPowerService {
    /// The present power, and further optional values of the sensor (Cycling Power Service 1.1, 3.2; GATT Specification
    /// Supplement, Cycling Power Measurement).
    ///
    /// Two bytes of flags, then the power and the fields that the flags announce, little-endian. Reserved flags and
    /// bytes behind the known fields are passed over and not kept, so that a newer sensor's measurements stay readable.
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A63"
        public static let name = "Cycling Power Measurement"
        public static let properties: CharacteristicProperties = [.notify]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// The power in watts.
        public var power: Int16 = 0
        /// The share of one pedal in the power, in percent, in steps of 1/2.
        public var pedalPowerBalance: Scaled<UInt8, Per2>?
        /// A Boolean value that is true if the balance is the left pedal's share; otherwise the pedal is unknown.
        public var isBalanceOfLeftPedal = false
        /// Newton metres added up over all revolutions, in steps of 1/32; rolls over.
        public var accumulatedTorque: Scaled<UInt16, Per32>?
        /// A Boolean value that is true if the torque was measured at the crank, and false if at the wheel.
        public var isTorqueOfCrank = false
        /// Wheel revolutions: a `UInt32`, and the time in 1/2048 s.
        public var wheel: RevolutionData<UInt32, Per2048>?
        /// Crank revolutions: a `UInt16`, and the time in 1/1024 s.
        public var crank: RevolutionData<UInt16, Per1024>?
        /// The extremes of the force in newtons.
        public var extremeForces: Extremes<Int16>?
        /// The extremes of the torque in newton metres, in steps of 1/32.
        public var extremeTorques: Extremes<Scaled<Int16, Per32>>?
        /// The crank's angles at the extremes, in degrees from 12 o'clock.
        public var extremeAngles: ExtremeAngles?
        /// The crank's angle in degrees where the value turns from negative to positive.
        public var topDeadSpotAngle: UInt16?
        /// The crank's angle in degrees where the value turns from positive to negative.
        public var bottomDeadSpotAngle: UInt16?
        /// The energy so far in kilojoules.
        public var accumulatedEnergy: UInt16?
        /// A Boolean value that is true if the sensor requests the compensation of its offset, or carries it out.
        public var isOffsetCompensationActive = false

        /// Creates a measurement of no power.
        public init() {}

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("power", unit: "W", \.power),
            TextField("pedalPowerBalance", unit: "%", \.pedalPowerBalance),
            TextField("isBalanceOfLeftPedal", \.isBalanceOfLeftPedal),
            TextField("accumulatedTorque", unit: "N m", \.accumulatedTorque),
            TextField("isTorqueOfCrank", \.isTorqueOfCrank),
            TextField("wheelRevolutions", \.wheel, \.revolutions, initial: .init()),
            TextField("wheelEventTime", unit: "s", \.wheel, \.eventTime, initial: .init()),
            TextField("crankRevolutions", \.crank, \.revolutions, initial: .init()),
            TextField("crankEventTime", unit: "s", \.crank, \.eventTime, initial: .init()),
            TextField("extremeForces", unit: "N", \.extremeForces),
            TextField("extremeTorques", unit: "N m", \.extremeTorques),
            TextField("extremeAngles", unit: "°", \.extremeAngles),
            TextField("topDeadSpotAngle", unit: "°", \.topDeadSpotAngle),
            TextField("bottomDeadSpotAngle", unit: "°", \.bottomDeadSpotAngle),
            TextField("accumulatedEnergy", unit: "kJ", \.accumulatedEnergy),
            TextField("isOffsetCompensationActive", \.isOffsetCompensationActive),
        ]
        #endif

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&power)
            try visitor.field(&pedalPowerBalance, 0)
            visitor.flag(&isBalanceOfLeftPedal, 1)
            try visitor.field(&accumulatedTorque, 2)
            visitor.flag(&isTorqueOfCrank, 3)
            try visitor.field(&wheel, 4)
            try visitor.field(&crank, 5)
            try visitor.field(&extremeForces, 6)
            try visitor.field(&extremeTorques, 7)
            try visitor.field(&extremeAngles, 8)
            try visitor.field(&topDeadSpotAngle, 9)
            try visitor.field(&bottomDeadSpotAngle, 10)
            try visitor.field(&accumulatedEnergy, 11)
            visitor.flag(&isOffsetCompensationActive, 12)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }
    }
}

extension CyclingPowerService.Measurement {
    /// Two angles of the crank in degrees from 12 o'clock, clockwise as seen with the front wheel to the right: 12 bits
    /// each in three bytes, the maximum's in the lowest.
    public struct ExtremeAngles: ByteCodable, Hashable, LosslessStringConvertible {
        /// The angle at the maximum, 0 through 4095.
        public let maximum: UInt16
        /// The angle at the minimum, 0 through 4095.
        public let minimum: UInt16

        /// Creates two angles, or returns nil when one is above 4095.
        ///
        /// - Parameters:
        ///   - maximum: The angle at the maximum in degrees.
        ///   - minimum: The angle at the minimum in degrees.
        public init?(maximum: UInt16, minimum: UInt16) {
            guard maximum < 4096, minimum < 4096 else { return nil }
            (self.maximum, self.minimum) = (maximum, minimum)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let both = try reader.read(UInt24.self).value
            maximum = UInt16(truncatingIfNeeded: both & 0xfff)
            minimum = UInt16(truncatingIfNeeded: both >> 12)
        }

        public var encodedByteCount: Int { 3 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(UInt24(truncatingIfNeeded: UInt32(minimum) << 12 | UInt32(maximum)))
        }

        /// The angle at the minimum and at the maximum, with "..." between.
        public var description: String { Extremes(maximum: maximum, minimum: minimum).description }

        /// Two angles from a text as ``description`` has it; nil for any other.
        public init?(_ description: String) {
            guard let both = Extremes<UInt16>(description) else { return nil }
            self.init(maximum: both.maximum, minimum: both.minimum)
        }
    }
}
