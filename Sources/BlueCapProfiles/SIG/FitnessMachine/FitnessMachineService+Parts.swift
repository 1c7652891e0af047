// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// The fields about the person and the time, which all machines send; each field may be missing.
    public struct Workout: Sendable, Hashable {
        /// The energy that the person has spent.
        public var energy: ExpendedEnergy?
        /// The heart rate in beats per minute.
        public var heartRate: UInt8?
        /// The metabolic equivalent, in steps of 0.1: the energy spent as a multiple of that at rest.
        public var metabolicEquivalent: Scaled<UInt8, Per10>?
        /// The time since the start in seconds.
        public var elapsedTime: UInt16?
        /// The time until the end in seconds.
        public var remainingTime: UInt16?

        /// Creates a value without fields.
        public init() {}

        /// Takes the visitor to the fields that five flags in a row announce, the first of them at this bit.
        mutating func visit(
            _ visitor: inout some FieldVisitor & ~Copyable & ~Escapable, _ bit: Int
        ) throws(SerDeError) {
            try visitor.field(&energy, bit)
            try visitor.field(&heartRate, bit + 1)
            try visitor.field(&metabolicEquivalent, bit + 2)
            try visitor.field(&elapsedTime, bit + 3)
            try visitor.field(&remainingTime, bit + 4)
        }

        /// How many bytes five flags in a row announce, the first of them at this bit.
        static func byteCount(flags: UInt32, bit: Int) -> Int {
            (flags.bit(bit) ? 5 : 0) + (flags.bit(bit + 1) ? 1 : 0) + (flags.bit(bit + 2) ? 1 : 0)
                + (flags.bit(bit + 3) ? 2 : 0) + (flags.bit(bit + 4) ? 2 : 0)
        }
    }

    /// Energy spent: five bytes. The greatest number of each field, FFFF or FF, says that it is not available.
    public struct ExpendedEnergy: ByteCodable, Hashable {
        /// The energy since the start in kilocalories.
        public var total: UInt16
        /// The energy per hour in kilocalories.
        public var perHour: UInt16
        /// The energy per minute in kilocalories.
        public var perMinute: UInt8

        /// Creates an amount of energy. The greatest number of a field marks it as not available.
        ///
        /// - Parameters:
        ///   - total: The kilocalories since the start.
        ///   - perHour: The kilocalories per hour.
        ///   - perMinute: The kilocalories per minute.
        public init(total: UInt16, perHour: UInt16 = .max, perMinute: UInt8 = .max) {
            (self.total, self.perHour, self.perMinute) = (total, perHour, perMinute)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            total = try reader.read()
            perHour = try reader.read()
            perMinute = try reader.read()
        }

        public var encodedByteCount: Int { 5 }

        public func encode(into output: inout OutputRawSpan) { output.write(fields: total, perHour, perMinute) }
    }

    /// The slope: four bytes. 7FFF says that a field is not available.
    public struct Inclination: ByteCodable, Hashable {
        /// The slope in percent, in steps of 0.1.
        public var inclination: Scaled<Int16, Per10>
        /// The angle to which the ramp is set, in 0.1 degrees.
        public var rampAngle: Scaled<Int16, Per10>

        /// Creates a slope.
        ///
        /// - Parameters:
        ///   - inclination: The slope in percent, in steps of 0.1.
        ///   - rampAngle: The angle to which the ramp is set in degrees, in steps of 0.1.
        public init(inclination: Scaled<Int16, Per10>, rampAngle: Scaled<Int16, Per10>) {
            (self.inclination, self.rampAngle) = (inclination, rampAngle)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            inclination = try reader.read()
            rampAngle = try reader.read()
        }

        public var encodedByteCount: Int { 4 }

        public func encode(into output: inout OutputRawSpan) {
            inclination.encode(into: &output)
            rampAngle.encode(into: &output)
        }

        /// Level ground, the value from which texts start.
        static var level: Self { Self(inclination: Scaled(rawValue: 0), rampAngle: Scaled(rawValue: 0)) }

        #if !hasFeature(Embedded)
        /// `inclination` and `rampAngle` of a value that may have a slope. What is not available is "unknown".
        static func textFields<Root>(at path: any WritableKeyPath<Root, Self?> & Sendable) -> [TextField<Root>] {
            let unknown = Scaled<Int16, Per10>(rawValue: .max)
            return [
                TextField("inclination", unit: "%", path, \.inclination, initial: .level, unknown: unknown),
                TextField("rampAngle", unit: "°", path, \.rampAngle, initial: .level, unknown: unknown),
            ]
        }
        #endif
    }

    /// Metres up and down since the start: four bytes.
    public struct ElevationGain<Step: ScaleStep>: ByteCodable, Hashable {
        /// The metres of climb since the start.
        public var positive: Scaled<UInt16, Step>
        /// The metres of descent since the start.
        public var negative: Scaled<UInt16, Step>

        /// Creates a gain of elevation.
        ///
        /// - Parameters:
        ///   - positive: The metres of climb since the start.
        ///   - negative: The metres of descent since the start.
        public init(positive: Scaled<UInt16, Step>, negative: Scaled<UInt16, Step>) {
            (self.positive, self.negative) = (positive, negative)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            positive = try reader.read()
            negative = try reader.read()
        }

        public var encodedByteCount: Int { 4 }

        public func encode(into output: inout OutputRawSpan) {
            positive.encode(into: &output)
            negative.encode(into: &output)
        }

        /// No gain, the value from which texts start.
        static var none: Self { Self(positive: Scaled(rawValue: 0), negative: Scaled(rawValue: 0)) }
    }

    /// A level of resistance in one of two forms: 16 bits with sign as Fitness Machine Service 1.0 has it and machines
    /// send it, or 8 bits in steps of 10 as the GATT Specification Supplement has it.
    ///
    /// Nothing in the value says which it is. The 16-bit form is taken when the bytes suffice for it.
    public enum ResistanceLevel<WideStep: ScaleStep>: ByteEncodable, Hashable {
        /// A level of 16 bits with sign.
        case wide(Scaled<Int16, WideStep>)
        /// A level of 8 bits in steps of 10.
        case narrow(Scaled<UInt8, Tens>)

        /// The level, a number without a unit.
        public var value: Double {
            switch self {
            case .wide(let level): level.value
            case .narrow(let level): level.value
            }
        }

        /// Reads one or two bytes, so that those announced behind it remain.
        init(from reader: inout ByteReader, behind: Int) throws(SerDeError) {
            self = reader.remaining == 1 + behind ? .narrow(try reader.read()) : .wide(try reader.read())
        }

        public var encodedByteCount: Int {
            switch self {
            case .wide: 2
            case .narrow: 1
            }
        }

        public func encode(into output: inout OutputRawSpan) {
            switch self {
            case .wide(let level): level.encode(into: &output)
            case .narrow(let level): level.encode(into: &output)
            }
        }
    }

    /// A pace in one of two forms: 8 bits in 0.1 km per minute as the Treadmill Data of Fitness Machine Service 1.0 has
    /// it, or 16 bits in seconds per 500 m as the GATT Specification Supplement has it.
    ///
    /// Nothing in the value says which it is. The 16-bit form is taken when the bytes suffice for it.
    public enum Pace: ByteEncodable, Hashable {
        /// The pace in kilometres per minute, in steps of 0.1.
        case kilometresPerMinute(Scaled<UInt8, Per10>)
        /// The pace in seconds for 500 metres.
        case secondsPer500Metres(UInt16)

        /// Reads one or two bytes.
        init(from reader: inout ByteReader, isWide: Bool) throws(SerDeError) {
            self = isWide ? .secondsPer500Metres(try reader.read()) : .kilometresPerMinute(try reader.read())
        }

        public var encodedByteCount: Int {
            switch self {
            case .kilometresPerMinute: 1
            case .secondsPer500Metres: 2
            }
        }

        public func encode(into output: inout OutputRawSpan) {
            switch self {
            case .kilometresPerMinute(let pace): pace.encode(into: &output)
            case .secondsPer500Metres(let pace): output.write(pace)
            }
        }
    }
}

