// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

private typealias Temperature = TISensorTag.TemperatureService

@Suite("The SensorTag thermometer", .timeLimit(.minutes(60)))
struct TemperatureTests {
    @Test func `UUIDs, names, tag and properties are those that both roles use`() {
        #expect(Temperature.uuid == "F000AA00-0451-4000-B000-000000000000")
        #expect(Temperature.Data.uuid == "F000AA01-0451-4000-B000-000000000000")
        #expect(Temperature.Enabled.uuid == "F000AA02-0451-4000-B000-000000000000")
        #expect([Temperature.name, Temperature.tag] == ["TI Temperature", "TI Sensor Tag"])
        #expect([Temperature.Data.name, Temperature.Enabled.name] == ["Temperature Data", "Temperature Enabled"])
        #expect(Temperature.Data.properties == [.read, .notify])
        #expect(Temperature.Enabled.properties == [.read, .write])
    }

    // Ambient: 3388/128 = 26.46875 °C, so Td = 299.61875 K, Δ = 1.46875.
    // V = −172·1.5625e-7 = −2.6875e-5. S = 6.4e-14·(1 + 2.5703e-3 − 3.62e-5) = 6.416218e-14.
    // Vos = −2.94e-5 − 8.3719e-7 + 9.988e-9 = −3.0227200e-5. f = 3.3522e-6 + 13.4·(3.3522e-6)² = 3.3523501e-6.
    // f/S = 5.224807e7 K⁴; Td⁴ = 8.0590e9; the fourth root of the sum is 300.1032 K, 26.9532 °C.
    @Test func `the initial value is −172, 3388: 26.95 °C in front of a sensor of 26.47 °C`() throws {
        let sample: Temperature.Data = try SerDe.deserialize(#require(Temperature.Data.initialValue))
        #expect(sample.rawValue == [-172, 3388])
        #expect(sample.ambient == 26.46875)
        #expect(sample.object.isClose(to: 26.9532013, within: 1e-6))
        #expect(
            sample.stringValue == ["object": "26.95", "ambient": "26.47", "objectRaw": "-172", "ambientRaw": "3388"])
    }

    // At Δ = 0: S = 6.4e-14, Vos = −2.94e-5, V = 0, so f = 2.94e-5 + 13.4·8.6436e-10 = 2.9411582e-5 and f/S =
    // 4.5955598e8. (298.15⁴ + 4.5955598e8)^¼ = (7.9019694e9 + 4.5955598e8)^¼ = 302.3934 K.
    @Test func `no voltage at 25 °C means an object of 29.24 °C`() {
        let object = Temperature.Data(objectRaw: 0, ambientRaw: 25 * 128).object
        #expect(object.isClose(to: 29.2433958, within: 1e-6))
    }

    @Test func `a voltage that means an object below absolute zero is no number and has a text`() {
        let sample = Temperature.Data(objectRaw: .min, ambientRaw: 25 * 128)
        #expect(sample.object.isNaN)
        #expect(sample.stringValue["object"] == "nan")
        #expect(Temperature.Data(stringValue: sample.stringValue) == sample)
    }

    @Test func `a sample made from °C means the same °C, for sensors from −40 through 125 °C`() throws {
        for ambient in stride(from: -40.0, through: 125, by: 5) {
            for object in stride(from: -40.0, through: 250, by: 10) {
                let sample = try Temperature.Data(object: object, ambient: ambient)
                try #require(sample.ambient == ambient)
                // One count is at most 0.04 °C there.
                try #require(sample.object.isClose(to: object, within: 0.04), "\(object) at \(ambient)")
                try #require(try Temperature.Data(object: sample.object, ambient: sample.ambient) == sample)
            }
        }
    }

    @Test(arguments: [
        (25.0, 256.0, 2), (25, -256.1, 2), (25, .nan, 2), (-273.2, 25, 0), (2000, 25, 0), (.nan, 25, 0),
        (.infinity, 25, 0),
    ])
    func `a temperature that the numbers cannot hold is refused with its offset`(
        object: Double, ambient: Double, offset: Int
    ) {
        #expect(throws: SerDeError.invalidValue(offset: offset)) {
            try Temperature.Data(object: object, ambient: ambient)
        }
    }

    @Test func `samples are four bytes, the object's first, and survive bytes and text`() throws {
        #expect(try SerDe.deserialize([1, 2, 3, 4] as Bytes, as: Temperature.Data.self).rawValue == [0x0201, 0x0403])
        expectFixedSize(Temperature.Data.self, size: 4, valid: [1, 2, 3, 4])
        #expect(Temperature.Data(rawValue: [1]) == nil)
        #expect(Temperature.Data(rawValue: [1, 2, 3]) == nil)
    }

    @Test func `only raw numbers are taken from text`() {
        #expect(Temperature.Data(stringValue: ["object": "20.00", "ambient": "20.00"]) == nil)
        #expect(Temperature.Data(stringValue: ["objectRaw": "1", "ambientRaw": "-2"])?.rawValue == [1, -2])
    }

    @Test func `the switch is off at first, and one byte`() throws {
        expectChoices(Temperature.Enabled.self, ["No", "Yes"])
        #expect(try SerDe.deserialize(#require(Temperature.Enabled.initialValue)) == Temperature.Enabled.no)
    }
}
