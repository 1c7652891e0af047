// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("Thermometers, blood pressure monitors and scales", .timeLimit(.minutes(60)))
struct HealthTests {
    private let noon: DateTime

    init() throws { noon = try DateTime(year: 2024, month: 2, day: 29, hours: 12, minutes: 30, seconds: 15) }

    /// 2024 is 0x07e8.
    private let noonBytes: Bytes = [0xe8, 0x07, 2, 29, 12, 30, 15]

    @Test func `the UUIDs are the assigned ones`() {
        #expect(HealthThermometerService.uuid == BluetoothUUID(UInt16(0x1809)))
        #expect(HealthThermometerService.Measurement.uuid == BluetoothUUID(UInt16(0x2a1c)))
        #expect(HealthThermometerService.TemperatureType.uuid == BluetoothUUID(UInt16(0x2a1d)))
        #expect(HealthThermometerService.IntermediateTemperature.uuid == BluetoothUUID(UInt16(0x2a1e)))
        #expect(HealthThermometerService.MeasurementInterval.uuid == BluetoothUUID(UInt16(0x2a21)))
        #expect(BloodPressureService.uuid == BluetoothUUID(UInt16(0x1810)))
        #expect(BloodPressureService.Measurement.uuid == BluetoothUUID(UInt16(0x2a35)))
        #expect(BloodPressureService.IntermediateCuffPressure.uuid == BluetoothUUID(UInt16(0x2a36)))
        #expect(BloodPressureService.Feature.uuid == BluetoothUUID(UInt16(0x2a49)))
        #expect(WeightScaleService.uuid == BluetoothUUID(UInt16(0x181d)))
        #expect(WeightScaleService.Measurement.uuid == BluetoothUUID(UInt16(0x2a9d)))
        #expect(WeightScaleService.Feature.uuid == BluetoothUUID(UInt16(0x2a9e)))
        #expect(BodyCompositionService.uuid == BluetoothUUID(UInt16(0x181b)))
        #expect(BodyCompositionService.Measurement.uuid == BluetoothUUID(UInt16(0x2a9c)))
        #expect(BodyCompositionService.Feature.uuid == BluetoothUUID(UInt16(0x2a9b)))
    }

    @Test func `a temperature is a FLOAT, with the time and the place behind it`() throws {
        // 36.4 = 364 × 10^−1: mantissa 0x00016c, exponent 0xff.
        let float = try #require(MedFloat(mantissa: 364, exponent: -1))
        var value = HealthThermometerService.Measurement(temperature: float)
        expectBytes(value, [0x00, 0x6c, 0x01, 0x00, 0xff])
        value.timeStamp = noon
        value.type = .ear
        expectBytes(value, [0x06, 0x6c, 0x01, 0x00, 0xff] + noonBytes + [3])
        #expect(value.stringValue["temperature"] == "36.4")
        #expect(value.stringValue["type"] == "Ear (usually ear lobe)")
        expectBytes(HealthThermometerService.IntermediateTemperature(value), SerDe.serialize(value))
    }

    @Test func `a temperature in Fahrenheit can be had in Celsius`() throws {
        // 98.6 °F = 986 × 10^−1: 0x0003da.
        let float = try #require(MedFloat(mantissa: 986, exponent: -1))
        let value = HealthThermometerService.Measurement(temperature: float, unit: .fahrenheit)
        expectBytes(value, [0x01, 0xda, 0x03, 0x00, 0xff])
        #expect(abs(value.celsius - 37) < 1e-9)
    }

    @Test func `a place without a name and an interval of none are values too`() {
        expectBytes(HealthThermometerService.TemperatureType(rawValue: 77), [77])
        expectBytes(HealthThermometerService.MeasurementInterval(rawValue: 0), [0, 0])
        expectBytes(HealthThermometerService.MeasurementInterval(rawValue: 300), [0x2c, 0x01])
    }

    @Test func `a blood pressure has three SFLOATs, and all else behind them`() throws {
        var value = BloodPressureService.Measurement()
        value.systolic = try #require(SFloat(mantissa: 120, exponent: 0))  // 0x0078
        value.diastolic = try #require(SFloat(mantissa: 80, exponent: 0))  // 0x0050
        value.meanArterialPressure = try #require(SFloat(mantissa: 93, exponent: 0))  // 0x005d
        expectBytes(value, [0x00, 0x78, 0x00, 0x50, 0x00, 0x5d, 0x00])
        value.unit = .kilopascals
        value.systolic = try #require(SFloat(mantissa: 160, exponent: -1))  // 16.0: 0xf0a0
        value.timeStamp = noon
        value.pulseRate = SFloat(mantissa: 60, exponent: 0)  // 0x003c
        value.userID = 2
        value.status = [.cuffTooLoose, .pulseRateTooLow]  // 0x0012
        expectBytes(
            value,
            [0x1f, 0xa0, 0xf0, 0x50, 0x00, 0x5d, 0x00] + noonBytes + [0x3c, 0x00, 0x02, 0x12, 0x00])
        #expect(value.stringValue["status"] == "Cuff Too Loose, Pulse Rate Too Low")
    }

    @Test func `the pressure in the cuff has NaN for what is not known yet`() throws {
        var value = BloodPressureService.Measurement()
        value.systolic = try #require(SFloat(mantissa: 100, exponent: 0))
        // NaN is 0x07ff.
        expectBytes(
            BloodPressureService.IntermediateCuffPressure(value), [0x00, 0x64, 0x00, 0xff, 0x07, 0xff, 0x07])
    }

