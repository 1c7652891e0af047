// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The measurements of a treadmill: 16 flags and the fields that they announce (Fitness Machine Service 1.0, 4.4;
    /// GATT Specification Supplement, Treadmill Data).
    public struct TreadmillData: FitnessMachineMeasurement, FlaggedFields {
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

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&speed, 0, isInverted: true)
            try visitor.field(&averageSpeed, 1)
            try visitor.field(&totalDistance, 2)
            try visitor.field(&inclination, 3)
            try visitor.field(&elevationGain, 4)
            try visitor.field(&pace, 5) { reader, flags throws(SerDeError) in
                let wide = (flags.bit(6) ? 4 : 2) + Self.byteCount(behindPaces: flags)
                return try Pace(from: &reader, isWide: reader.remaining >= wide)
            }
            // The length decides the form of both paces at once.
            let first = pace
            try visitor.field(&averagePace, 6) { reader, flags throws(SerDeError) in
                let isWide = reader.remaining >= 2 + Self.byteCount(behindPaces: flags)
                return try Pace(from: &reader, isWide: first.map { $0.encodedByteCount == 2 } ?? isWide)
            }
            try workout.visit(&visitor, 7)
            try visitor.field(&forceAndPower, 12)
        }

        /// The bytes of what the flags announce behind the paces: of the workout, and of force and power.
        private static func byteCount(behindPaces flags: UInt32) -> Int {
            Workout.byteCount(flags: flags, bit: 7) + (flags.bit(12) ? 4 : 0)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] =
            [
                TextField("speed", unit: "km/h", \.speed),
                TextField("averageSpeed", unit: "km/h", \.averageSpeed),
                TextField("totalDistance", unit: "m", \.totalDistance),
            ] + FitnessMachineService.Inclination.textFields(at: \.inclination) + [
                TextField("positiveElevationGain", unit: "m", \.elevationGain, \.positive, initial: .none),
                TextField("negativeElevationGain", unit: "m", \.elevationGain, \.negative, initial: .none),
                TextField("pace", unitOfValue: \.pace?.unit, \.pace),
                averagePaceField,
            ] + workoutFields + [
                TextField("forceOnBelt", unit: "N", \.forceAndPower, \.force, initial: .none, unknown: .max),
                TextField("power", unit: "W", \.forceAndPower, \.power, initial: .none, unknown: .max),
            ]
        #endif

        /// The length decides the form of both paces at once: no bytes have a mean pace in another form than the pace.
        private static let averagePaceField = TextField<Self>(
            "averagePace", isNumber: true, isOptional: true, unitOfValue: \.averagePace?.unit,
            text: { $0.averagePace?.description },
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

        public func encode(into output: inout OutputRawSpan) { output.write(fields: force, power) }

        /// Not available, the value from which texts start.
        static var none: Self { Self(force: .max, power: .max) }
    }
}
