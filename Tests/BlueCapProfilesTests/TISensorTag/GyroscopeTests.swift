// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

private typealias Gyroscope = TISensorTag.GyroscopeService

@Suite("The SensorTag gyroscope", .timeLimit(.minutes(60)))
struct GyroscopeTests {
    @Test func `UUIDs, names, tag and properties are those that both roles use`() {
        #expect(Gyroscope.uuid == "F000AA50-0451-4000-B000-000000000000")
        #expect(Gyroscope.Data.uuid == "F000AA51-0451-4000-B000-000000000000")
        #expect(Gyroscope.Enabled.uuid == "F000AA52-0451-4000-B000-000000000000")
        #expect([Gyroscope.name, Gyroscope.tag] == ["TI Gyroscope", "TI Sensor Tag"])
        #expect([Gyroscope.Data.name, Gyroscope.Enabled.name] == ["Gyroscope Data", "Gyroscope Enabled"])
        #expect(Gyroscope.Data.properties == [.read, .notify])
        #expect(Gyroscope.Enabled.properties == [.read, .write])
    }

    // One count is 500/65536 = 0.00762939453125 °/s: 24 counts are 0.1831 °/s, 219 are 1.6708 and 23 are 0.1755.
    @Test func `the initial value is −24, −219, −23, in °/s with x and y negated`() throws {
        let sample: Gyroscope.Data = try SerDe.deserialize(#require(Gyroscope.Data.initialValue))
        #expect(sample.rawValue == [-24, -219, -23])
        #expect([sample.x, sample.y, sample.z] == [0.18310546875, 1.67083740234375, -0.17547607421875])
        #expect(
            sample.stringValue == [
                "x": "0.18", "y": "1.67", "z": "-0.18", "xRaw": "-24", "yRaw": "-219", "zRaw": "-23",
            ])
    }

    @Test func `samples are six bytes and survive bytes and text`() {
        expectFixedSize(Gyroscope.Data.self, size: 6, valid: [1, 2, 3, 4, 5, 6])
    }

    @Test func `every raw number survives the way through °/s`() throws {
        for raw in Int16.min...Int16.max {
            let sample = Gyroscope.Data(xRaw: raw, yRaw: raw, zRaw: raw)
            guard try Gyroscope.Data(x: sample.x, y: sample.y, z: sample.z) == sample else {
                Issue.record("\(raw) is lost")
                return
            }
        }
    }

    @Test(arguments: [(-250.0, 0.0, 0.0, 0), (0, 250.1, 0, 2), (0, 0, 250, 4)])
    func `a rate that the numbers cannot hold is refused with the offset of its axis`(
        x: Double, y: Double, z: Double, offset: Int
    ) {
        #expect(throws: SerDeError.invalidValue(offset: offset)) { try Gyroscope.Data(x: x, y: y, z: z) }
    }

    @Test func `the switch has a bit for each axis and is off at first`() throws {
        expectChoices(
            Gyroscope.Enabled.self, ["No", "XAxis", "YAxis", "XYAxis", "ZAxis", "XZAxis", "YZAxis", "XYZAxis"])
        expectFixedSize(Gyroscope.Enabled.self, size: 1, valid: [7])
        #expect(try SerDe.deserialize(#require(Gyroscope.Enabled.initialValue)) == Gyroscope.Enabled.no)
        let xz = Gyroscope.Enabled.xzAxis
        #expect([xz.isXEnabled, xz.isYEnabled, xz.isZEnabled] == [true, false, true])
    }
}
