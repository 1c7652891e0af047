// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias Sensing = EnvironmentalSensingService

@Suite("Environmental Sensing", .timeLimit(.minutes(60)))
struct EnvironmentalSensingTests {
    @Test func `a number is sent in steps of its unit, little-endian`() throws {
        // 23.4 °C is 2340 = 0x0924 hundredths; −40 °C is −4000 = 0xf060.
        expectBytes(try Sensing.Temperature(23.4), [0x24, 0x09])
        expectBytes(try Sensing.Temperature(-40), [0x60, 0xf0])
        // 55.5 % is 5550 = 0x15ae.
        expectBytes(try Sensing.Humidity(55.5), [0xae, 0x15])
        // 101325 Pa is 1013250 = 0x000f7602 tenths.
        expectBytes(try Sensing.Pressure(101_325), [0x02, 0x76, 0x0f, 0x00])
        // 0.012 m is 12 mm.
        expectBytes(try Sensing.Rainfall(0.012), [0x0c, 0x00])
        // 359.99° is 35999 = 0x8c9f.
        expectBytes(try Sensing.ApparentWindDirection(359.99), [0x9f, 0x8c])
        expectBytes(try Sensing.TrueWindDirection(90), [0x28, 0x23])
        expectBytes(try Sensing.MagneticDeclination(2.5), [0xfa, 0x00])
        // 12.34 m/s is 1234 = 0x04d2.
        expectBytes(try Sensing.ApparentWindSpeed(12.34), [0xd2, 0x04])
        expectBytes(try Sensing.TrueWindSpeed(12.34), [0xd2, 0x04])
        expectBytes(try Sensing.GustFactor(1.5), [0x0f])
        expectBytes(try Sensing.DewPoint(-5), [0xfb])
        expectBytes(try Sensing.HeatIndex(38), [0x26])
        expectBytes(try Sensing.WindChill(-12), [0xf4])
        expectBytes(try Sensing.UVIndex(7), [0x07])
        // 1000.5 W/m² is 10005 = 0x2715.
        expectBytes(try Sensing.Irradiance(1000.5), [0x15, 0x27])
        expectBytes(try Sensing.Noise(65), [0x41])
        expectBytes(try Sensing.CO2Concentration(420), [0xa4, 0x01])
        expectBytes(try Sensing.VOCConcentration(250), [0xfa, 0x00])
        // −1.5 m is −150 = 0xffff6a in 24 bits; 4808.73 m is 480873 = 0x075669.
        expectBytes(try Sensing.Elevation(-1.5), [0x6a, 0xff, 0xff])
        expectBytes(try Sensing.Elevation(4808.73), [0x69, 0x56, 0x07])
        // 70000 grains per cubic metre are 0x011170.
        expectBytes(try Sensing.PollenConcentration(70_000), [0x70, 0x11, 0x01])
    }

