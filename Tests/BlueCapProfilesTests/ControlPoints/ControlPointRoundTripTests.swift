// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Control points in both roles, each op code with each result", .timeLimit(.minutes(60)))
struct ControlPointRoundTripTests {
    private static let results: [ControlPointResult] = [
        .success, .opCodeNotSupported, .invalidParameter, .operationFailed,
    ]

    /// Plays a control point whose messages are an op code and a parameter.
    private func play<Message: ControlPointValue>(
        _ service: any ServiceConfigurable.Type, _ requests: [(Message, Bytes)], _ results: [ControlPointResult]
    ) async throws {
        expectAll(requests.map(\.0), of: Message.OpCode.assigned, butFor: [Message.responseCode])
        try await ControlPointWorld.run(service) { world in
            let pairs = requests.map { request, data in
                (request, Message(response: ControlPointResponse(to: request.opCode, .success, parameter: data)))
            }
            try await world.expectRoundTrips(pairs, results)
        }
    }

    private static let speedCadence: [(SpeedCadenceControlPoint, Bytes)] = [
        (.setCumulativeValue(100_000), []), (.startSensorCalibration, []), (.updateSensorLocation(.hip), []),
        (.requestSupportedSensorLocations, [1, 2, 3]),
    ]

    @Test func `of cycling speed and cadence`() async throws {
        try await play(CyclingSpeedCadenceService.self, Self.speedCadence, Self.results)
    }

    @Test func `of running speed and cadence`() async throws {
        try await play(RunningSpeedCadenceService.self, Self.speedCadence, Self.results)
    }

    @Test func `of cycling power`() async throws {
        let requests: [(CyclingPowerService.ControlPoint, Bytes)] = [
            (.setCumulativeValue(7), []), (.updateSensorLocation(.leftCrank), []),
            (.init(opCode: .requestSupportedSensorLocations), [5, 6]),
            (.setCrankLength(try Scaled(172.5)), []), (.init(opCode: .requestCrankLength), [0x59, 0x01]),
            (.setChainLength(1400), []), (.init(opCode: .requestChainLength), [0x78, 0x05]),
            (.setChainWeight(250), []), (.init(opCode: .requestChainWeight), [0xfa, 0]),
            (.setSpanLength(130), []), (.init(opCode: .requestSpanLength), [0x82, 0]),
            (.init(opCode: .startOffsetCompensation), [0xff, 0xff]), (.maskMeasurementContent(3), []),
            (.init(opCode: .requestSamplingRate), [100]),
            (.init(opCode: .requestFactoryCalibrationDate), [0xe4, 0x07, 1, 2, 3, 4, 5]),
            (.init(opCode: .startEnhancedOffsetCompensation), [0xff, 0xff, 0, 1, 2, 3]),
        ]
        try await play(CyclingPowerService.self, requests, Self.results)
    }

    @Test func `of a fitness machine`() async throws {
        typealias Message = FitnessMachineService.ControlPoint
        let targets: [FitnessMachineService.Target] = [
            .speed(try Scaled(12.5)), .inclination(try Scaled(-1.5)), .resistanceLevel(try Scaled(3.2)), .power(-2),
            .heartRate(130), .expendedEnergy(300), .steps(1000), .strides(500), .distance(100_000),
            .trainingTime(1800), .timeInTwoHeartRateZones(fatBurn: 1, fitness: 2),
            .timeInThreeHeartRateZones(light: 1, moderate: 2, hard: 3),
            .timeInFiveHeartRateZones(veryLight: 1, light: 2, moderate: 3, hard: 4, maximum: 5),
            .simulation(
                .init(
                    windSpeed: try Scaled(2.5), grade: try Scaled(-1), rollingResistance: try Scaled(0.004),
                    windResistance: try Scaled(0.51))),
            .wheelCircumference(try Scaled(2096)), .cadence(try Scaled(90)),
        ]
        let others: [(Message, Bytes)] = [
            (.requestControl, []), (.reset, []), (.startOrResume, []), (.stop, []), (.pause, []),
            (.startSpinDown, [0xe8, 0x03, 0xd0, 0x07]), (.ignoreSpinDown, []),
        ]
        try await play(
            FitnessMachineService.self, others + targets.map { (.set($0), []) },
            Self.results + [.controlNotPermitted])
    }

    @Test func `of location and navigation`() async throws {
        let requests: [(LocationAndNavigationService.LNControlPoint, Bytes)] = [
            (.setCumulativeValue(try Scaled(1000)), []), (.mask([.elevation]), []), (.navigate(.start), []),
            (.requestNumberOfRoutes, [7, 0]), (.requestNameOfRoute(3), SerDe.serialize("Home")), (.selectRoute(3), []),
            (.setFixRate(seconds: 5), []), (.setElevation(try Scaled(-1.5)), []),
        ]
        try await play(LocationAndNavigationService.self, requests, Self.results)
    }

    @Test func `of user data`() async throws {
        let requests: [(UserDataService.ControlPoint, Bytes)] = [
            (.registerNewUser(consentCode: 1234), [2]), (.consent(user: 2, consentCode: 1234), []),
            (.deleteUserData, []), (.init(opCode: .listAllUsers), [2]),
            (.init(opCode: .deleteUsers, parameter: [0xff]), [0xff]),
        ]
        try await play(UserDataService.self, requests, Self.results + [.userNotAuthorized])
    }

