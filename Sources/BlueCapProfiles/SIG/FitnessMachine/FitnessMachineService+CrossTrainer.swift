// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The measurements of a cross trainer: 24 flags and the fields that they announce (Fitness Machine Service 1.0,
    /// 4.5; GATT Specification Supplement, Cross Trainer Data).
    public struct CrossTrainerData: FitnessMachineMeasurement, FlaggedFields {
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
        /// A Boolean value that is true if the movement is backward.
        public var isBackward = false
        public var workout = Workout()

        /// No field: one of several notifications, and not the last.
        public init() {}

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&speed, 0, isInverted: true)
            try visitor.field(&averageSpeed, 1)
            try visitor.field(&totalDistance, 2)
            try visitor.field(&stepRates, 3)
            try visitor.field(&strideCount, 4)
            try visitor.field(&elevationGain, 5)
            try visitor.field(&inclination, 6)
            try visitor.field(&resistanceLevel, 7) { reader, flags throws(SerDeError) in
                // The bytes of both powers and of the workout.
                let behind = (flags.bit(8) ? 2 : 0) + (flags.bit(9) ? 2 : 0) + Workout.byteCount(flags: flags, bit: 10)
                return try ResistanceLevel(from: &reader, behind: behind)
            }
            try visitor.field(&power, 8)
            try visitor.field(&averagePower, 9)
            visitor.flag(&isBackward, 15)
            try workout.visit(&visitor, 10)
        }

        static var flagByteCount: Int { 3 }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }

        #if !hasFeature(Embedded)
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

        public func encode(into output: inout OutputRawSpan) { output.write(fields: perMinute, average) }

        /// No steps, the value from which texts start.
        static var none: Self { Self(perMinute: 0, average: 0) }
    }
}