    @Test func `a concentration is a short decimal number`() throws {
        // 10 µg/m³ is 1 × 10⁻⁸ kg/m³: exponent −8 = 0x8 above mantissa 0x001.
        let dust = Sensing.PM25Concentration(rawValue: try #require(SFloat(mantissa: 1, exponent: -8)))
        expectBytes(dust, [0x01, 0x80])
        #expect(dust.value == 1e-8)
        #expect(dust.stringValue == ["Particulate Matter - PM2.5 Concentration": "0.00000001"])
        expectBytes(
            Sensing.MethaneConcentration(rawValue: try #require(SFloat(mantissa: 1900, exponent: 0))), [0x6c, 0x07])
        let missing: Sensing.OzoneConcentration = try SerDe.deserialize([0xff, 0x07] as Bytes)
        #expect(missing.value == nil)
        #expect(missing.stringValue == ["Ozone Concentration": "NaN"])
    }

    // The exponent stands in the upper four bits, the mantissa in the lower twelve, both two's complement; −8 is 0x8,
    // the least exponent there is, so 10 µg/m³ is the finest step.
    @Test(
        arguments: [
            // 0.18 g/m³ is 18 × 10⁻⁵: exponent 0xb, mantissa 0x012.
            (Sensing.AmmoniaConcentration.self, 1.8e-4, 18, -5, [0x12, 0xb0]),
            // 11.5 mg/m³ is 115 × 10⁻⁷: exponent 0x9, mantissa 0x073.
            (Sensing.CarbonMonoxideConcentration.self, 1.15e-5, 115, -7, [0x73, 0x90]),
            // 40 µg/m³ is 4 × 10⁻⁸.
            (Sensing.NitrogenDioxideConcentration.self, 4e-8, 4, -8, [0x04, 0x80]),
            // 0.5 g/m³ is 5 × 10⁻⁴: exponent 0xc.
            (Sensing.NonMethaneVOCConcentration.self, 5e-4, 5, -4, [0x05, 0xc0]),
            // 120 µg/m³ is 12 × 10⁻⁸: mantissa 0x00c.
            (Sensing.OzoneConcentration.self, 1.2e-7, 12, -8, [0x0c, 0x80]),
            // 20 µg/m³ is 2 × 10⁻⁸.
            (Sensing.PM1Concentration.self, 2e-8, 2, -8, [0x02, 0x80]),
            // 50 µg/m³ is 5 × 10⁻⁸.
            (Sensing.PM10Concentration.self, 5e-8, 5, -8, [0x05, 0x80]),
            // 350 µg/m³ is 35 × 10⁻⁸: mantissa 0x023.
            (Sensing.SulfurDioxideConcentration.self, 3.5e-7, 35, -8, [0x23, 0x80]),
            // 6.17 kg/m³ is 617 × 10⁻²: exponent 0xe, mantissa 0x269.
            (Sensing.SulfurHexafluorideConcentration.self, 6.17, 617, -2, [0x69, 0xe2]),
        ] as [(any MedicalFloatValue.Type, Double, Int, Int, Bytes)])
    func `a concentration is in kg/m³: mantissa and power of ten in 16 bits, little-endian`(
        type: any MedicalFloatValue.Type, value: Double, mantissa: Int, exponent: Int, bytes: Bytes
    ) throws {
        func expect<T: MedicalFloatValue>(_: T.Type) throws {
            let gas = T(rawValue: try #require(SFloat(mantissa: mantissa, exponent: exponent)))
            expectBytes(gas, bytes)
            #expect(try #require(gas.value).isClose(to: value, within: value * 1e-12))
            #expect(T.unit == "kg/m³")
        }
        try expect(type)
    }

    @Test func `a value that is not known has no number, and says so in text`() throws {
        let temperature: Sensing.Temperature = try SerDe.deserialize([0x00, 0x80] as Bytes)
        #expect(temperature == Sensing.Temperature.unknown)
        #expect(temperature.value == nil)
        #expect(temperature.stringValue == ["Temperature": "unknown"])
        #expect(Sensing.Humidity.initialValue == [0xff, 0xff])
        #expect(Sensing.Noise.unknown?.value == nil)
        #expect(Sensing.CO2Concentration.unknown?.rawValue == 0xffff)
        #expect(Sensing.VOCConcentration.unknown?.rawValue == 0xffff)
        #expect(Sensing.Pressure.unknown == nil)
        #expect(Sensing.Pressure(stringValue: ["Pressure": "unknown"]) == nil)
    }

    @Test func `a number outside the specified range is read but not made`() throws {
        let fog: Sensing.Humidity = try SerDe.deserialize([0x74, 0x27] as Bytes)  // 10100 hundredths.
        #expect(fog.value == 101)
        #expect(!fog.isInRange)
        #expect(throws: SerDeError.invalidValue()) { try Sensing.Humidity(100.01) }
        #expect(throws: SerDeError.invalidValue()) { try Sensing.Temperature(-273.16) }
        #expect(throws: SerDeError.invalidValue()) { try Sensing.Temperature(327.68) }
        #expect(throws: SerDeError.invalidValue()) { try Sensing.TrueWindDirection(360) }
        #expect(throws: SerDeError.invalidValue()) { try Sensing.Elevation(83_886.08) }
        #expect(throws: SerDeError.invalidValue()) { try Sensing.Noise(255) }
        #expect(throws: SerDeError.invalidValue()) { try Sensing.Noise(.nan) }
        #expect(throws: SerDeError.invalidValue()) { try Sensing.Noise(.infinity) }
        #expect(try Sensing.Temperature(327.67).rawValue == .max)
    }

    @Test(arguments: ["", "warm", "1,5", "400", "-400"])
    func `text that is no number is refused`(text: String) {
        #expect(Sensing.Temperature(stringValue: ["Temperature": text]) == nil)
        #expect(Sensing.Temperature(stringValue: ["Humidity": "1"]) == nil)
    }

    @Test func `numbers of 16 bits survive bytes, text and the way through its unit`() throws {
        let lost = try stride(from: Int16.min, through: .max, by: 9).filter { raw in
            let value = Sensing.Temperature(rawValue: raw)
            guard Sensing.Temperature(stringValue: value.stringValue) == value else { return true }
            // −273.15 °C is absolute zero; below it no value is made.
            return try raw >= -27315 && Sensing.Temperature(value.value ?? .nan) != value
        }
        #expect(lost == [])
    }

    @Test func `flux density is in tenths of a microtesla along each axis`() throws {
        // 48.2 µT is 482 = 0x01e2; −20 µT is −200 = 0xff38.
        expectBytes(
            Sensing.MagneticFluxDensity2D(x: try Scaled(48.2), y: try Scaled(-20)), [0xe2, 0x01, 0x38, 0xff])
        let three = Sensing.MagneticFluxDensity3D(x: try Scaled(48.2), y: try Scaled(-20), z: try Scaled(0.1))
        expectBytes(three, [0xe2, 0x01, 0x38, 0xff, 0x01, 0x00])
        #expect(three.stringValue == ["x": "48.2", "y": "-20.0", "z": "0.1"])
    }

    @Test func `a pressure trend is one byte; reserved ones are refused`() {
        for trend in Sensing.BarometricPressureTrend.allCases { expectBytes(trend, [trend.rawValue]) }
        for byte in UInt8(10)...255 {
            #expect(throws: SerDeError.invalidValue(offset: 0)) {
                try SerDe.deserialize([byte], as: Sensing.BarometricPressureTrend.self)
            }
        }
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: Sensing.ApparentWindDirection.self, size: 2)
        expectRoundTrips(of: Sensing.ApparentWindSpeed.self, size: 2)
        expectRoundTrips(of: Sensing.TrueWindDirection.self, size: 2)
        expectRoundTrips(of: Sensing.TrueWindSpeed.self, size: 2)
        expectRoundTrips(of: Sensing.GustFactor.self, size: 1)
        expectRoundTrips(of: Sensing.DewPoint.self, size: 1)
        expectRoundTrips(of: Sensing.HeatIndex.self, size: 1)
        expectRoundTrips(of: Sensing.WindChill.self, size: 1)
        expectRoundTrips(of: Sensing.Humidity.self, size: 2)
        expectRoundTrips(of: Sensing.Pressure.self, size: 4)
        expectRoundTrips(of: Sensing.Rainfall.self, size: 2)
        expectRoundTrips(of: Sensing.UVIndex.self, size: 1)
        expectRoundTrips(of: Sensing.Irradiance.self, size: 2)
        expectRoundTrips(of: Sensing.Noise.self, size: 1)
        expectRoundTrips(of: Sensing.Elevation.self, size: 3)
        expectRoundTrips(of: Sensing.PollenConcentration.self, size: 3)
        expectRoundTrips(of: Sensing.MagneticDeclination.self, size: 2)
        expectRoundTrips(of: Sensing.MagneticFluxDensity2D.self, size: 4)
        expectRoundTrips(of: Sensing.MagneticFluxDensity3D.self, size: 6)
        expectRoundTrips(of: Sensing.BarometricPressureTrend.self, size: 1, atLeast: 30)
        expectRoundTrips(of: Sensing.CO2Concentration.self, size: 2)
        expectRoundTrips(of: Sensing.VOCConcentration.self, size: 2)
    }

    @Test func `whatever concentration decodes survives bytes and text`() {
        expectRoundTrips(of: Sensing.AmmoniaConcentration.self, size: 2)
        expectRoundTrips(of: Sensing.CarbonMonoxideConcentration.self, size: 2)
        expectRoundTrips(of: Sensing.MethaneConcentration.self, size: 2)
        expectRoundTrips(of: Sensing.NitrogenDioxideConcentration.self, size: 2)
        expectRoundTrips(of: Sensing.NonMethaneVOCConcentration.self, size: 2)
        expectRoundTrips(of: Sensing.OzoneConcentration.self, size: 2)
        expectRoundTrips(of: Sensing.PM1Concentration.self, size: 2)
        expectRoundTrips(of: Sensing.PM25Concentration.self, size: 2)
        expectRoundTrips(of: Sensing.PM10Concentration.self, size: 2)
        expectRoundTrips(of: Sensing.SulfurDioxideConcentration.self, size: 2)
        expectRoundTrips(of: Sensing.SulfurHexafluorideConcentration.self, size: 2)
    }
}