    /// Plays a record access control point.
    private func playRecords(_ service: any ServiceConfigurable.Type) async throws {
        typealias Message = RecordAccessControlPoint
        let requests: [Message] = [
            .reportStoredRecords(.sequenceNumbers(1...2)), .deleteStoredRecords(.all),
            .reportNumberOfStoredRecords(.all),
        ]
        expectAll(
            requests + [.abortOperation], of: Message.OpCode.assigned,
            butFor: [.responseCode, .numberOfStoredRecordsResponse])
        try await ControlPointWorld.run(service) { world in
            let pairs = requests.map { request in
                (request, request.opCode == .reportNumberOfStoredRecords ? Message.numberOfStoredRecords(300) : nil)
            }
            try await world.expectRoundTrips(pairs, Message.Result.assigned.map(\.0))
            try await world.serve(Message.self) { _ in
                Issue.record("an abort has reached the app")
            } during: {
                let point = try world.peripheral.controlPoint(Message.self)
                #expect(try await point.request(.abortOperation).outcome?.request == .abortOperation)
            }
        }
    }

    @Test func `of a glucose meter`() async throws { try await playRecords(GlucoseService.self) }

    @Test func `of a pulse oximeter`() async throws { try await playRecords(PulseOximeterService.self) }

    /// Of a request that is given up, the library aborts the procedure; the next request waits for the end of that.
    @Test(arguments: RecordAccessControlPoint.Result.assigned.map(\.0))
    func `an abort ends with each result, after which the next request has its own response`(
        result: RecordAccessControlPoint.Result
    ) async throws {
        typealias Message = RecordAccessControlPoint
        let written = Locked<[Message]>([])
        let meter = VirtualCharacteristic(
            Message.uuid, properties: [.write, .notify],
            onWrite: { characteristic, bytes in
                guard let request = try? SerDe.deserialize(bytes, as: Message.self) else {
                    return .failure(.invalidAttributeValueLength)
                }
                written.withLock { $0.append(request) }
                switch request {
                case .abortOperation: characteristic.notify(SerDe.serialize(Message(to: .abortOperation, result)))
                case .reportNumberOfStoredRecords(.all):
                    characteristic.notify(SerDe.serialize(Message.numberOfStoredRecords(300)))
                default: break
                }
                return .success(())
            })
        try await VirtualRadio.run { radio in
            radio.add(
                VirtualPeripheral(
                    name: "Meter", services: [VirtualService(GlucoseService.uuid, characteristics: [meter])]))
            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery(for: [GlucoseService.uuid]).peripheral
            try await peripheral.connect()
            try await peripheral.discover()
            let point = try peripheral.controlPoint(Message.self)
            do throws(ControlPointError<Message.Result>) {
                #expect(try await point.request(.abortOperation) == Message(to: .abortOperation, result))
                #expect(result == Message.succeeded)
            } catch {
                #expect(error == .refused(result))
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: ControlPointError<Message.Result>.self) {
                        try await point.request(.reportStoredRecords(.all))
                    }
                }
                try? await radio.clock.sleep(for: .seconds(1))
                group.cancelAll()
            }
            let count = Message.reportNumberOfStoredRecords(.all)
            #expect(try await point.request(count) == .numberOfStoredRecords(300))
            #expect(written.withLock { $0 } == [.abortOperation, .reportStoredRecords(.all), .abortOperation, count])
            await central.invalidate()
        }
    }

    /// Plays a control point without responses: the answer to the write is that to the request.
    private func playCommands<Value: CharacteristicValue & CaseIterable & Equatable>(
        _ service: any ServiceConfigurable.Type, _ type: Value.Type, _ kind: WriteKind
    ) async throws {
        try await ControlPointWorld.run(service) { world in
            let requests = try world.offered(Value.self).writeRequests()
            let point = try world.peripheral.characteristic(Value.self)
            let commands = Array(Value.allCases)
            // A command on a link that is not encrypted yet is dropped, where a request has the link encrypted.
            if kind == .withoutResponse { try await world.peripheral.pair() }
            async let values: [Value] = {
                var values: [Value] = []
                for await request in requests.prefix(commands.count) {
                    values.append(request.newValue)
                    request.accept()
                }
                return values
            }()
            for command in commands { try await point.write(command, kind: kind) }
            #expect(await values == commands)
        }
    }

    @Test func `of a heart rate sensor, whose answer is that to the write`() async throws {
        try await playCommands(HeartRateService.self, HeartRateService.ControlPoint.self, .withResponse)
    }

    @Test func `of a heart rate sensor that does not know it`() async throws {
        let notSupported = ATTError(rawValue: 0x80)
        try await ControlPointWorld.run(HeartRateService.self) { world in
            let requests = try world.offered(HeartRateService.ControlPoint.self).writeRequests()
            async let refusal: Void = {
                for await request in requests.prefix(1) { request.respond(notSupported) }
            }()
            let point = try world.peripheral.characteristic(HeartRateService.ControlPoint.self)
            let error = await #expect(throws: CharacteristicError.self) { try await point.write(.resetEnergyExpended) }
            #expect(error == .att(notSupported))
            await refusal
        }
    }

    @Test func `of a human interface device, which has no answer`() async throws {
        try await playCommands(
            HumanInterfaceDeviceService.self, HumanInterfaceDeviceService.HIDControlPoint.self, .withoutResponse)
    }
}
