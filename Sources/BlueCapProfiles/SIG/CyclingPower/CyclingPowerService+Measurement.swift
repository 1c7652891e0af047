// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension CyclingPowerService {
    /// The present power, and further optional values of the sensor (Cycling Power Service 1.1, 3.2; GATT Specification
    /// Supplement, Cycling Power Measurement).
    ///
    /// Two bytes of flags, then the power and the fields that the flags announce, little-endian. Reserved flags and
    /// bytes behind the known fields are passed over and not kept, so that a newer sensor's measurements stay readable.
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A63"
        public static let name = "Cycling Power Measurement"
        public static let properties: CharacteristicProperties = [.notify]
        public static let permissions: AttributePermissions = []
        /// Bytes behind the known fields are ignored.
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
        /// `power` (W) and the flags; where the value has them, the balance (%), torques (N m), forces (N), angles (°),
        /// event times (s) and energy (kJ).
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

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = Flags(rawValue: try reader.read())
            power = try reader.read()
            if flags.contains(.balance) { pedalPowerBalance = try reader.read() }
            isBalanceOfLeftPedal = flags.contains(.leftBalance)
            if flags.contains(.torque) { accumulatedTorque = try reader.read() }
            isTorqueOfCrank = flags.contains(.crankTorque)
            if flags.contains(.wheel) { wheel = try reader.read() }
            if flags.contains(.crank) { crank = try reader.read() }
            if flags.contains(.extremeForces) { extremeForces = try reader.read() }
            if flags.contains(.extremeTorques) { extremeTorques = try reader.read() }
            if flags.contains(.extremeAngles) { extremeAngles = try reader.read() }
            if flags.contains(.topDeadSpot) { topDeadSpotAngle = try reader.read() }
            if flags.contains(.bottomDeadSpot) { bottomDeadSpotAngle = try reader.read() }
            if flags.contains(.energy) { accumulatedEnergy = try reader.read() }
            isOffsetCompensationActive = flags.contains(.offsetCompensation)
        }

        public var encodedByteCount: Int {
            var count = 4
            if pedalPowerBalance != nil { count += 1 }
            if accumulatedTorque != nil { count += 2 }
            if wheel != nil { count += 6 }
            if crank != nil { count += 4 }
            if extremeForces != nil { count += 4 }
            if extremeTorques != nil { count += 4 }
            if extremeAngles != nil { count += 3 }
            if topDeadSpotAngle != nil { count += 2 }
            if bottomDeadSpotAngle != nil { count += 2 }
            if accumulatedEnergy != nil { count += 2 }
            return count
        }

        public func encode(into output: inout OutputRawSpan) {
            output.write(flags.rawValue)
            output.write(power)
            pedalPowerBalance?.encode(into: &output)
            accumulatedTorque?.encode(into: &output)
            wheel?.encode(into: &output)
            crank?.encode(into: &output)
            extremeForces?.encode(into: &output)
            extremeTorques?.encode(into: &output)
            extremeAngles?.encode(into: &output)
            topDeadSpotAngle?.encode(into: &output)
            bottomDeadSpotAngle?.encode(into: &output)
            accumulatedEnergy?.encode(into: &output)
        }
    }
}

extension CyclingPowerService.Measurement {
    private struct Flags: OptionSet {
        let rawValue: UInt16
        static let balance = Self(rawValue: 1 << 0)
        static let leftBalance = Self(rawValue: 1 << 1)
        static let torque = Self(rawValue: 1 << 2)
        static let crankTorque = Self(rawValue: 1 << 3)
        static let wheel = Self(rawValue: 1 << 4)
        static let crank = Self(rawValue: 1 << 5)
        static let extremeForces = Self(rawValue: 1 << 6)
        static let extremeTorques = Self(rawValue: 1 << 7)
        static let extremeAngles = Self(rawValue: 1 << 8)
        static let topDeadSpot = Self(rawValue: 1 << 9)
        static let bottomDeadSpot = Self(rawValue: 1 << 10)
        static let energy = Self(rawValue: 1 << 11)
        static let offsetCompensation = Self(rawValue: 1 << 12)
    }

    private var flags: Flags {
        var flags: Flags = []
        if pedalPowerBalance != nil { flags.insert(.balance) }
        if isBalanceOfLeftPedal { flags.insert(.leftBalance) }
        if accumulatedTorque != nil { flags.insert(.torque) }
        if isTorqueOfCrank { flags.insert(.crankTorque) }
        if wheel != nil { flags.insert(.wheel) }
        if crank != nil { flags.insert(.crank) }
        if extremeForces != nil { flags.insert(.extremeForces) }
        if extremeTorques != nil { flags.insert(.extremeTorques) }
        if extremeAngles != nil { flags.insert(.extremeAngles) }
        if topDeadSpotAngle != nil { flags.insert(.topDeadSpot) }
        if bottomDeadSpotAngle != nil { flags.insert(.bottomDeadSpot) }
        if accumulatedEnergy != nil { flags.insert(.energy) }
        if isOffsetCompensationActive { flags.insert(.offsetCompensation) }
        return flags
    }

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
