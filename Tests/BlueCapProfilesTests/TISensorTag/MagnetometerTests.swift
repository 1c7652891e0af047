// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

private typealias Magnetometer = TISensorTag.MagnetometerService

@Suite("The SensorTag magnetometer", .timeLimit(.minutes(60)))
struct MagnetometerTests {
    @Test func `the UUIDs stand on TI's base UUID`() {
        #expect(Magnetometer.uuid == "F000AA30-0451-4000-B000-000000000000")
        #expect(Magnetometer.Data.uuid == "F000AA31-0451-4000-B000-000000000000")
        #expect(Magnetometer.Enabled.uuid == "F000AA32-0451-4000-B000-000000000000")
        #expect(Magnetometer.UpdatePeriod.uuid == "F000AA33-0451-4000-B000-000000000000")
    }

    @Test func `names, tag and properties are those that both roles use`() {
        #expect([Magnetometer.name, Magnetometer.tag] == ["TI Magnetometer", "TI Sensor Tag"])
        #expect(Magnetometer.Data.name == "Magnetometer Data")
        #expect(Magnetometer.Enabled.name == "Magnetometer Enabled")
        #expect(Magnetometer.UpdatePeriod.name == "Magnetometer Update Period")
        #expect(Magnetometer.Data.properties == [.read, .notify])
        #expect(Magnetometer.Enabled.properties == [.read, .write])
        #expect(Magnetometer.UpdatePeriod.properties == [.read, .write])
    }

    // One count is 2000/65536 = 0.030517578125 µT: 2183 counts are 66.6199 µT, 1916 are 58.4717 and 1255 are 38.2996.
    @Test func `the initial value is −2183, 1916, 1255, in µT with x and y negated`() throws {
        let sample: Magnetometer.Data = try SerDe.deserialize(#require(Magnetometer.Data.initialValue))
        #expect(sample.rawValue == [-2183, 1916, 1255])
        #expect([sample.x, sample.y, sample.z] == [66.619873046875, -58.4716796875, 38.299560546875])
        #expect(
            sample.stringValue == [
                "x": "66.62", "y": "-58.47", "z": "38.30", "xRaw": "-2183", "yRaw": "1916", "zRaw": "1255",
            ])
    }

    @Test func `numbers are little-endian`() throws {
        let sample: Magnetometer.Data = try SerDe.deserialize([0x01, 0x00, 0x00, 0x01, 0xff, 0x7f] as Bytes)
        #expect(sample.rawValue == [1, 256, 32767])
    }

    @Test func `samples are six bytes and survive bytes and text`() throws {
        expectFixedSize(Magnetometer.Data.self, size: 6, valid: [1, 2, 3, 4, 5, 6])
    }

    @Test func `every raw number survives the way through µT`() throws {
        for raw in Int16.min...Int16.max {
            let sample = Magnetometer.Data(xRaw: raw, yRaw: raw, zRaw: raw)
            guard try Magnetometer.Data(x: sample.x, y: sample.y, z: sample.z) == sample else {
                Issue.record("\(raw) is lost")
                return
            }
        }
    }

    // x and y are negated, so they reach 1000 µT, which is 32768 counts, but not −1000; z the other way round.
    @Test(arguments: [
        (-1000.0, 0.0, 0.0, 0), (1000.1, 0, 0, 0), (0, -1000, 0, 2), (0, .nan, 0, 2), (0, 0, 1000, 4),
        (0, 0, -.infinity, 4),
    ])
    func `a field that the numbers cannot hold is refused with the offset of its axis`(
        x: Double, y: Double, z: Double, offset: Int
    ) {
        #expect(throws: SerDeError.invalidValue(offset: offset)) { try Magnetometer.Data(x: x, y: y, z: z) }
    }

    @Test func `only raw numbers are taken from text, and only those in range`() {
        #expect(Magnetometer.Data(stringValue: ["x": "1.00", "y": "1.00", "z": "1.00"]) == nil)
        #expect(Magnetometer.Data(stringValue: ["xRaw": "1", "yRaw": "2"]) == nil)
        #expect(Magnetometer.Data(stringValue: ["xRaw": "32768", "yRaw": "2", "zRaw": "3"]) == nil)
        #expect(
            Magnetometer.Data(stringValue: ["x": "9", "xRaw": "1", "yRaw": "2", "zRaw": "3"])?.rawValue == [1, 2, 3])
    }

    @Test func `the switch is off at first, and one byte`() throws {
        expectChoices(Magnetometer.Enabled.self, ["No", "Yes"])
        expectFixedSize(Magnetometer.Enabled.self, size: 1, valid: [1])
        #expect(try SerDe.deserialize(#require(Magnetometer.Enabled.initialValue)) == Magnetometer.Enabled.no)
        #expect(Magnetometer.Enabled(boolValue: true) == .yes)
        #expect(Magnetometer.Enabled(boolValue: false).boolValue == false)
    }

    @Test func `the period is one byte of 10 ms each, two seconds at first`() throws {
        let initial: Magnetometer.UpdatePeriod = try SerDe.deserialize(#require(Magnetometer.UpdatePeriod.initialValue))
        #expect(initial.milliseconds == 2000)
        #expect(initial.stringValue == ["period": "2000", "periodRaw": "200"])
        #expect(Magnetometer.UpdatePeriod(rawValue: 0).milliseconds == 10)
        #expect(try Magnetometer.UpdatePeriod(milliseconds: 2550).rawValue == 255)
        #expect(throws: SerDeError.invalidValue()) { try Magnetometer.UpdatePeriod(milliseconds: 5000) }
        #expect(Magnetometer.UpdatePeriod(stringValue: ["period": "100"]) == nil)
        expectFixedSize(Magnetometer.UpdatePeriod.self, size: 1, valid: [100])
    }
}
