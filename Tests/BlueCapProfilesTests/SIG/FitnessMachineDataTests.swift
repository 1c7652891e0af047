// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias Machine = FitnessMachineService

@Suite("What fitness machines measure", .timeLimit(.minutes(60)))
struct FitnessMachineDataTests {
    @Test func `a treadmill's fields follow in the order of their flags`() throws {
        var data = Machine.TreadmillData()
        data.speed = try Scaled(10)
        data.totalDistance = 1500
        data.workout.energy = Machine.ExpendedEnergy(total: 120, perHour: 600, perMinute: 10)
        data.workout.heartRate = 140
        data.workout.elapsedTime = 540
        // Flags: distance 2, energy 7, heart rate 8, elapsed time 10: 0x0584. Speed 1000 = 0x03e8; 1500 = 0x0005dc;
        // 120, 600 = 0x0258, 10; 140; 540 = 0x021c.
        expectBytes(
            data,
            [0x84, 0x05, 0xe8, 0x03, 0xdc, 0x05, 0x00, 0x78, 0x00, 0x58, 0x02, 0x0a, 0x8c, 0x1c, 0x02])
        #expect(data.stringValue["speed"] == "10.00")
        #expect(data.stringValue["energyPerHour"] == "600")
    }

    @Test func `a treadmill's slope, climb, force and power come in pairs`() throws {
        var data = Machine.TreadmillData()
        data.inclination = Machine.Inclination(inclination: try Scaled(1.5), rampAngle: try Scaled(-0.5))
        data.elevationGain = .init(positive: try Scaled(12.3), negative: try Scaled(0.4))
        data.forceAndPower = Machine.ForceAndPower(force: -1, power: 250)
        // No speed: more data, bit 0; slope 3, climb 4, force and power 12: 0x1019.
        expectBytes(
            data,
            [
                0x19, 0x10, 0x0f, 0x00, 0xfb, 0xff, 0x7b, 0x00, 0x04, 0x00, 0xff, 0xff, 0xfa, 0x00,
            ])
    }

