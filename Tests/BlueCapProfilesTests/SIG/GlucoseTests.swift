// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias ControlPoint = RecordAccessControlPoint

@Suite("The blood sugar", .timeLimit(.minutes(60)))
struct GlucoseTests {
    private let noon: DateTime

    init() throws { noon = try DateTime(year: 2024, month: 2, day: 29, hours: 12, minutes: 30, seconds: 15) }

    /// 2024 is 0x07e8.
    private let noonBytes: Bytes = [0xe8, 0x07, 2, 29, 12, 30, 15]

    @Test func `the UUIDs are the assigned ones`() {
        #expect(GlucoseService.uuid == BluetoothUUID(UInt16(0x1808)))
        #expect(GlucoseService.Measurement.uuid == BluetoothUUID(UInt16(0x2a18)))
        #expect(GlucoseService.Context.uuid == BluetoothUUID(UInt16(0x2a34)))
        #expect(GlucoseService.Feature.uuid == BluetoothUUID(UInt16(0x2a51)))
        #expect(ControlPoint.uuid == BluetoothUUID(UInt16(0x2a52)))
    }

    @Test func `a measurement has a number and a time, and what the flags announce behind them`() throws {
        var value = GlucoseService.Measurement(sequenceNumber: 5, baseTime: noon)
        expectBytes(value, [0x00, 5, 0] + noonBytes)
        value.timeOffset = -60  // 0xffc4
        // 95 mg/dL = 0.00095 kg/L = 95 × 10^−5: exponent 0xb, mantissa 0x05f.
        value.concentration = .init(
            value: try #require(SFloat(mantissa: 95, exponent: -5)), type: .capillaryWholeBlood,
            sampleLocation: .finger)
        value.status = [.batteryLow, .timeFault]  // 0x0801
        value.isContextFollowing = true
        expectBytes(value, [0x1b, 5, 0] + noonBytes + [0xc4, 0xff, 0x5f, 0xb0, 0x11, 0x01, 0x08])
        let milligrams = try #require(value.concentration?.milligramsPerDecilitre)
        #expect(abs(milligrams - 95) < 1e-9)
        #expect(value.concentration?.millimolesPerLitre == nil)
    }

    @Test func `a result in moles is told from one in kilograms`() throws {
        var value = GlucoseService.Measurement(sequenceNumber: 1, baseTime: noon)
        // 5.5 mmol/L = 55 × 10^−4 mol/L: exponent 0xc, mantissa 0x037. Type and location in one byte: 0xfa.
        value.concentration = .init(
            value: try #require(SFloat(mantissa: 55, exponent: -4)), unit: .molesPerLitre, type: .controlSolution)
        expectBytes(value, [0x06, 1, 0] + noonBytes + [0x37, 0xc0, 0xfa])
        let millimoles = try #require(value.concentration?.millimolesPerLitre)
        #expect(abs(millimoles - 5.5) < 1e-9)
        #expect(value.stringValue["sampleLocation"] == "Not Available")
    }

    @Test func `a time that no clock shows is refused at its place`() {
        #expect(throws: SerDeError.invalidValue(offset: 5)) {
            try SerDe.deserialize([0, 5, 0, 0xe8, 0x07, 13, 1, 0, 0, 0] as Bytes, as: GlucoseService.Measurement.self)
        }
    }

    @Test func `a context has its fields in the order of the specification, the extended flags first`() throws {
        var value = GlucoseService.Context()
        value.sequenceNumber = 5
        expectBytes(value, [0x00, 5, 0])
        value.extendedFlags = 0
        // 50 g = 50 × 10^−3 kg: 0xd032; 2 mg = 2 × 10^−6 kg would be 0xa002, here 2 × 10^−6 L.
        value.carbohydrate = .init(id: .lunch, kilograms: try #require(SFloat(mantissa: 50, exponent: -3)))
        value.meal = .postprandial
        value.testerHealth = .init(tester: .user, health: .noIssues)
        value.exercise = .init(duration: 1800, intensity: 60)  // 0x0708
        value.medication = .init(
            id: .rapidActingInsulin, amount: try #require(SFloat(mantissa: 2, exponent: -6)), unit: .litres)
        value.hbA1c = SFloat(mantissa: 65, exponent: -1)  // 6.5: 0xf041
        expectBytes(
            value,
            [
                0xff, 5, 0, 0x00, 0x02, 0x32, 0xd0, 0x02, 0x51, 0x08, 0x07, 0x3c, 0x01, 0x02, 0xa0, 0x41, 0xf0,
            ])
        #expect(value.stringValue["medicationUnit"] == "L")
    }

    @Test func `records are asked for by number and by time`() {
        expectBytes(ControlPoint.reportStoredRecords(.all), [1, 1])
        expectBytes(ControlPoint.reportStoredRecords(.last), [1, 6])
        expectBytes(ControlPoint.deleteStoredRecords(.sequenceNumbers(...0x0102)), [2, 2, 1, 2, 1])
        expectBytes(ControlPoint.reportNumberOfStoredRecords(.sequenceNumbers(7...)), [4, 3, 1, 7, 0])
        expectBytes(ControlPoint.reportStoredRecords(.sequenceNumbers(1...2)), [1, 4, 1, 1, 0, 2, 0])
        expectBytes(ControlPoint.reportStoredRecords(.userFacingTimes(from: noon)), [1, 3, 2] + noonBytes)
        expectBytes(ControlPoint.reportStoredRecords(.userFacingTimes(through: noon)), [1, 2, 2] + noonBytes)
        expectBytes(ControlPoint.abortOperation, [3, 0])
    }

    @Test func `an answer is a count or a result`() throws {
        let count = ControlPoint.numberOfStoredRecords(300)
        expectBytes(count, [5, 0, 0x2c, 0x01])
        #expect(count.numberOfStoredRecords == 300)
        #expect(count.response == nil)
        let answer = ControlPoint.response(to: .reportStoredRecords, .noRecordsFound)
        expectBytes(answer, [6, 0, 1, 6])
        let response = try #require(answer.response)
        #expect(response.request == .reportStoredRecords)
        #expect(response.result == .noRecordsFound)
        #expect(answer.numberOfStoredRecords == nil)
        #expect(ControlPoint(opCode: .responseCode).response == nil)
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: GlucoseService.Measurement.self, atLeast: 100) { bytes, random in
            // A valid time, since few random bytes are one.
            if bytes.count >= 10, Bool.random(using: &random) { bytes.replaceSubrange(3..<10, with: noonBytes) }
        }
        expectRoundTrips(of: GlucoseService.Context.self, atLeast: 100)
        expectRoundTrips(of: GlucoseService.Feature.self)
        expectRoundTrips(of: ControlPoint.self, atLeast: 100)
    }
}
