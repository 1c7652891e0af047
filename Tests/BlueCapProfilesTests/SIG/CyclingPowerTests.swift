// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias Power = CyclingPowerService

@Suite("The power of cyclists", .timeLimit(.minutes(60)))
struct CyclingPowerTests {
    @Test func `the UUIDs are the assigned ones`() {
        #expect(Power.uuid == BluetoothUUID(UInt16(0x1818)))
        #expect(Power.Measurement.uuid == BluetoothUUID(UInt16(0x2a63)))
        #expect(Power.Vector.uuid == BluetoothUUID(UInt16(0x2a64)))
        #expect(Power.Feature.uuid == BluetoothUUID(UInt16(0x2a65)))
        #expect(Power.ControlPoint.uuid == BluetoothUUID(UInt16(0x2a66)))
    }

    @Test func `a measurement of power alone is four bytes`() {
        var value = Power.Measurement()
        value.power = -2
        expectBytes(value, [0x00, 0x00, 0xfe, 0xff])
    }

    @Test func `all fields stand in the order of their flags`() throws {
        var value = Power.Measurement()
        value.power = 250  // 0x00fa
        value.pedalPowerBalance = try Scaled(51.5)  // × 2 = 103 = 0x67
        value.isBalanceOfLeftPedal = true
        value.accumulatedTorque = try Scaled(10)  // × 32 = 320 = 0x0140
        value.isTorqueOfCrank = true
        value.wheel = .init(revolutions: 1, eventTime: try Scaled(0.5))  // × 2048 = 1024 = 0x0400
        value.crank = .init(revolutions: 2, eventTime: try Scaled(0.5))  // × 1024 = 512 = 0x0200
        value.extremeForces = .init(maximum: 300, minimum: -1)  // 0x012c, 0xffff
        value.extremeTorques = .init(maximum: try Scaled(1), minimum: try Scaled(-1))  // 0x0020, 0xffe0
        // The specification's own example: maximum 0xABC and minimum 0x123 are sent as 0x123ABC.
        value.extremeAngles = .init(maximum: 0xabc, minimum: 0x123)
        value.topDeadSpotAngle = 5
        value.bottomDeadSpotAngle = 180  // 0x00b4
        value.accumulatedEnergy = 1000  // 0x03e8
        value.isOffsetCompensationActive = true
        expectBytes(
            value,
            [
                0xff, 0x1f, 0xfa, 0x00, 0x67, 0x40, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x02, 0x00, 0x00, 0x02,
                0x2c, 0x01, 0xff, 0xff, 0x20, 0x00, 0xe0, 0xff, 0xbc, 0x3a, 0x12, 0x05, 0x00, 0xb4, 0x00, 0xe8, 0x03,
            ])
        #expect(value.stringValue["extremeForces"] == "-1...300")
        #expect(value.stringValue["extremeTorques"] == "-1.00...1.00")
    }

    @Test func `an angle of more than 12 bits is refused`() {
        #expect(Power.Measurement.ExtremeAngles(maximum: 4096, minimum: 0) == nil)
        #expect(Power.Measurement.ExtremeAngles(maximum: 0, minimum: 4096) == nil)
    }

    @Test func `reserved flags and bytes behind the known fields are passed over`() throws {
        let value: Power.Measurement = try SerDe.deserialize([0x00, 0xe0, 0x64, 0x00, 1, 2, 3] as Bytes)
        #expect(value.power == 100)
        #expect(SerDe.serialize(value) == [0x00, 0x00, 0x64, 0x00])
    }

    @Test func `a vector's magnitudes are forces or torques`() throws {
        var value = Power.Vector()
        value.crank = .init(revolutions: 7, eventTime: .init(rawValue: 1024))
        value.firstCrankMeasurementAngle = 90
        value.direction = .tangential
        value.forces = [100, -100]
        // Flags: crank 1, angle 2, forces 4, direction 1 << 4: 0x17. −100 = 0xff9c.
        expectBytes(value, [0x17, 0x07, 0x00, 0x00, 0x04, 0x5a, 0x00, 0x64, 0x00, 0x9c, 0xff])
        value = Power.Vector()
        value.torques = [try Scaled(2), try Scaled(-0.5)]  // 64 = 0x0040, −16 = 0xfff0
        expectBytes(value, [0x08, 0x40, 0x00, 0xf0, 0xff])
    }

    @Test func `a vector that claims forces and torques at once is refused`() {
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try SerDe.deserialize([0x0c, 1, 0, 2, 0] as Bytes, as: Power.Vector.self)
        }
    }

    @Test func `a feature is 32 flags`() {
        expectBytes(
            [.wheelRevolutions, .torqueBased, .forDistributedSystem] as Power.Feature, [0x04, 0x00, 0x21, 0x00])
    }

    @Test func `the control point's requests carry their parameters`() throws {
        expectBytes(Power.ControlPoint.setCumulativeValue(1), [1, 1, 0, 0, 0])
        expectBytes(Power.ControlPoint.updateSensorLocation(.leftCrank), [2, 5])
        expectBytes(Power.ControlPoint.setCrankLength(try Scaled(172.5)), [4, 0x59, 0x01])  // 345 = 0x0159
        expectBytes(Power.ControlPoint.setChainLength(1400), [6, 0x78, 0x05])
        expectBytes(Power.ControlPoint.setChainWeight(300), [8, 0x2c, 0x01])
        expectBytes(Power.ControlPoint.setSpanLength(50), [10, 50, 0])
        expectBytes(Power.ControlPoint.maskMeasurementContent(0x0001), [13, 1, 0])
        expectBytes(Power.ControlPoint(opCode: .requestSamplingRate), [14])
    }

    @Test func `the control point's answer gives what was asked for as a value`() throws {
        let answer: Power.ControlPoint = try SerDe.deserialize([32, 5, 1, 0x59, 0x01] as Bytes)
        let response = try #require(answer.response)
        #expect(response.request == .requestCrankLength)
        #expect(response.result == .success)
        #expect(try SerDe.deserialize(response.parameter, as: Scaled<UInt16, Per2>.self).value == 172.5)
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: Power.Measurement.self, atLeast: 100)
        expectRoundTrips(of: Power.Vector.self, atLeast: 100)
        expectRoundTrips(of: Power.Feature.self)
        expectRoundTrips(of: Power.ControlPoint.self, atLeast: 100)
    }
}
