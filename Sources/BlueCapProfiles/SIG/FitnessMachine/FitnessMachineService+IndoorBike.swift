// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The measurements of an indoor bike: 16 flags and the fields that they announce (Fitness Machine Service 1.0,
    /// 4.9; GATT Specification Supplement, Indoor Bike Data).
    public struct IndoorBikeData: FitnessMachineMeasurement, FlaggedFields {
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

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&speed, 0, isInverted: true)
            try visitor.field(&averageSpeed, 1)
            try visitor.field(&cadence, 2)
            try visitor.field(&averageCadence, 3)
            try visitor.field(&totalDistance, 4)
            try visitor.field(&resistanceLevel, 5) { reader, flags throws(SerDeError) in
                // The bytes of both powers and of the workout.
                let behind = (flags.bit(6) ? 2 : 0) + (flags.bit(7) ? 2 : 0) + Workout.byteCount(flags: flags, bit: 8)
                return try ResistanceLevel(from: &reader, behind: behind)
            }
            try visitor.field(&power, 6)
            try visitor.field(&averagePower, 7)
            try workout.visit(&visitor, 8)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }

        #if !hasFeature(Embedded)
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
