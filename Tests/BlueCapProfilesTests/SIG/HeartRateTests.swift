// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias Measurement = HeartRateService.Measurement

@Suite("The heart rate", .timeLimit(.minutes(60)))
struct HeartRateTests {
    @Test func `the UUIDs are the assigned ones`() {
        #expect(HeartRateService.uuid == BluetoothUUID(UInt16(0x180d)))
        #expect(Measurement.uuid == BluetoothUUID(UInt16(0x2a37)))
        #expect(HeartRateService.BodySensorLocation.uuid == BluetoothUUID(UInt16(0x2a38)))
        #expect(HeartRateService.ControlPoint.uuid == BluetoothUUID(UInt16(0x2a39)))
    }

    @Test func `the rate is one byte up to 255 and two above`() {
        expectBytes(Measurement(beatsPerMinute: 72), [0x00, 72])
        expectBytes(Measurement(beatsPerMinute: 255), [0x00, 255])
        expectBytes(Measurement(beatsPerMinute: 256), [0x01, 0x00, 0x01])
    }

    @Test func `a small rate in two bytes is read too`() throws {
        #expect(try SerDe.deserialize([0x01, 72, 0] as Bytes) == Measurement(beatsPerMinute: 72))
    }

    @Test func `energy and intervals stand behind the rate, and the contact is in the flags`() {
        // Flags: bits 1 and 2 contact detected, 3 energy, 4 intervals: 0x1e. 300 kJ = 0x012c;
        // 0.75 s × 1024 = 768 = 0x0300; 1.5 s = 1536 = 0x0600.
        let value = Measurement(
            beatsPerMinute: 80, sensorContact: .detected, energyExpended: 300, rrIntervals: [768, 1536])
        expectBytes(value, [0x1e, 80, 0x2c, 0x01, 0x00, 0x03, 0x00, 0x06])
        #expect(Array(value.rrSeconds) == [0.75, 1.5])
        #expect(
            value.stringValue == [
                "heartRate": "80", "sensorContact": "Detected", "energyExpended": "300", "rrIntervals": "768 1536",
            ])
    }

    @Test(arguments: [0x00, 0x02] as [UInt8])
    func `both forms of a sensor that cannot tell its contact are read`(flags: UInt8) throws {
        #expect(try SerDe.deserialize([flags, 60] as Bytes, as: Measurement.self).sensorContact == .notSupported)
    }

    @Test func `a sensor that touches nothing is told from one that cannot tell`() {
        expectBytes(Measurement(beatsPerMinute: 60, sensorContact: .notDetected), [0x04, 60])
    }

    @Test func `reserved flags, half an interval and bytes behind the known fields are passed over`() throws {
        #expect(try SerDe.deserialize([0xe0, 60, 1, 2, 3] as Bytes) == Measurement(beatsPerMinute: 60))
        #expect(
            try SerDe.deserialize([0x10, 60, 0, 4, 9] as Bytes)
                == Measurement(beatsPerMinute: 60, rrIntervals: [1024]))
    }

    @Test(arguments: [[], [0x00], [0x01, 1], [0x08, 60], [0x08, 60, 1]] as [Bytes])
    func `a cut measurement is refused`(bytes: Bytes) {
        #expect(throws: SerDeError.self) { try SerDe.deserialize(bytes, as: Measurement.self) }
    }

    @Test func `each place of the sensor has its number`() {
        let locations: [HeartRateService.BodySensorLocation] = [
            .other, .chest, .wrist, .finger, .hand, .earLobe, .foot,
        ]
        for (number, location) in locations.enumerated() { expectBytes(location, [UInt8(number)]) }
    }

    @Test func `the control point knows one command`() {
        expectBytes(HeartRateService.ControlPoint.resetEnergyExpended, [1])
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try SerDe.deserialize([2] as Bytes, as: HeartRateService.ControlPoint.self)
        }
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: Measurement.self, atLeast: 100)
        expectRoundTrips(of: HeartRateService.BodySensorLocation.self)
        expectRoundTrips(
            of: HeartRateService.ControlPoint.self, prepare: { bytes, _ in bytes = Array(bytes.prefix(1)) })
    }
}
