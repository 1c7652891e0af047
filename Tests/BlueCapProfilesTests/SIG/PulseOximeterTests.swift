// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias Oximeter = PulseOximeterService

@Suite("The pulse oximeter", .timeLimit(.minutes(60)))
struct PulseOximeterTests {
    // 97 % is 0x0061 and 60 per minute 0x003c, both with exponent 0.
    private let saturation: Oximeter.Saturation

    init() throws {
        saturation = .init(
            oxygen: try #require(SFloat(mantissa: 97, exponent: 0)),
            pulseRate: try #require(SFloat(mantissa: 60, exponent: 0)))
    }

    @Test func `the UUIDs are the assigned ones`() {
        #expect(Oximeter.uuid == BluetoothUUID(UInt16(0x1822)))
        #expect(Oximeter.SpotCheckMeasurement.uuid == BluetoothUUID(UInt16(0x2a5e)))
        #expect(Oximeter.ContinuousMeasurement.uuid == BluetoothUUID(UInt16(0x2a5f)))
        #expect(Oximeter.Features.uuid == BluetoothUUID(UInt16(0x2a60)))
        #expect(Oximeter.RecordAccessControlPoint.uuid == BluetoothUUID(UInt16(0x2a52)))
    }

    @Test func `a spot check has its fields in the order of their flags`() throws {
        var value = Oximeter.SpotCheckMeasurement(saturation: saturation)
        expectBytes(value, [0x00, 0x61, 0x00, 0x3c, 0x00])
        value.timeStamp = try DateTime(year: 2024, month: 2, day: 29, hours: 12, minutes: 30, seconds: 15)
        value.measurementStatus = [.measurementOngoing, .invalidMeasurement]  // 0x8020
        value.deviceAndSensorStatus = [.equipmentMalfunction, .sensorDisconnected]  // 0x008002
        value.pulseAmplitudeIndex = SFloat(mantissa: 15, exponent: -1)  // 1.5: 0xf00f
        value.isClockUnset = true
        expectBytes(
            value,
            [
                0x1f, 0x61, 0x00, 0x3c, 0x00, 0xe8, 0x07, 2, 29, 12, 30, 15, 0x20, 0x80, 0x02, 0x80, 0x00, 0x0f, 0xf0,
            ])
    }

    @Test func `a continuous measurement has its fields in the order of their flags`() {
        var value = Oximeter.ContinuousMeasurement(normal: saturation)
        expectBytes(value, [0x00, 0x61, 0x00, 0x3c, 0x00])
        value.fast = saturation
        value.slow = .init()
        value.measurementStatus = [.validatedData]  // 0x0080
        value.deviceAndSensorStatus = [.poorSignal]  // 0x000010
        value.pulseAmplitudeIndex = SFloat.nan
        expectBytes(
            value,
            [
                0x1f, 0x61, 0x00, 0x3c, 0x00, 0x61, 0x00, 0x3c, 0x00, 0xff, 0x07, 0xff, 0x07, 0x80, 0x00, 0x10, 0x00,
                0x00, 0xff, 0x07,
            ])
    }

    @Test func `the features tell which status flags there are`() {
        var value = Oximeter.Features()
        value.options = [.fast, .multipleBonds]  // 0x0090
        expectBytes(value, [0x90, 0x00])
        value.measurementStatus = [.validatedData]
        value.deviceAndSensorStatus = [.poorSignal]
        expectBytes(value, [0x93, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00])
    }

    @Test func `the status of device and sensor is three bytes, and keeps what has no name`() throws {
        let status: Oximeter.DeviceAndSensorStatus = try SerDe.deserialize([0x10, 0x00, 0x80] as Bytes)
        #expect(status.description == "Poor Signal Detected, bit 23")
        #expect(Oximeter.DeviceAndSensorStatus(rawValue: 0xff00_0001).rawValue == 1)
    }

    @Test func `reserved flags and bytes behind the known fields are passed over`() throws {
        let bytes: Bytes = [0xe0, 0x61, 0x00, 0x3c, 0x00, 1, 2]
        #expect(try SerDe.deserialize(bytes) == Oximeter.SpotCheckMeasurement(saturation: saturation))
        #expect(try SerDe.deserialize(bytes) == Oximeter.ContinuousMeasurement(normal: saturation))
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: Oximeter.SpotCheckMeasurement.self, atLeast: 100)
        expectRoundTrips(of: Oximeter.ContinuousMeasurement.self, atLeast: 100)
        expectRoundTrips(of: Oximeter.Features.self, atLeast: 100)
    }
}
