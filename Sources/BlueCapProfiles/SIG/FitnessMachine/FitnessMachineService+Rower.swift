// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The measurements of a rower: 16 flags and the fields that they announce (Fitness Machine Service 1.0, 4.8; GATT
    /// Specification Supplement, Rower Data).
    public struct RowerData: FitnessMachineMeasurement, FlaggedFields {
        public static let uuid: BluetoothUUID = "2AD1"
        public static let name = "Rower Data"

        /// The strokes; nil when more data follows.
        public var strokes: Strokes?
        /// The mean of the strokes per minute, in 0.5.
        public var averageStrokeRate: Scaled<UInt8, Per2>?
        /// The distance since the start in metres.
        public var totalDistance: UInt24?
        /// The pace in seconds for 500 metres.
        public var pace: UInt16?
        /// The mean of the seconds for 500 metres.
        public var averagePace: UInt16?
        /// The power in watts.
        public var power: Int16?
        /// The mean power in watts.
        public var averagePower: Int16?
        /// The level of resistance.
        public var resistanceLevel: ResistanceLevel<Per1>?
        public var workout = Workout()

        /// No field: one of several notifications, and not the last.
        public init() {}

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&strokes, 0, isInverted: true)
            try visitor.field(&averageStrokeRate, 1)
            try visitor.field(&totalDistance, 2)
            try visitor.field(&pace, 3)
            try visitor.field(&averagePace, 4)
            try visitor.field(&power, 5)
            try visitor.field(&averagePower, 6)
            try visitor.field(&resistanceLevel, 7) { reader, flags throws(SerDeError) in
                // The bytes of the workout.
                let behind = Workout.byteCount(flags: flags, bit: 8)
                return try ResistanceLevel(from: &reader, behind: behind)
            }
            try workout.visit(&visitor, 8)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] =
            [
                TextField("strokeRate", unit: "1/min", \.strokes, \.rate, initial: .none),
                TextField("strokeCount", \.strokes, \.count, initial: .none),
                TextField("averageStrokeRate", unit: "1/min", \.averageStrokeRate),
                TextField("totalDistance", unit: "m", \.totalDistance),
                TextField("pace", unit: "s/500 m", \.pace),
                TextField("averagePace", unit: "s/500 m", \.averagePace),
                TextField("power", unit: "W", \.power),
                TextField("averagePower", unit: "W", \.averagePower),
                TextField("resistanceLevel", \.resistanceLevel),
            ] + workoutFields
        #endif
    }

    /// The strokes of a rower: three bytes.
    public struct Strokes: ByteCodable, Hashable {
        /// The number of strokes per minute, in steps of 0.5.
        public var rate: Scaled<UInt8, Per2>
        /// Strokes since the start.
        public var count: UInt16

        /// Creates a count of strokes.
        ///
        /// - Parameters:
        ///   - rate: The strokes per minute, in steps of 0.5.
        ///   - count: The strokes since the start.
        public init(rate: Scaled<UInt8, Per2>, count: UInt16) { (self.rate, self.count) = (rate, count) }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            rate = try reader.read()
            count = try reader.read()
        }

        public var encodedByteCount: Int { 3 }

        public func encode(into output: inout OutputRawSpan) {
            rate.encode(into: &output)
            output.write(count)
        }

        /// No strokes, the value from which texts start.
        static var none: Self { Self(rate: Scaled(rawValue: 0), count: 0) }
    }
}
