// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The measurements of a step climber: 16 flags and the fields that they announce (Fitness Machine Service 1.0,
    /// 4.6; GATT Specification Supplement, Step Climber Data).
    public struct StepClimberData: FitnessMachineMeasurement, FlaggedFields {
        public static let uuid: BluetoothUUID = "2ACF"
        public static let name = "Step Climber Data"

        /// The floors and steps since the start; nil when more data follows.
        public var climb: Climb?
        /// The number of steps per minute.
        public var stepsPerMinute: UInt16?
        /// The mean of the steps per minute.
        public var averageStepRate: UInt16?
        /// The climb since the start in metres.
        public var positiveElevationGain: UInt16?
        public var workout = Workout()

        /// No field: one of several notifications, and not the last.
        public init() {}

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&climb, 0, isInverted: true)
            try visitor.field(&stepsPerMinute, 1)
            try visitor.field(&averageStepRate, 2)
            try visitor.field(&positiveElevationGain, 3)
            try workout.visit(&visitor, 4)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] =
            [
                TextField("floors", \.climb, \.floors, initial: .none),
                TextField("stepCount", \.climb, \.steps, initial: .none),
                TextField("stepsPerMinute", unit: "1/min", \.stepsPerMinute),
                TextField("averageStepRate", unit: "1/min", \.averageStepRate),
                TextField("positiveElevationGain", unit: "m", \.positiveElevationGain),
            ] + workoutFields
        #endif
    }

    /// The climb of a person: four bytes.
    public struct Climb: ByteCodable, Hashable {
        /// The floors since the start.
        public var floors: UInt16
        /// The steps since the start.
        public var steps: UInt16

        /// Creates a climb.
        ///
        /// - Parameters:
        ///   - floors: The floors since the start.
        ///   - steps: The steps since the start.
        public init(floors: UInt16, steps: UInt16) { (self.floors, self.steps) = (floors, steps) }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            floors = try reader.read()
            steps = try reader.read()
        }

        public var encodedByteCount: Int { 4 }

        public func encode(into output: inout OutputRawSpan) { output.write(fields: floors, steps) }

        /// Not climbed, the value from which texts start.
        static var none: Self { Self(floors: 0, steps: 0) }
    }

    /// The measurements of a stair climber: 16 flags and the fields that they announce (Fitness Machine Service 1.0,
    /// 4.7; GATT Specification Supplement, Stair Climber Data).
    public struct StairClimberData: FitnessMachineMeasurement, FlaggedFields {
        public static let uuid: BluetoothUUID = "2AD0"
        public static let name = "Stair Climber Data"

        /// Floors since the start; nil when more data follows.
        public var floors: UInt16?
        /// The number of steps per minute.
        public var stepsPerMinute: UInt16?
        /// The mean of the steps per minute.
        public var averageStepRate: UInt16?
        /// The climb since the start in metres.
        public var positiveElevationGain: UInt16?
        /// The number of strides since the start.
        public var strideCount: UInt16?
        public var workout = Workout()

        /// No field: one of several notifications, and not the last.
        public init() {}

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&floors, 0, isInverted: true)
            try visitor.field(&stepsPerMinute, 1)
            try visitor.field(&averageStepRate, 2)
            try visitor.field(&positiveElevationGain, 3)
            try visitor.field(&strideCount, 4)
            try workout.visit(&visitor, 5)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] =
            [
                TextField("floors", \.floors),
                TextField("stepsPerMinute", unit: "1/min", \.stepsPerMinute),
                TextField("averageStepRate", unit: "1/min", \.averageStepRate),
                TextField("positiveElevationGain", unit: "m", \.positiveElevationGain),
                TextField("strideCount", \.strideCount),
            ] + workoutFields
        #endif
    }
}