    @Test func `a weight is counted in 0.005 kg or 0.01 lb`() throws {
        var value = WeightScaleService.Measurement()
        value.weightRaw = try value.system.rawMass(70)  // 14000 = 0x36b0
        expectBytes(value, [0x00, 0xb0, 0x36])
        #expect(value.weight == 70)
        #expect(value.stringValue["weight"] == "70.000")
        value.system = .imperial
        value.weightRaw = try value.system.rawMass(154.32)  // 15432 = 0x3c48
        value.timeStamp = noon
        value.userID = 255
        // 22.5 = 225 = 0x00e1; 70.5 in = 705 = 0x02c1.
        value.bodyMass = .init(index: try Scaled(22.5), heightRaw: try value.system.rawHeight(70.5))
        expectBytes(value, [0x0f, 0x48, 0x3c] + noonBytes + [0xff, 0xe1, 0x00, 0xc1, 0x02])
        #expect(value.weight == 154.32)
        #expect(value.height == 70.5)
    }

    @Test func `a weight that was not measured is none, and one out of range is refused`() {
        var value = WeightScaleService.Measurement()
        value.weightRaw = 65535
        #expect(value.weight == nil)
        #expect(throws: SerDeError.invalidValue()) { try MeasurementSystem.metric.rawMass(-1) }
        #expect(throws: SerDeError.invalidValue()) { try MeasurementSystem.imperial.rawMass(700) }
        #expect(throws: SerDeError.invalidValue()) { try MeasurementSystem.metric.rawHeight(.nan) }
    }

    @Test func `a weight and a share of fat that were not measured are unknown in text`() {
        var weight = WeightScaleService.Measurement()
        weight.weightRaw = 65535
        expectBytes(weight, [0x00, 0xff, 0xff])
        #expect(weight.stringValue["weight"] == "unknown")
        #expect(WeightScaleService.Measurement(stringValue: ["system": "metric", "weight": "327.675"]) == nil)
        var body = BodyCompositionService.Measurement()
        body.bodyFatPercentage = Scaled(rawValue: 65535)
        expectBytes(body, [0x00, 0x00, 0xff, 0xff])
        #expect(body.stringValue["bodyFatPercentage"] == "unknown")
    }

    @Test func `a scale's feature holds flags and two resolutions`() {
        var value = WeightScaleService.Feature()
        value.options = [.timeStamp, .bodyMassIndex]  // 0x5
        value.massResolution = .grams5  // 7 << 3 = 0x38
        value.heightResolution = .millimetre1  // 3 << 7 = 0x180
        expectBytes(value, [0xbd, 0x01, 0x00, 0x00])
        #expect(value.stringValue["massResolution"] == "0.005 kg or 0.01 lb")
    }

    @Test func `a body's composition has its fields in the order of their flags`() throws {
        var value = BodyCompositionService.Measurement()
        value.bodyFatPercentage = try Scaled(18.5)  // 185 = 0x00b9
        expectBytes(value, [0x00, 0x00, 0xb9, 0x00])
        value.timeStamp = noon
        value.userID = 1
        value.basalMetabolism = 7000  // 0x1b58
        value.musclePercentage = try Scaled(40)  // 400 = 0x0190
        value.muscleMassRaw = 1
        value.fatFreeMassRaw = 2
        value.softLeanMassRaw = 3
        value.bodyWaterMassRaw = 4
        value.impedance = try Scaled(500)  // 5000 = 0x1388
        value.weightRaw = try value.system.rawMass(70)  // 0x36b0
        value.heightRaw = try value.system.rawHeight(1.75)  // 1750 = 0x06d6
        value.isMultiplePacket = true
        expectBytes(
            value,
            [0xfe, 0x1f, 0xb9, 0x00] + noonBytes + [
                0x01, 0x58, 0x1b, 0x90, 0x01, 0x01, 0x00, 0x02, 0x00, 0x03, 0x00, 0x04, 0x00, 0x88, 0x13, 0xb0, 0x36,
                0xd6, 0x06,
            ])
        #expect(value.height == 1.75)
        #expect(value.muscleMass == 0.005)
    }

    @Test func `a body analyser's feature holds flags and two resolutions`() {
        var value = BodyCompositionService.Feature()
        value.options = [.timeStamp, .height]  // 0x401
        value.massResolution = .grams500  // 1 << 11 = 0x800
        value.heightResolution = .millimetres5  // 2 << 15 = 0x10000
        expectBytes(value, [0x01, 0x0c, 0x01, 0x00])
    }

    @Test func `reserved flags and bytes behind the known fields are passed over`() throws {
        let pressure: BloodPressureService.Measurement = try SerDe.deserialize(
            [0xe0, 0x78, 0x00, 0x50, 0x00, 0x5d, 0x00, 9, 9, 9] as Bytes)
        #expect(pressure.systolic.doubleValue == 120)
        let weight: WeightScaleService.Measurement = try SerDe.deserialize([0xf0, 0xb0, 0x36, 9] as Bytes)
        #expect(weight.weight == 70)
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: HealthThermometerService.Measurement.self, atLeast: 100)
        expectRoundTrips(of: HealthThermometerService.IntermediateTemperature.self, atLeast: 100)
        expectRoundTrips(of: HealthThermometerService.TemperatureType.self)
        expectRoundTrips(of: HealthThermometerService.MeasurementInterval.self)
        expectRoundTrips(of: BloodPressureService.Measurement.self, atLeast: 100)
        expectRoundTrips(of: BloodPressureService.IntermediateCuffPressure.self, atLeast: 100)
        expectRoundTrips(of: BloodPressureService.Feature.self)
    }

    @Test func `whatever decodes of scales survives bytes and text`() {
        expectRoundTrips(of: WeightScaleService.Measurement.self, atLeast: 100)
        expectRoundTrips(of: WeightScaleService.Feature.self)
        expectRoundTrips(of: BodyCompositionService.Measurement.self, atLeast: 100)
        expectRoundTrips(of: BodyCompositionService.Feature.self)
    }
}
