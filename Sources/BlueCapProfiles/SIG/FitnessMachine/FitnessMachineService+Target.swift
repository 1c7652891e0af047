// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// A target of a fitness machine, as the ``ControlPoint`` sets it and the ``Status`` reports it (Fitness Machine
    /// Service 1.0, 4.16.1 and 4.17).
    public enum Target: Hashable, Sendable {
        /// The speed in kilometres per hour, in steps of 0.01.
        case speed(Scaled<UInt16, Per100>)
        /// The inclination in percent, in steps of 0.1.
        case inclination(Scaled<Int16, Per10>)
        /// The level of resistance, a number without a unit, in steps of 0.1.
        case resistanceLevel(Scaled<UInt8, Per10>)
        /// The power in watts.
        case power(Int16)
        /// The heart rate in beats per minute.
        case heartRate(UInt8)
        /// The energy to spend in kilocalories.
        case expendedEnergy(UInt16)
        /// The number of steps to make.
        case steps(UInt16)
        /// The number of strides to make.
        case strides(UInt16)
        /// The distance to go in metres.
        case distance(UInt24)
        /// The time to train in seconds.
        case trainingTime(UInt16)
        /// The times in the zones of heart rate for burning fat and for fitness, in seconds.
        case timeInTwoHeartRateZones(fatBurn: UInt16, fitness: UInt16)
        /// The times in the zones of light, moderate and hard work, in seconds.
        case timeInThreeHeartRateZones(light: UInt16, moderate: UInt16, hard: UInt16)
        /// The times in the zones of very light, light, moderate, hard and maximum work, in seconds.
        case timeInFiveHeartRateZones(
            veryLight: UInt16, light: UInt16, moderate: UInt16, hard: UInt16, maximum: UInt16)
        /// The ride that an indoor bike simulates.
        case simulation(Simulation)
        /// The circumference of the wheel in millimetres, in steps of 0.1.
        case wheelCircumference(Scaled<UInt16, Per10>)
        /// The cadence in revolutions per minute, in steps of 0.5.
        case cadence(Scaled<UInt16, Per2>)
    }

    /// The ride that an indoor bike simulates: six bytes.
    public struct Simulation: ByteCodable, Hashable {
        /// The speed of the wind from ahead in metres per second, in steps of 0.001; negative from behind.
        public var windSpeed: Scaled<Int16, Per1000>
        /// The grade of the road in percent, in steps of 0.01.
        public var grade: Scaled<Int16, Per100>
        /// The coefficient of rolling resistance, in 0.0001.
        public var rollingResistance: Scaled<UInt8, Per10000>
        /// The coefficient of wind resistance in kilograms per metre, in 0.01.
        public var windResistance: Scaled<UInt8, Per100>

        /// Creates a ride.
        ///
        /// - Parameters:
        ///   - windSpeed: The speed of the wind from ahead in metres per second, in steps of 0.001; negative from
        ///     behind.
        ///   - grade: The grade of the road in percent, in steps of 0.01.
        ///   - rollingResistance: The coefficient of rolling resistance, in steps of 0.0001.
        ///   - windResistance: The coefficient of wind resistance in kilograms per metre, in steps of 0.01.
        public init(
            windSpeed: Scaled<Int16, Per1000>, grade: Scaled<Int16, Per100>,
            rollingResistance: Scaled<UInt8, Per10000>, windResistance: Scaled<UInt8, Per100>
        ) {
            (self.windSpeed, self.grade) = (windSpeed, grade)
            (self.rollingResistance, self.windResistance) = (rollingResistance, windResistance)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            windSpeed = try reader.read()
            grade = try reader.read()
            rollingResistance = try reader.read()
            windResistance = try reader.read()
        }

        public var encodedByteCount: Int { 6 }

        public func encode(into output: inout OutputRawSpan) {
            windSpeed.encode(into: &output)
            grade.encode(into: &output)
            rollingResistance.encode(into: &output)
            windResistance.encode(into: &output)
        }
    }
}