extension FitnessMachineService.ResistanceLevel: LosslessStringConvertible, NumberInText {
    /// The level, with " (8 bit)" behind it in that form.
    public var description: String {
        switch self {
        case .wide(let level): level.description
        case .narrow(let level): "\(level) (8 bit)"
        }
    }

    /// Creates a level from its text; nil when the text means nothing.
    public init?(_ description: String) {
        if description.hasSuffix(" (8 bit)") {
            guard let level = Scaled<UInt8, Tens>(String(description.dropLast(8))) else { return nil }
            self = .narrow(level)
        } else {
            guard let level = Scaled<Int16, WideStep>(description) else { return nil }
            self = .wide(level)
        }
    }
}

extension FitnessMachineService.Pace: LosslessStringConvertible, NumberInText {
    var unit: String {
        switch self {
        case .kilometresPerMinute: "km/min"
        case .secondsPer500Metres: "s/500 m"
        }
    }

    /// The pace with its unit, "0.2 km/min" or "150 s/500 m".
    public var description: String {
        switch self {
        case .kilometresPerMinute(let pace): "\(pace) \(unit)"
        case .secondsPer500Metres(let pace): "\(pace) \(unit)"
        }
    }

    /// Creates a pace from its text; nil when the text means nothing.
    public init?(_ description: String) {
        if description.hasSuffix(" km/min"), let pace = Scaled<UInt8, Per10>(String(description.dropLast(7))) {
            self = .kilometresPerMinute(pace)
        } else if description.hasSuffix(" s/500 m"), let pace = UInt16(description.dropLast(8)) {
            self = .secondsPer500Metres(pace)
        } else {
            return nil
        }
    }
}
