// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The measurements of a rower: 16 flags and the fields that they announce (Fitness Machine Service 1.0, 4.8; GATT
    /// Specification Supplement, Rower Data).
    public struct RowerData: FitnessMachineMeasurement {
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

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = UInt32(try reader.read(UInt16.self))
            strokes = try reader.read(if: !flags.bit(0))
            averageStrokeRate = try reader.read(if: flags.bit(1))
            totalDistance = try reader.read(if: flags.bit(2))
            pace = try reader.read(if: flags.bit(3))
            averagePace = try reader.read(if: flags.bit(4))
            power = try reader.read(if: flags.bit(5))
            averagePower = try reader.read(if: flags.bit(6))
            if flags.bit(7) {
                // The bytes of the workout.
                let behind = Workout.byteCount(flags: flags, bit: 8)
                resistanceLevel = try ResistanceLevel(from: &reader, behind: behind)
            }
            workout = try Workout(from: &reader, flags: flags, bit: 8)
        }

        public var encodedByteCount: Int {
            var count = 2 + workout.encodedByteCount
            count += strokes.fieldByteCount
            count += averageStrokeRate.fieldByteCount
            count += totalDistance.fieldByteCount
            count += pace.fieldByteCount
            count += averagePace.fieldByteCount
            count += power.fieldByteCount
            count += averagePower.fieldByteCount
            count += resistanceLevel.fieldByteCount
            return count
        }

        public func encode(into output: inout OutputRawSpan) {
            var flags: UInt32 = 0
            flags.set(0, if: strokes == nil)
            flags.set(1, if: averageStrokeRate != nil)
            flags.set(2, if: totalDistance != nil)
            flags.set(3, if: pace != nil)
            flags.set(4, if: averagePace != nil)
            flags.set(5, if: power != nil)
            flags.set(6, if: averagePower != nil)
            flags.set(7, if: resistanceLevel != nil)
            workout.setFlags(&flags, bit: 8)
            output.write(UInt16(truncatingIfNeeded: flags))
            strokes.encodeField(into: &output)
            averageStrokeRate.encodeField(into: &output)
            totalDistance.encodeField(into: &output)
            pace.encodeField(into: &output)
            averagePace.encodeField(into: &output)
            power.encodeField(into: &output)
            averagePower.encodeField(into: &output)
            resistanceLevel.encodeField(into: &output)
            workout.encode(into: &output)
        }

        #if !hasFeature(Embedded)
        /// `strokeRate`, `strokeCount`, `averageStrokeRate`, `totalDistance`, `pace`, `averagePace`, `power`,
        /// `averagePower`, `resistanceLevel` and the workout.
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