    @Test func `what a treadmill says is not available is unknown in text`() throws {
        var data = Machine.TreadmillData()
        data.inclination = Machine.Inclination(inclination: Scaled(rawValue: .max), rampAngle: Scaled(rawValue: .max))
        data.workout.energy = Machine.ExpendedEnergy(total: .max)
        data.forceAndPower = Machine.ForceAndPower(force: .max, power: .max)
        // No speed: more data, bit 0; slope 3, energy 7, force and power 12: 0x1089.
        expectBytes(
            data,
            [0x89, 0x10, 0xff, 0x7f, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0xff, 0x7f])
        #expect(
            data.stringValue == [
                "inclination": "unknown", "rampAngle": "unknown", "totalEnergy": "unknown",
                "energyPerHour": "unknown", "energyPerMinute": "unknown", "forceOnBelt": "unknown", "power": "unknown",
            ])
        #expect(Machine.TreadmillData(stringValue: ["power": "32767"]) == nil)
    }

    @Test func `a treadmill's pace is of 16 bits when the bytes suffice, and else of 8`() throws {
        // More data, bit 0; pace, bit 5; mean pace, bit 6; heart rate, bit 8.
        let narrow: Machine.TreadmillData = try SerDe.deserialize([0x61, 0x01, 2, 3, 140] as Bytes)
        #expect(narrow.pace == .kilometresPerMinute(try Scaled(0.2)))
        #expect(narrow.averagePace == .kilometresPerMinute(try Scaled(0.3)))
        #expect(narrow.workout.heartRate == 140)
        let wide: Machine.TreadmillData = try SerDe.deserialize([0x61, 0x01, 0x96, 0, 0xa0, 0, 140] as Bytes)
        #expect(wide.pace == .secondsPer500Metres(150))
        #expect(wide.averagePace == .secondsPer500Metres(160))
        #expect(wide.workout.heartRate == 140)
        #expect(wide.stringValue["pace"] == "150 s/500 m")
        #expect(narrow.stringValue["pace"] == "0.2 km/min")
    }

    @Test func `a bike tells speed, cadence, power and heart rate`() throws {
        var data = Machine.IndoorBikeData()
        data.speed = try Scaled(25.5)
        data.cadence = try Scaled(85)
        data.power = 200
        data.workout.heartRate = 140
        // Cadence 2, power 6, heart rate 9: 0x0244. 2550 = 0x09f6; 170 halves = 0xaa; 200 = 0xc8.
        expectBytes(data, [0x44, 0x02, 0xf6, 0x09, 0xaa, 0x00, 0xc8, 0x00, 0x8c])
    }

    @Test func `a level of resistance is of 16 bits when the bytes suffice, and else of 8`() throws {
        // More data, bit 0; resistance, bit 5; power, bit 6.
        let wide: Machine.IndoorBikeData = try SerDe.deserialize([0x61, 0x00, 12, 0, 0xc8, 0] as Bytes)
        #expect(wide.resistanceLevel == .wide(try Scaled(12)))
        #expect(wide.power == 200)
        let narrow: Machine.IndoorBikeData = try SerDe.deserialize([0x61, 0x00, 2, 0xc8, 0] as Bytes)
        #expect(narrow.resistanceLevel == .narrow(try Scaled(20)))
        #expect(narrow.resistanceLevel?.value == 20)
        #expect(narrow.power == 200)
        #expect(SerDe.serialize(narrow) == [0x61, 0x00, 2, 0xc8, 0])
        #expect(Machine.IndoorBikeData(stringValue: narrow.stringValue) == narrow)
    }

    @Test func `a cross trainer has 24 flags, one of which tells the direction`() throws {
        var data = Machine.CrossTrainerData()
        data.speed = try Scaled(8)
        data.stepRates = Machine.StepRates(perMinute: 120, average: 112)
        data.strideCount = try Scaled(60.5)
        data.isBackward = true
        // Steps 3, strides 4, backward 15: 0x008018. 800 = 0x0320; 605 = 0x025d.
        expectBytes(data, [0x18, 0x80, 0x00, 0x20, 0x03, 0x78, 0x00, 0x70, 0x00, 0x5d, 0x02])
    }

    @Test func `climbers count floors and steps`() {
        var step = Machine.StepClimberData()
        step.climb = Machine.Climb(floors: 12, steps: 240)
        step.positiveElevationGain = 36
        expectBytes(step, [0x08, 0x00, 0x0c, 0x00, 0xf0, 0x00, 0x24, 0x00])
        var stair = Machine.StairClimberData()
        stair.floors = 12
        stair.strideCount = 120
        expectBytes(stair, [0x10, 0x00, 0x0c, 0x00, 0x78, 0x00])
    }

    @Test func `a treadmill's text in which the two paces differ in form is refused`() {
        let narrow = ["pace": "0.2 km/min", "averagePace": "0.3 km/min"]
        #expect(FitnessMachineService.TreadmillData(stringValue: narrow)?.stringValue == narrow)
        let mixed = narrow.merging(["averagePace": "150 s/500 m"]) { $1 }
        #expect(FitnessMachineService.TreadmillData(stringValue: mixed) == nil)
    }

    @Test func `a rower tells strokes, distance, pace and power`() throws {
        var data = Machine.RowerData()
        data.strokes = Machine.Strokes(rate: try Scaled(24.5), count: 300)
        data.totalDistance = 2000
        data.pace = 125
        data.power = 180
        // Distance 2, pace 3, power 5: 0x002c. 49 halves; 300 = 0x012c; 2000 = 0x0007d0.
        expectBytes(
            data, [0x2c, 0x00, 0x31, 0x2c, 0x01, 0xd0, 0x07, 0x00, 0x7d, 0x00, 0xb4, 0x00])
    }

    @Test func `without the leading field the flags say that more data follows`() {
        expectBytes(Machine.TreadmillData(), [1, 0])
        expectBytes(Machine.CrossTrainerData(), [1, 0, 0])
        expectBytes(Machine.StepClimberData(), [1, 0])
        expectBytes(Machine.StairClimberData(), [1, 0])
        expectBytes(Machine.RowerData(), [1, 0])
        expectBytes(Machine.IndoorBikeData(), [1, 0])
    }

    @Test func `flags and bytes of later revisions are passed over`() throws {
        // Bits 13 to 15 are reserved; two bytes more follow.
        let bike: Machine.IndoorBikeData = try SerDe.deserialize([0x00, 0xe0, 0xf6, 0x09, 1, 2] as Bytes)
        #expect(bike.speed == (try Scaled(25.5)))
        #expect(SerDe.serialize(bike) == [0x00, 0x00, 0xf6, 0x09])
    }

    @Test(arguments: 0..<9)
    func `a field that is announced and missing is an error`(count: Int) {
        let bytes: Bytes = [0x44, 0x02, 0xf6, 0x09, 0xaa, 0x00, 0xc8, 0x00, 0x8c]
        #expect(throws: SerDeError.self) {
            try SerDe.deserialize(Bytes(bytes.prefix(count)), as: Machine.IndoorBikeData.self)
        }
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: Machine.TreadmillData.self, inputs: 1500)
        expectRoundTrips(of: Machine.CrossTrainerData.self, inputs: 1500)
        expectRoundTrips(of: Machine.StepClimberData.self, inputs: 1500)
        expectRoundTrips(of: Machine.StairClimberData.self, inputs: 1500)
        expectRoundTrips(of: Machine.RowerData.self, inputs: 1500)
        expectRoundTrips(of: Machine.IndoorBikeData.self, inputs: 1500)
    }
}
