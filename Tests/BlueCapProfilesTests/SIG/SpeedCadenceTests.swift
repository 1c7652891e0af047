// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias Cycling = CyclingSpeedCadenceService
private typealias Running = RunningSpeedCadenceService

@Suite("Speed and cadence of cyclists and runners", .timeLimit(.minutes(60)))
struct SpeedCadenceTests {
    @Test func `the UUIDs are the assigned ones`() {
        #expect(Cycling.uuid == BluetoothUUID(UInt16(0x1816)))
        #expect(Cycling.Measurement.uuid == BluetoothUUID(UInt16(0x2a5b)))
        #expect(Cycling.Feature.uuid == BluetoothUUID(UInt16(0x2a5c)))
        #expect(Cycling.SensorLocation.uuid == BluetoothUUID(UInt16(0x2a5d)))
        #expect(Cycling.ControlPoint.uuid == BluetoothUUID(UInt16(0x2a55)))
        #expect(Running.uuid == BluetoothUUID(UInt16(0x1814)))
        #expect(Running.Measurement.uuid == BluetoothUUID(UInt16(0x2a53)))
        #expect(Running.Feature.uuid == BluetoothUUID(UInt16(0x2a54)))
    }

    @Test func `wheel and crank stand behind the flags, the wheel first`() throws {
        // 100000 = 0x000186a0 revolutions; 2.5 s × 1024 = 2560 = 0x0a00; 300 = 0x012c; 1 s = 1024 = 0x0400.
        var value = Cycling.Measurement()
        value.wheel = .init(revolutions: 100_000, eventTime: try Scaled(2.5))
        value.crank = .init(revolutions: 300, eventTime: try Scaled(1))
        expectBytes(value, [0x03, 0xa0, 0x86, 0x01, 0x00, 0x00, 0x0a, 0x2c, 0x01, 0x00, 0x04])
        value.wheel = nil
        expectBytes(value, [0x02, 0x2c, 0x01, 0x00, 0x04])
        expectBytes(Cycling.Measurement(), [0x00])
    }

    @Test func `a cadence across the roll-over of both numbers is right`() throws {
        // 3 turns from 65534 to 1, 2 s from 65024 (63.5 s) to 1536 (1.5 s): 90 per minute.
        let before = RevolutionData<UInt16, Per1024>(revolutions: 65534, eventTime: .init(rawValue: 65024))
        let after = RevolutionData<UInt16, Per1024>(revolutions: 1, eventTime: .init(rawValue: 1536))
        #expect(after.revolutionsPerMinute(since: before) == 90)
        #expect(before.revolutionsPerMinute(since: before) == nil)
    }

    @Test func `speed, cadence, stride and distance stand behind the flags`() throws {
        // 3.5 m/s × 256 = 896 = 0x0380; 90/min = 0x5a; 1.20 m = 120 = 0x78; 1234.5 m = 12345 = 0x3039.
        var value = Running.Measurement()
        value.isRunning = true
        value.speed = try Scaled(3.5)
        value.cadence = 90
        value.strideLength = try Scaled(1.2)
        value.totalDistance = try Scaled(1234.5)
        expectBytes(value, [0x07, 0x80, 0x03, 0x5a, 0x78, 0x00, 0x39, 0x30, 0x00, 0x00])
        #expect(value.stringValue["totalDistance"] == "1234.5")
        #expect(value.stringValue["speed"] == "3.500")
    }

    @Test
    func `reserved flags and what stands behind the known fields do not make a measurement unreadable`() throws {
        let running: Running.Measurement = try SerDe.deserialize([0xf8, 0x80, 0x03, 0x5a, 1, 2, 3] as Bytes)
        #expect(running.cadence == 90)
        #expect(SerDe.serialize(running) == [0x00, 0x80, 0x03, 0x5a])
    }

    @Test func `a feature's flags are named, and one without a name is kept`() {
        expectBytes([.wheelRevolutions, .crankRevolutions] as Cycling.Feature, [0x03, 0x00])
        let feature = Running.Feature(rawValue: 0x8011)
        expectBytes(feature, [0x11, 0x80])
        #expect(feature.description == "Instantaneous Stride Length, Multiple Sensor Locations, bit 15")
        #expect(Running.Feature("Total Distance, nonsense") == nil)
        #expect(Running.Feature("none") == [])
    }

    @Test func `a location is a name where there is one, and else a number`() {
        expectBytes(SensorLocation.chainRing, [16])
        #expect(SensorLocation.leftCrank.stringValue == ["Sensor Location": "Left Crank"])
        #expect(SensorLocation(rawValue: 200).stringValue == ["Sensor Location": "200"])
        #expect(SensorLocation(stringValue: ["Sensor Location": "Elbow"]) == nil)
    }

    @Test func `a control point's requests carry their parameters`() {
        expectBytes(SpeedCadenceControlPoint.setCumulativeValue(0x0102_0304), [1, 4, 3, 2, 1])
        expectBytes(SpeedCadenceControlPoint.startSensorCalibration, [2])
        expectBytes(SpeedCadenceControlPoint.updateSensorLocation(.hip), [3, 3])
        expectBytes(SpeedCadenceControlPoint.requestSupportedSensorLocations, [4])
        #expect(SpeedCadenceControlPoint.setCumulativeValue(7).parameter(as: UInt32.self) == 7)
        #expect(SpeedCadenceControlPoint.setCumulativeValue(7).parameter(as: UInt16.self) == nil)
    }

    @Test func `a control point's answer names the request, the result and what was asked for`() throws {
        let answer = SpeedCadenceControlPoint(
            response: .init(to: .requestSupportedSensorLocations, parameter: [4, 5, 12]))
        expectBytes(answer, [16, 4, 1, 4, 5, 12])
        let response = try #require(answer.response)
        #expect(response.request == .requestSupportedSensorLocations)
        #expect(response.result == .success)
        #expect(response.parameter == [4, 5, 12])
        #expect(SpeedCadenceControlPoint(opCode: .responseCode, parameter: [4]).response == nil)
        #expect(SpeedCadenceControlPoint.startSensorCalibration.response == nil)
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: Cycling.Measurement.self, atLeast: 100)
        expectRoundTrips(of: Cycling.Feature.self)
        expectRoundTrips(of: Running.Measurement.self, atLeast: 100)
        expectRoundTrips(of: Running.Feature.self)
        expectRoundTrips(of: SensorLocation.self)
        expectRoundTrips(of: SpeedCadenceControlPoint.self, atLeast: 100)
    }
}
