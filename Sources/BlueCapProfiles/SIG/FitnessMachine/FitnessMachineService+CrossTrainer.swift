// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The measurements of a cross trainer: 24 flags and the fields that they announce (Fitness Machine Service 1.0,
    /// 4.5; GATT Specification Supplement, Cross Trainer Data).
    public struct CrossTrainerData: FitnessMachineMeasurement {
        public static let uuid: BluetoothUUID = "2ACE"
        public static let name = "Cross Trainer Data"

        /// The speed in kilometres per hour, in steps of 0.01; nil when more data follows.
        public var speed: Scaled<UInt16, Per100>?
        /// The mean speed in kilometres per hour, in steps of 0.01.
        public var averageSpeed: Scaled<UInt16, Per100>?
        /// The distance since the start in metres.
        public var totalDistance: UInt24?
        /// The steps per minute, now and in the mean.
        public var stepRates: StepRates?
        /// The number of strides since the start, in steps of 0.1.
        public var strideCount: Scaled<UInt16, Per10>?
        /// The climb and descent since the start in metres.
        public var elevationGain: ElevationGain<Per1>?
        /// The slope of the machine.
        public var inclination: Inclination?
        /// The level of resistance.
        public var resistanceLevel: ResistanceLevel<Per10>?
        /// The power in watts.
        public var power: Int16?
        /// The mean power in watts.
        public var averagePower: Int16?
        /// Whether the movement is backward.
        public var isBackward = false
        public var workout = Workout()

        /// No field: one of several notifications, and not the last.
        public init() {}

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt24.self).value
            speed = try reader.read(if: !flags.bit(0))
            averageSpeed = try reader.read(if: flags.bit(1))
            totalDistance = try reader.read(if: flags.bit(2))
            stepRates = try reader.read(if: flags.bit(3))
            strideCount = try reader.read(if: flags.bit(4))
            elevationGain = try reader.read(if: flags.bit(5))
            inclination = try reader.read(if: flags.bit(6))
            if flags.bit(7) {
                // The bytes of both powers and of the workout.
                let behind = (flags.bit(8) ? 2 : 0) + (flags.bit(9) ? 2 : 0) + Workout.byteCount(flags: flags, bit: 10)
                resistanceLevel = try ResistanceLevel(from: &reader, behind: behind)
            }
            power = try reader.read(if: flags.bit(8))
            averagePower = try reader.read(if: flags.bit(9))
            isBackward = flags.bit(15)
            workout = try Workout(from: &reader, flags: flags, bit: 10)
        }

        public var encodedByteCount: Int {
            var count = 3 + workout.encodedByteCount
            count += speed.fieldByteCount
            count += averageSpeed.fieldByteCount
            count += totalDistance.fieldByteCount
            count += stepRates.fieldByteCount
            count += strideCount.fieldByteCount
            count += elevationGain.fieldByteCount
            count += inclination.fieldByteCount
            count += resistanceLevel.fieldByteCount
            count += power.fieldByteCount
            count += averagePower.fieldByteCount
            return count
        }

        public func encode(into output: inout OutputRawSpan) {
            var flags: UInt32 = 0
            flags.set(0, if: speed == nil)
            flags.set(1, if: averageSpeed != nil)
            flags.set(2, if: totalDistance != nil)
            flags.set(3, if: stepRates != nil)
            flags.set(4, if: strideCount != nil)
            flags.set(5, if: elevationGain != nil)
            flags.set(6, if: inclination != nil)
            flags.set(7, if: resistanceLevel != nil)
            flags.set(8, if: power != nil)
            flags.set(9, if: averagePower != nil)
            flags.set(15, if: isBackward)
            workout.setFlags(&flags, bit: 10)
            output.write(UInt24(truncatingIfNeeded: flags))
            speed.encodeField(into: &output)
            averageSpeed.encodeField(into: &output)
            totalDistance.encodeField(into: &output)
            stepRates.encodeField(into: &output)
            strideCount.encodeField(into: &output)
            elevationGain.encodeField(into: &output)
            inclination.encodeField(into: &output)
            resistanceLevel.encodeField(into: &output)
            power.encodeField(into: &output)
            averagePower.encodeField(into: &output)
            workout.encode(into: &output)
        }

        #if !hasFeature(Embedded)
        /// `speed`, `averageSpeed`, `totalDistance`, `stepsPerMinute`, `averageStepRate`, `strideCount`,
        /// `positiveElevationGain`, `negativeElevationGain`, `inclination`, `rampAngle`, `resistanceLevel`, `power`,
        /// `averagePower`, `isBackward` and the workout.
        public static let textFields: [TextField<Self>] =
            [
                TextField("speed", unit: "km/h", \.speed),
                TextField("averageSpeed", unit: "km/h", \.averageSpeed),
                TextField("totalDistance", unit: "m", \.totalDistance),
                TextField("stepsPerMinute", unit: "1/min", \.stepRates, \.perMinute, initial: .none),
                TextField("averageStepRate", unit: "1/min", \.stepRates, \.average, initial: .none),
                TextField("strideCount", \.strideCount),
                TextField("positiveElevationGain", unit: "m", \.elevationGain, \.positive, initial: .none),
                TextField("negativeElevationGain", unit: "m", \.elevationGain, \.negative, initial: .none),
            ] + FitnessMachineService.Inclination.textFields(at: \.inclination) + [
                TextField("resistanceLevel", \.resistanceLevel),
                TextField("power", unit: "W", \.power),
                TextField("averagePower", unit: "W", \.averagePower),
                TextField("isBackward", \.isBackward),
            ] + workoutFields
        #endif
    }

    /// The rates of steps: four bytes.
    public struct StepRates: ByteCodable, Hashable {
        /// The number of steps per minute.
        public var perMinute: UInt16
        /// The mean of the steps per minute.
        public var average: UInt16

        /// Creates step rates.
        ///
        /// - Parameters:
        ///   - perMinute: The steps per minute now.
        ///   - average: The mean of the steps per minute.
        public init(perMinute: UInt16, average: UInt16) { (self.perMinute, self.average) = (perMinute, average) }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            perMinute = try reader.read()
            average = try reader.read()
        }

        public var encodedByteCount: Int { 4 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(perMinute)
            output.write(average)
        }

        /// No steps, the value from which texts start.
        static var none: Self { Self(perMinute: 0, average: 0) }
    }
}
