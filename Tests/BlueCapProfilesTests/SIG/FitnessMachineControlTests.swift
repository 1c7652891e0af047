// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias Machine = FitnessMachineService

@Suite("How fitness machines are told", .timeLimit(.minutes(60)))
struct FitnessMachineControlTests {
    /// Every target, with the op codes that set and report it, and its parameter.
    private static func targets() throws -> [(target: Machine.Target, control: UInt8, status: UInt8, parameter: Bytes)]
    {
        [
            (.speed(try Scaled(12.5)), 0x02, 0x05, [0xe2, 0x04]),  // 1250
            (.inclination(try Scaled(-1.5)), 0x03, 0x06, [0xf1, 0xff]),  // −15
            (.resistanceLevel(try Scaled(3.2)), 0x04, 0x07, [32]),
            (.power(-2), 0x05, 0x08, [0xfe, 0xff]),
            (.heartRate(130), 0x06, 0x09, [130]),
            (.expendedEnergy(300), 0x09, 0x0a, [0x2c, 0x01]),
            (.steps(1000), 0x0a, 0x0b, [0xe8, 0x03]),
            (.strides(500), 0x0b, 0x0c, [0xf4, 0x01]),
            (.distance(100_000), 0x0c, 0x0d, [0xa0, 0x86, 0x01]),
            (.trainingTime(1800), 0x0d, 0x0e, [0x08, 0x07]),
            (.timeInTwoHeartRateZones(fatBurn: 1, fitness: 2), 0x0e, 0x0f, [1, 0, 2, 0]),
            (.timeInThreeHeartRateZones(light: 1, moderate: 2, hard: 3), 0x0f, 0x10, [1, 0, 2, 0, 3, 0]),
            (
                .timeInFiveHeartRateZones(veryLight: 1, light: 2, moderate: 3, hard: 4, maximum: 5), 0x10, 0x11,
                [1, 0, 2, 0, 3, 0, 4, 0, 5, 0]
            ),
            (
                // 2.5 m/s is 2500 = 0x09c4; −1 % is −100 = 0xff9c; 0.004 is 40; 0.51 kg/m is 51.
                .simulation(
                    Machine.Simulation(
                        windSpeed: try Scaled(2.5), grade: try Scaled(-1), rollingResistance: try Scaled(0.004),
                        windResistance: try Scaled(0.51))), 0x11, 0x12, [0xc4, 0x09, 0x9c, 0xff, 0x28, 0x33]
            ),
            (.wheelCircumference(try Scaled(2096)), 0x12, 0x13, [0xe0, 0x51]),  // 20960
            (.cadence(try Scaled(90)), 0x14, 0x15, [0xb4, 0x00]),  // 180 halves
        ]
    }

    @Test func `each target has an op code to be set and one to be told of`() throws {
        for (target, control, status, parameter) in try Self.targets() {
            let request = Machine.ControlPoint.set(target)
            expectBytes(request, [control] + parameter)
            #expect(request.target == target)
            let event = Machine.Status(changed: target)
            expectBytes(event, [status] + parameter)
            #expect(event.changedTarget == target)
        }
    }

    @Test func `a parameter that is cut or too long sets no target`() throws {
        for (_, control, status, parameter) in try Self.targets() {
            for bad in [Bytes(parameter.dropLast()), parameter + [0]] {
                #expect(Machine.ControlPoint(opCode: .init(rawValue: control), parameter: bad).target == nil)
                #expect(Machine.Status(event: .init(rawValue: status), parameter: bad).changedTarget == nil)
            }
        }
        #expect(Machine.ControlPoint.requestControl.target == nil)
        #expect(Machine.Status.stoppedByUser.changedTarget == nil)
    }

    @Test func `commands without a target are one or two bytes`() {
        expectBytes(Machine.ControlPoint.requestControl, [0x00])
        expectBytes(Machine.ControlPoint.reset, [0x01])
        expectBytes(Machine.ControlPoint.startOrResume, [0x07])
        expectBytes(Machine.ControlPoint.stop, [0x08, 1])
        expectBytes(Machine.ControlPoint.pause, [0x08, 2])
        expectBytes(Machine.ControlPoint.startSpinDown, [0x13, 1])
        expectBytes(Machine.ControlPoint.ignoreSpinDown, [0x13, 2])
        expectBytes(Machine.Status.stoppedByUser, [0x02, 1])
        expectBytes(Machine.Status.pausedByUser, [0x02, 2])
        expectBytes(Machine.Status(event: .controlPermissionLost), [0xff])
    }

