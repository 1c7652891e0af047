// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

private typealias Hygrometer = TISensorTag.HygrometerService

@Suite("The SensorTag hygrometer", .timeLimit(.minutes(60)))
struct HygrometerTests {
    @Test func `UUIDs, names, tag and properties are those that both roles use`() {
        #expect(Hygrometer.uuid == "F000AA20-0451-4000-B000-000000000000")
        #expect(Hygrometer.Data.uuid == "F000AA21-0451-4000-B000-000000000000")
        #expect(Hygrometer.Enabled.uuid == "F000AA22-0451-4000-B000-000000000000")
        #expect([Hygrometer.name, Hygrometer.tag] == ["TI Hygrometer", "TI Sensor Tag"])
        #expect([Hygrometer.Data.name, Hygrometer.Enabled.name] == ["Hygrometer Data", "Hygrometer Enabled"])
        #expect(Hygrometer.Data.properties == [.read, .notify])
        #expect(Hygrometer.Enabled.properties == [.read, .write])
    }

    // −46.86 + 175.72·2600/65536 = −46.86 + 6.97131 = −39.88869 °C; −6 + 125·3500/65536 = −6 + 6.67572 = 0.67572 %.
    @Test func `the initial value is 2600, 3500: −39.89 °C and 0.68 %`() throws {
        let sample: Hygrometer.Data = try SerDe.deserialize(#require(Hygrometer.Data.initialValue))
        #expect(sample.rawValue == [2600, 3500])
        #expect(
            sample.stringValue == [
                "temperature": "-39.89", "humidity": "0.68", "temperatureRaw": "2600", "humidityRaw": "3500",
            ])
    }

    // A half of the range: −46.86 + 87.86 = 41 °C; −6 + 62.5 = 56.5 %.
    @Test func `the middle of the range is 41 °C and 56.5 %`() throws {
        let sample = Hygrometer.Data(temperatureRaw: 0x8000, humidityRaw: 0x8000)
        #expect(sample.temperature.isClose(to: 41, within: 1e-9))
        #expect(sample.humidity == 56.5)
        #expect(try Hygrometer.Data(temperature: 41, humidity: 56.5) == sample)
    }

    @Test func `every raw number survives the way through °C and percent`() throws {
        for raw in UInt16.min...UInt16.max {
            let sample = Hygrometer.Data(temperatureRaw: raw, humidityRaw: raw)
            guard try Hygrometer.Data(temperature: sample.temperature, humidity: sample.humidity) == sample else {
                Issue.record("\(raw) is lost")
                return
            }
        }
    }

    @Test(arguments: [
        (-46.9, 50.0, 0), (128.9, 50, 0), (.nan, 50, 0), (20, -6.1, 2), (20, 119, 2), (20, .infinity, 2),
    ])
    func `a quantity that the numbers cannot hold is refused with its offset`(
        temperature: Double, humidity: Double, offset: Int
    ) {
        #expect(throws: SerDeError.invalidValue(offset: offset)) {
            try Hygrometer.Data(temperature: temperature, humidity: humidity)
        }
    }

    @Test func `samples are four bytes, the temperature's first, and survive bytes and text`() throws {
        #expect(try SerDe.deserialize([1, 2, 3, 4] as Bytes, as: Hygrometer.Data.self).rawValue == [0x0201, 0x0403])
        expectFixedSize(Hygrometer.Data.self, size: 4, valid: [1, 2, 3, 4])
        #expect(Hygrometer.Data(rawValue: []) == nil)
        #expect(Hygrometer.Data(stringValue: ["temperature": "20.00", "humidity": "50.00"]) == nil)
        #expect(Hygrometer.Data(stringValue: ["temperatureRaw": "-1", "humidityRaw": "1"]) == nil)
    }

    @Test func `the switch is off at first, and one byte`() throws {
        expectChoices(Hygrometer.Enabled.self, ["No", "Yes"])
        #expect(try SerDe.deserialize(#require(Hygrometer.Enabled.initialValue)) == Hygrometer.Enabled.no)
    }
}
