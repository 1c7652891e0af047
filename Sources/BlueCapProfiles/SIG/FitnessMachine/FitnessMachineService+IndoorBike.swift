// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The measurements of an indoor bike: 16 flags and the fields that they announce (Fitness Machine Service 1.0,
    /// 4.9; GATT Specification Supplement, Indoor Bike Data).
    public struct IndoorBikeData: FitnessMachineMeasurement {
        public static let uuid: BluetoothUUID = "2AD2"
        public static let name = "Indoor Bike Data"

        /// The speed in kilometres per hour, in steps of 0.01; nil when more data follows.
        public var speed: Scaled<UInt16, Per100>?
        /// The mean speed in kilometres per hour, in steps of 0.01.
        public var averageSpeed: Scaled<UInt16, Per100>?
        /// The cadence in revolutions of the pedals per minute, in steps of 0.5.
        public var cadence: Scaled<UInt16, Per2>?
        /// The mean of the revolutions per minute, in steps of 0.5.
        public var averageCadence: Scaled<UInt16, Per2>?
        /// The distance since the start in metres.
        public var totalDistance: UInt24?
        /// The level of resistance.
        public var resistanceLevel: ResistanceLevel<Per1>?
        /// The power in watts.
        public var power: Int16?
        /// The mean power in watts.
        public var averagePower: Int16?
        public var workout = Workout()

        /// No field: one of several notifications, and not the last.
        public init() {}

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = UInt32(try reader.read(UInt16.self))
            speed = try reader.read(if: !flags.bit(0))
            averageSpeed = try reader.read(if: flags.bit(1))
            cadence = try reader.read(if: flags.bit(2))
            averageCadence = try reader.read(if: flags.bit(3))
            totalDistance = try reader.read(if: flags.bit(4))
            if flags.bit(5) {
                // The bytes of both powers and of the workout.
                let behind = (flags.bit(6) ? 2 : 0) + (flags.bit(7) ? 2 : 0) + Workout.byteCount(flags: flags, bit: 8)
                resistanceLevel = try ResistanceLevel(from: &reader, behind: behind)
            }
            power = try reader.read(if: flags.bit(6))
            averagePower = try reader.read(if: flags.bit(7))
            workout = try Workout(from: &reader, flags: flags, bit: 8)
        }

        public var encodedByteCount: Int {
            var count = 2 + workout.encodedByteCount
            count += speed.fieldByteCount
            count += averageSpeed.fieldByteCount
            count += cadence.fieldByteCount
            count += averageCadence.fieldByteCount
            count += totalDistance.fieldByteCount
            count += resistanceLevel.fieldByteCount
            count += power.fieldByteCount
            count += averagePower.fieldByteCount
            return count
        }

        public func encode(into output: inout OutputRawSpan) {
            var flags: UInt32 = 0
            flags.set(0, if: speed == nil)
            flags.set(1, if: averageSpeed != nil)
            flags.set(2, if: cadence != nil)
            flags.set(3, if: averageCadence != nil)
            flags.set(4, if: totalDistance != nil)
            flags.set(5, if: resistanceLevel != nil)
            flags.set(6, if: power != nil)
            flags.set(7, if: averagePower != nil)
            workout.setFlags(&flags, bit: 8)
            output.write(UInt16(truncatingIfNeeded: flags))
            speed.encodeField(into: &output)
            averageSpeed.encodeField(into: &output)
            cadence.encodeField(into: &output)
            averageCadence.encodeField(into: &output)
            totalDistance.encodeField(into: &output)
            resistanceLevel.encodeField(into: &output)
            power.encodeField(into: &output)
            averagePower.encodeField(into: &output)
            workout.encode(into: &output)
        }

        #if !hasFeature(Embedded)
        /// `speed`, `averageSpeed`, `cadence`, `averageCadence`, `totalDistance`, `resistanceLevel`, `power`,
        /// `averagePower` and the workout.
        public static let textFields: [TextField<Self>] =
            [
                TextField("speed", unit: "km/h", \.speed),
                TextField("averageSpeed", unit: "km/h", \.averageSpeed),
                TextField("cadence", unit: "1/min", \.cadence),
                TextField("averageCadence", unit: "1/min", \.averageCadence),
                TextField("totalDistance", unit: "m", \.totalDistance),
                TextField("resistanceLevel", \.resistanceLevel),
                TextField("power", unit: "W", \.power),
                TextField("averagePower", unit: "W", \.averagePower),
            ] + workoutFields
        #endif
    }
}
