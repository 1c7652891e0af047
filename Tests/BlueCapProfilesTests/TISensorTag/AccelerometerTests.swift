// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

private typealias Accelerometer = TISensorTag.AccelerometerService

@Suite("The SensorTag accelerometer", .timeLimit(.minutes(60)))
struct AccelerometerTests {
    @Test func `the UUIDs stand on TI's base UUID`() {
        #expect(Accelerometer.uuid == "F000AA10-0451-4000-B000-000000000000")
        #expect(Accelerometer.Data.uuid == "F000AA11-0451-4000-B000-000000000000")
        #expect(Accelerometer.Enabled.uuid == "F000AA12-0451-4000-B000-000000000000")
        #expect(Accelerometer.UpdatePeriod.uuid == "F000AA13-0451-4000-B000-000000000000")
    }

    @Test func `a sample is three signed bytes of 1/64 g, x and y negated`() throws {
        let sample: Accelerometer.Data = try SerDe.deserialize([0x40, 0x80, 0x20] as Bytes)
        #expect(sample.rawValue == [64, -128, 32])
        #expect([sample.x, sample.y, sample.z] == [-1.0, 2.0, 0.5])
    }

    @Test func `a sample made from g is written as it would be sent`() throws {
        let sample = try Accelerometer.Data(x: 1.0, y: 0.5, z: -1.5)
        #expect(sample.rawValue == [-64, -32, -96])
        #expect(SerDe.serialize(sample) == Accelerometer.Data.initialValue)
    }

    @Test(arguments: Int8.min...Int8.max)
    func `every raw number survives the way through g`(raw: Int8) throws {
        let sample = try #require(Accelerometer.Data(rawValue: [raw, raw, raw]))
        #expect(try Accelerometer.Data(x: sample.x, y: sample.y, z: sample.z) == sample)
    }

    @Test(arguments: [
        (-2.0, 0.0, 0.0, 0), (2.1, 0, 0, 0), (0, -2.0, 0, 1), (0, .infinity, 0, 1), (0, 0, 2.0, 2), (0, 0, .nan, 2),
    ])
    func `an acceleration that a byte cannot hold is refused with the offset of its axis`(
        x: Double, y: Double, z: Double, offset: Int
    ) {
        #expect(throws: SerDeError.invalidValue(offset: offset)) { try Accelerometer.Data(x: x, y: y, z: z) }
    }

    @Test(arguments: [[], [1], [1, 2], [1, 2, 3, 4]] as [[Int8]])
    func `a sample needs exactly three numbers`(raw: [Int8]) {
        #expect(Accelerometer.Data(rawValue: raw) == nil)
    }

    @Test(arguments: 0..<3)
    func `a cut sample tells how much was needed and how much there was`(count: Int) {
        #expect(throws: SerDeError.truncated(needed: 3, available: count, offset: 0)) {
            try SerDe.deserialize(Bytes(repeating: 1, count: count), as: Accelerometer.Data.self)
        }
    }

    @Test func `a sample with a byte too many is rejected, or read when surplus bytes are ignored`() throws {
        let bytes: Bytes = [1, 2, 3, 4]
        #expect(throws: SerDeError.trailingBytes(1)) { try SerDe.deserialize(bytes, as: Accelerometer.Data.self) }
        #expect(try SerDe.deserialize(bytes, as: Accelerometer.Data.self, surplus: .ignore).rawValue == [1, 2, 3])
    }

    @Test(arguments: zip(Accelerometer.Enabled.allCases, [[0], [1]] as [Bytes]))
    func `the switch is one byte`(value: TISensorTag.AccelerometerService.Enabled, bytes: Bytes) throws {
        #expect(SerDe.serialize(value) == bytes)
        #expect(try SerDe.deserialize(bytes) == value)
        #expect(Accelerometer.Enabled(boolValue: value.boolValue) == value)
    }

    @Test(arguments: 2...UInt8.max)
    func `a switch that is neither no nor yes is refused`(byte: UInt8) {
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try SerDe.deserialize([byte] as Bytes, as: Accelerometer.Enabled.self)
        }
    }

    @Test(arguments: [(0, 10), (1, 10), (2, 20), (100, 1000), (255, 2550)])
    func `the period counts 10 ms and is never below 10`(raw: UInt8, milliseconds: Int) throws {
        let period: Accelerometer.UpdatePeriod = try SerDe.deserialize([raw] as Bytes)
        #expect(period.milliseconds == milliseconds)
        #expect(SerDe.serialize(period) == [raw])
    }

    @Test(arguments: [(10, 1), (14, 1), (15, 2), (1000, 100), (2550, 255)])
    func `a period from milliseconds is rounded to 10`(milliseconds: Int, raw: UInt8) throws {
        #expect(try Accelerometer.UpdatePeriod(milliseconds: milliseconds).rawValue == raw)
    }

    @Test(arguments: [Int.min, -10, 0, 9, 2551, Int.max])
    func `a period that a byte cannot hold is refused`(milliseconds: Int) {
        #expect(throws: SerDeError.invalidValue()) { try Accelerometer.UpdatePeriod(milliseconds: milliseconds) }
    }
}
