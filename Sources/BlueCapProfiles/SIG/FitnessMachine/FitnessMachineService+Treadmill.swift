// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The measurements of a treadmill: 16 flags and the fields that they announce (Fitness Machine Service 1.0, 4.4;
    /// GATT Specification Supplement, Treadmill Data).
    public struct TreadmillData: FitnessMachineMeasurement {
        public static let uuid: BluetoothUUID = "2ACD"
        public static let name = "Treadmill Data"

        /// The speed in kilometres per hour, in steps of 0.01; nil when more data follows.
        public var speed: Scaled<UInt16, Per100>?
        /// The mean speed in kilometres per hour, in steps of 0.01.
        public var averageSpeed: Scaled<UInt16, Per100>?
        /// The distance since the start in metres.
        public var totalDistance: UInt24?
        /// The slope of the belt.
        public var inclination: Inclination?
        /// The climb and descent since the start in metres, in steps of 0.1.
        public var elevationGain: ElevationGain<Per10>?
        /// The pace, in the same form as ``averagePace``.
        public var pace: Pace?
        /// The mean pace, in the same form as ``pace``.
        public var averagePace: Pace?
        /// The force on the belt and the power.
        public var forceAndPower: ForceAndPower?
        public var workout = Workout()

        /// No field: one of several notifications, and not the last.
        public init() {}

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = UInt32(try reader.read(UInt16.self))
            speed = try reader.read(if: !flags.bit(0))
            averageSpeed = try reader.read(if: flags.bit(1))
            totalDistance = try reader.read(if: flags.bit(2))
            inclination = try reader.read(if: flags.bit(3))
            elevationGain = try reader.read(if: flags.bit(4))
            // The bytes of both paces in the wide form, of the workout, and of force and power.
            let wide =
                (flags.bit(5) ? 2 : 0) + (flags.bit(6) ? 2 : 0) + Workout.byteCount(flags: flags, bit: 7)
                + (flags.bit(12) ? 4 : 0)
            let isWide = reader.remaining >= wide
            if flags.bit(5) { pace = try Pace(from: &reader, isWide: isWide) }
            if flags.bit(6) { averagePace = try Pace(from: &reader, isWide: isWide) }
            workout = try Workout(from: &reader, flags: flags, bit: 7)
            forceAndPower = try reader.read(if: flags.bit(12))
        }

        public var encodedByteCount: Int {
            var count = 2 + workout.encodedByteCount
            count += speed.fieldByteCount
            count += averageSpeed.fieldByteCount
            count += totalDistance.fieldByteCount
            count += inclination.fieldByteCount
            count += elevationGain.fieldByteCount
            count += pace.fieldByteCount
            count += averagePace.fieldByteCount
            count += forceAndPower.fieldByteCount
            return count
        }

        public func encode(into output: inout OutputRawSpan) {
            var flags: UInt32 = 0
            flags.set(0, if: speed == nil)
            flags.set(1, if: averageSpeed != nil)
            flags.set(2, if: totalDistance != nil)
            flags.set(3, if: inclination != nil)
            flags.set(4, if: elevationGain != nil)
            flags.set(5, if: pace != nil)
            flags.set(6, if: averagePace != nil)
            workout.setFlags(&flags, bit: 7)
            flags.set(12, if: forceAndPower != nil)
            output.write(UInt16(truncatingIfNeeded: flags))
            speed.encodeField(into: &output)
            averageSpeed.encodeField(into: &output)
            totalDistance.encodeField(into: &output)
            inclination.encodeField(into: &output)
            elevationGain.encodeField(into: &output)
            pace.encodeField(into: &output)
            averagePace.encodeField(into: &output)
            workout.encode(into: &output)
            forceAndPower.encodeField(into: &output)
        }

        #if !hasFeature(Embedded)
        /// `speed`, `averageSpeed`, `totalDistance`, `inclination`, `rampAngle`, `positiveElevationGain`,
        /// `negativeElevationGain`, `pace`, `averagePace`, the workout, `forceOnBelt` and `power`.
        public static let textFields: [TextField<Self>] =
            [
                TextField("speed", unit: "km/h", \.speed),
                TextField("averageSpeed", unit: "km/h", \.averageSpeed),
                TextField("totalDistance", unit: "m", \.totalDistance),
            ] + FitnessMachineService.Inclination.textFields(at: \.inclination) + [
                TextField("positiveElevationGain", unit: "m", \.elevationGain, \.positive, initial: .none),
                TextField("negativeElevationGain", unit: "m", \.elevationGain, \.negative, initial: .none),
                TextField("pace", \.pace),
                averagePaceField,
            ] + workoutFields + [
                TextField("forceOnBelt", unit: "N", \.forceAndPower, \.force, initial: .none, unknown: .max),
                TextField("power", unit: "W", \.forceAndPower, \.power, initial: .none, unknown: .max),
            ]
        #endif

        /// The length decides the form of both paces at once: no bytes have a mean pace in another form than the pace.
        private static let averagePaceField = TextField<Self>(
            "averagePace", isOptional: true, text: { $0.averagePace?.description },
            parse: { data, text in
                guard let pace = Pace(text) else { return false }
                data.averagePace = pace
                return data.pace == nil || data.pace?.encodedByteCount == pace.encodedByteCount
            })
    }

    /// The force on a treadmill's belt and the power: four bytes. 7FFF says that a field is not available.
    public struct ForceAndPower: ByteCodable, Hashable {
        /// The force on the belt in newtons.
        public var force: Int16
        /// The power in watts.
        public var power: Int16

        /// Creates a force and a power.
        ///
        /// - Parameters:
        ///   - force: The force on the belt in newtons.
        ///   - power: The power in watts.
        public init(force: Int16, power: Int16) { (self.force, self.power) = (force, power) }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            force = try reader.read()
            power = try reader.read()
        }

        public var encodedByteCount: Int { 4 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(force)
            output.write(power)
        }

        /// Not available, the value from which texts start.
        static var none: Self { Self(force: .max, power: .max) }
    }
}