extension FitnessMachineService.Target: ByteEncodable {
    /// The op code that sets it.
    var controlCode: UInt8 {
        switch self {
        case .speed: 0x02
        case .inclination: 0x03
        case .resistanceLevel: 0x04
        case .power: 0x05
        case .heartRate: 0x06
        case .expendedEnergy: 0x09
        case .steps: 0x0a
        case .strides: 0x0b
        case .distance: 0x0c
        case .trainingTime: 0x0d
        case .timeInTwoHeartRateZones: 0x0e
        case .timeInThreeHeartRateZones: 0x0f
        case .timeInFiveHeartRateZones: 0x10
        case .simulation: 0x11
        case .wheelCircumference: 0x12
        case .cadence: 0x14
        }
    }

    /// The target that an op code of the control point sets; nil when the parameter is not just that, or the op code
    /// sets none.
    init?(controlCode: UInt8, parameter: Bytes) {
        let target = try? parameter.withBytes { (span: RawSpan) throws(SerDeError) -> Self in
            var reader = ByteReader(span)
            let target = try Self(controlCode: controlCode, from: &reader)
            try reader.finish(.reject)
            return target
        }
        guard let target else { return nil }
        self = target
    }

    private init(controlCode: UInt8, from reader: inout ByteReader) throws(SerDeError) {
        switch controlCode {
        case 0x02: self = .speed(try reader.read())
        case 0x03: self = .inclination(try reader.read())
        case 0x04: self = .resistanceLevel(try reader.read())
        case 0x05: self = .power(try reader.read())
        case 0x06: self = .heartRate(try reader.read())
        case 0x09: self = .expendedEnergy(try reader.read())
        case 0x0a: self = .steps(try reader.read())
        case 0x0b: self = .strides(try reader.read())
        case 0x0c: self = .distance(try reader.read())
        case 0x0d: self = .trainingTime(try reader.read())
        case 0x0e: self = .timeInTwoHeartRateZones(fatBurn: try reader.read(), fitness: try reader.read())
        case 0x0f:
            self = .timeInThreeHeartRateZones(
                light: try reader.read(), moderate: try reader.read(), hard: try reader.read())
        case 0x10:
            self = .timeInFiveHeartRateZones(
                veryLight: try reader.read(), light: try reader.read(), moderate: try reader.read(),
                hard: try reader.read(), maximum: try reader.read())
        case 0x11: self = .simulation(try reader.read())
        case 0x12: self = .wheelCircumference(try reader.read())
        case 0x14: self = .cadence(try reader.read())
        default: throw .invalidValue()
        }
    }

    /// The number of bytes, at most ten: five numbers of 16 bits.
    public var encodedByteCount: Int { 10 }

    public func encode(into output: inout OutputRawSpan) {
        switch self {
        case .speed(let speed): speed.encode(into: &output)
        case .inclination(let inclination): inclination.encode(into: &output)
        case .resistanceLevel(let level): level.encode(into: &output)
        case .power(let power): output.write(power)
        case .heartRate(let rate): output.write(rate)
        case .distance(let distance): distance.encode(into: &output)
        case .expendedEnergy(let number), .steps(let number), .strides(let number), .trainingTime(let number):
            output.write(number)
        case .timeInTwoHeartRateZones(let fatBurn, let fitness):
            output.write(fatBurn)
            output.write(fitness)
        case .timeInThreeHeartRateZones(let light, let moderate, let hard):
            output.write(light)
            output.write(moderate)
            output.write(hard)
        case .timeInFiveHeartRateZones(let veryLight, let light, let moderate, let hard, let maximum):
            output.write(veryLight)
            output.write(light)
            output.write(moderate)
            output.write(hard)
            output.write(maximum)
        case .simulation(let simulation): simulation.encode(into: &output)
        case .wheelCircumference(let circumference): circumference.encode(into: &output)
        case .cadence(let cadence): cadence.encode(into: &output)
        }
    }
}