    @Test func `an answer names the request and how it went`() throws {
        let refused: Machine.ControlPoint = try SerDe.deserialize([0x80, 0x05, 0x05] as Bytes)
        #expect(refused.response?.request.description == "Set Target Power")
        #expect(refused.response?.result == .controlNotPermitted)
        // 10.00 and 20.00 km/h are 1000 = 0x03e8 and 2000 = 0x07d0.
        let spinDown: Machine.ControlPoint = try SerDe.deserialize([0x80, 0x13, 1, 0xe8, 0x03, 0xd0, 0x07] as Bytes)
        #expect(spinDown.spinDownSpeeds?.low.value == 10)
        #expect(spinDown.spinDownSpeeds?.high.value == 20)
        #expect(refused.spinDownSpeeds == nil)
    }

    @Test func `the spin down's progress is one byte`() {
        #expect(Machine.Status(event: .spinDown, parameter: [4]).spinDown == .stopPedaling)
        #expect(Machine.Status(event: .spinDown).spinDown == nil)
        #expect(Machine.Status(event: .reset, parameter: [4]).spinDown == nil)
    }

    @Test func `features are two sets of 32 flags`() {
        let feature = Machine.Feature(
            machine: [.averageSpeed, .cadence, .power], targets: [.power, .indoorBikeSimulation])
        // Bits 0, 1 and 14; bits 3 and 13.
        expectBytes(feature, [0x03, 0x40, 0, 0, 0x08, 0x20, 0, 0])
        #expect(feature.stringValue["targets"] == "Power, Indoor Bike Simulation")
    }

    @Test func `a training status may have a text`() throws {
        expectBytes(Machine.TrainingStatus(.warmingUp), [0, 2])
        expectBytes(
            Machine.TrainingStatus(.other, text: "Hügel", isExtended: true), [3, 0, 0x48, 0xc3, 0xbc, 0x67, 0x65, 0x6c])
        #expect(throws: SerDeError.invalidText(offset: 2)) {
            try SerDe.deserialize([1, 1, 0xc3] as Bytes, as: Machine.TrainingStatus.self)
        }
    }

    @Test func `ranges are the least, the greatest and the step`() throws {
        expectBytes(
            Machine.SupportedSpeedRange(
                minimum: try Scaled(1), maximum: try Scaled(20), minimumIncrement: try Scaled(0.1)),
            [0x64, 0x00, 0xd0, 0x07, 0x0a, 0x00])
        expectBytes(
            Machine.SupportedInclinationRange(
                minimum: try Scaled(-3), maximum: try Scaled(15), minimumIncrement: try Scaled(0.5)),
            [0xe2, 0xff, 0x96, 0x00, 0x05, 0x00])
        expectBytes(
            Machine.SupportedPowerRange(minimum: 0, maximum: 1000, minimumIncrement: 1),
            [0x00, 0x00, 0xe8, 0x03, 0x01, 0x00])
        expectBytes(Machine.SupportedHeartRateRange(minimum: 60, maximum: 200, minimumIncrement: 1), [60, 200, 1])
    }

    @Test func `a range of resistance takes six bytes or three`() throws {
        let wide = Machine.SupportedResistanceLevelRange.wide(
            minimum: try Scaled(1), maximum: try Scaled(10), minimumIncrement: try Scaled(0.1))
        expectBytes(wide, [10, 0, 100, 0, 1, 0])
        let narrow = Machine.SupportedResistanceLevelRange.narrow(
            minimum: try Scaled(0), maximum: try Scaled(100), minimumIncrement: try Scaled(10))
        expectBytes(narrow, [0, 10, 1])
        #expect(narrow.maximum == 100)
        #expect(wide.minimumIncrement == 0.1)
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: Machine.Feature.self, size: 8)
        expectRoundTrips(of: Machine.TrainingStatus.self, inputs: 1500)
        expectRoundTrips(of: Machine.SupportedSpeedRange.self, size: 6)
        expectRoundTrips(of: Machine.SupportedInclinationRange.self, size: 6)
        expectRoundTrips(of: Machine.SupportedResistanceLevelRange.self, size: 3)
        expectRoundTrips(of: Machine.SupportedResistanceLevelRange.self, size: 6)
        expectRoundTrips(of: Machine.SupportedPowerRange.self, size: 6)
        expectRoundTrips(of: Machine.SupportedHeartRateRange.self, size: 3)
        expectRoundTrips(of: Machine.ControlPoint.self, inputs: 1500)
        expectRoundTrips(of: Machine.Status.self, inputs: 1500)
    }
}
