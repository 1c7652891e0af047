// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

private typealias Barometer = TISensorTag.BarometerService

@Suite("The SensorTag barometer", .timeLimit(.minutes(60)))
struct BarometerTests {
    @Test func `UUIDs, names, tag and properties are those that both roles use`() {
        #expect(Barometer.uuid == "F000AA40-0451-4000-B000-000000000000")
        #expect(Barometer.Data.uuid == "F000AA41-0451-4000-B000-000000000000")
        #expect(Barometer.Enabled.uuid == "F000AA42-0451-4000-B000-000000000000")
        #expect(Barometer.CalibrationData.uuid == "F000AA43-0451-4000-B000-000000000000")
        #expect([Barometer.name, Barometer.tag] == ["TI Barometer", "TI Sensor Tag"])
        #expect(Barometer.Data.name == "Barometer Data")
        #expect(Barometer.Enabled.name == "Barometer Enabled")
        #expect(Barometer.CalibrationData.name == "Barometer Calibration Data")
        #expect(Barometer.Data.properties == [.read, .notify])
        #expect(Barometer.CalibrationData.properties == [.read, .notify])
        #expect(Barometer.Enabled.properties == [.read, .write])
    }

    @Test func `the initial sample and calibration are the documented ones`() throws {
        let sample: Barometer.Data = try SerDe.deserialize(#require(Barometer.Data.initialValue))
        #expect(sample == Barometer.Data(temperatureRaw: -2343, pressureRaw: 33995))
        let calibration: Barometer.CalibrationData = try SerDe.deserialize(
            #require(Barometer.CalibrationData.initialValue))
        #expect(calibration.rawValue1 == [45697, 25592, 48894, 36174])
        #expect(calibration.rawValue2 == [7001, 1990, -2369, 5542])
    }

    // t = −2343, t² = 5489649, p = 33995.
    // T = 25592/1024 + 45697·−2343/16777216 = 24.99219 − 6.38176 = 18.61043 °C.
    // S = 48894 + 36174·−2343/131072 + 7001·5489649/17179869184 = 48894 − 646.63455 + 2.23711 = 48249.60256.
    // O = 1990·16384 − 2369·−2343/8 + 5542·5489649/524288 = 32604160 + 693820.875 + 58028.47816 = 33356009.35316.
    // P = (48249.60256·33995 + 33356009.35316)/16384 = 102148.5137 Pa.
    @Test func `pressure and temperature follow from a sample and the calibration`() throws {
        let sample = Barometer.Data(temperatureRaw: -2343, pressureRaw: 33995)
        let calibration = try #require(
            Barometer.CalibrationData(
                rawValue1: [45697, 25592, 48894, 36174], rawValue2: [7001, 1990, -2369, 5542]))
        #expect(sample.temperature(using: calibration).isClose(to: 18.610433161, within: 1e-8))
        #expect(sample.pressure(using: calibration).isClose(to: 102148.513695, within: 1e-5))
    }

    // With t = 0 only c2, c3 and c6 count: T = c2/1024, P = (c3·p + c6·16384)/16384.
    @Test func `at a raw temperature of zero the slopes do not count`() throws {
        let calibration = try #require(
            Barometer.CalibrationData(rawValue1: [9, 2048, 16384, 9], rawValue2: [9, -5, 9, 9]))
        let sample = Barometer.Data(temperatureRaw: 0, pressureRaw: 1000)
        #expect(sample.temperature(using: calibration) == 2)
        #expect(sample.pressure(using: calibration) == 995)
    }

    @Test func `samples are four bytes, the temperature's first, and survive bytes and text`() throws {
        let sample: Barometer.Data = try SerDe.deserialize([0xff, 0xff, 0xfe, 0xff] as Bytes)
        #expect(sample.rawValue1 == -1)
        #expect(sample.rawValue2 == 65534)
        #expect(sample.stringValue == ["temperatureRaw": "-1", "pressureRaw": "65534"])
        expectFixedSize(Barometer.Data.self, size: 4, valid: [1, 2, 3, 4])
        #expect(Barometer.Data(stringValue: ["temperatureRaw": "1", "pressureRaw": "-1"]) == nil)
        #expect(Barometer.Data(stringValue: ["temperatureRaw": "1"]) == nil)
    }

    @Test func `a calibration is sixteen bytes and survives bytes and text`() throws {
        let bytes: Bytes = [1, 0, 2, 0, 3, 0, 0xff, 0xff, 5, 0, 6, 0, 7, 0, 0xff, 0xff]
        let calibration: Barometer.CalibrationData = try SerDe.deserialize(bytes)
        #expect(
            calibration.stringValue == [
                "c1": "1", "c2": "2", "c3": "3", "c4": "65535", "c5": "5", "c6": "6", "c7": "7", "c8": "-1",
            ])
        expectFixedSize(Barometer.CalibrationData.self, size: 16, valid: bytes)
    }

    @Test func `a calibration lacks no coefficient`() throws {
        #expect(Barometer.CalibrationData(rawValue1: [1, 2, 3], rawValue2: [5, 6, 7, 8]) == nil)
        #expect(Barometer.CalibrationData(rawValue1: [1, 2, 3, 4], rawValue2: [5, 6, 7, 8, 9]) == nil)
        let calibration: Barometer.CalibrationData = try SerDe.deserialize(
            #require(Barometer.CalibrationData.initialValue))
        for name in calibration.stringValue.keys {
            var texts = calibration.stringValue
            texts[name] = nil
            #expect(Barometer.CalibrationData(stringValue: texts) == nil)
            texts[name] = "65536"
            #expect(Barometer.CalibrationData(stringValue: texts) == nil)
        }
    }

    @Test func `the switch knows calibration and is off at first`() throws {
        expectChoices(Barometer.Enabled.self, ["No", "Yes", "Calibrate"])
        expectFixedSize(Barometer.Enabled.self, size: 1, valid: [2])
        #expect(try SerDe.deserialize(#require(Barometer.Enabled.initialValue)) == Barometer.Enabled.no)
        #expect(Barometer.Enabled(boolValue: true) == .yes)
        #expect(Barometer.Enabled.calibrate.boolValue == false)
    }
}
