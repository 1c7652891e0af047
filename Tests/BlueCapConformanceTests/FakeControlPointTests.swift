// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapFakeBlueZ
import BlueCapProfiles
import BlueCapSerDe
import BlueCapTesting
import Testing

/// The control points of the profiles with the bytes that their specifications have, written and indicated through a
/// scripted `org.bluez`.
@Suite("Control points over a scripted daemon", .serialized, .timeLimit(.minutes(60)))
struct FakeControlPointTests {
    private static let failures: [ControlPointResult] = [.opCodeNotSupported, .invalidParameter, .operationFailed]
    private static let place = PeerAttribute()

    /// Runs a body with a far device that has a control point, connected and discovered.
    private func run(
        _ service: any ServiceConfigurable.Type, _ point: BluetoothUUID,
        _ properties: CharacteristicProperties = [.write, .indicate],
        _ body: @Sendable (FakeWorld, any ConformancePeer, Peripheral) async throws -> Void
    ) async throws {
        let world = try await FakeWorld()
        let central = try await world.makeCentral()
        try await central.whenPoweredOn()
        let peer = try await world.peer(0)
        _ = try await peer.configure(
            Twin(
                name: "Peer",
                services: [
                    TwinService(service.uuid, characteristics: [TwinCharacteristic(point, properties: properties)])
                ]))
        try await peer.advertise(true)
        let peripheral = try await central.firstDiscovery().peripheral
        try await peripheral.connect()
        try await peripheral.discover()
        try await body(world, peer, peripheral)
        await world.close()
    }

    /// A request, its bytes, and the bytes of its response.
    private typealias Row<Message> = (request: Message, bytes: Bytes, response: Bytes)

    /// Sends requests, each of which succeeds at first, and is then refused with each result.
    private func expectRows<Message: ControlPointMessage>(
        _ service: any ServiceConfigurable.Type, _ rows: [Row<Message>], _ failures: [Message.Result]
    ) async throws {
        try await run(service, Message.uuid) { _, peer, peripheral in
            let point = try peripheral.controlPoint(Message.self)
            var count = 0
            func exchange(_ row: Row<Message>, _ response: Bytes) async throws -> Message {
                count += 1
                async let answer = point.request(row.request)
                try await peer.wait(until: .written(Self.place, count: count))
                #expect(try await peer.value(of: Self.place) == row.bytes)
                _ = try await peer.indicate(Self.place, [response])
                return try await answer
            }
            for row in rows {
                #expect(SerDe.serialize(try await exchange(row, row.response)) == row.response)
                for failure in failures {
                    let response = SerDe.serialize(Message(to: row.request.opCode, failure))
                    let error = await #expect(throws: ControlPointError<Message.Result>.self) {
                        try await exchange(row, response)
                    }
                    #expect(error == .refused(failure))
                }
            }
        }
    }

    private static let speedCadence: [Row<SpeedCadenceControlPoint>] = [
        (.setCumulativeValue(100_000), [0x01, 0xA0, 0x86, 0x01, 0x00], [0x10, 0x01, 0x01]),
        (.startSensorCalibration, [0x02], [0x10, 0x02, 0x01]),
        (.updateSensorLocation(.hip), [0x03, 0x03], [0x10, 0x03, 0x01]),
        (.requestSupportedSensorLocations, [0x04], [0x10, 0x04, 0x01, 0x01, 0x02, 0x06]),
    ]

    @Test func `of cycling speed and cadence`() async throws {
        try await expectRows(CyclingSpeedCadenceService.self, Self.speedCadence, Self.failures)
    }

    @Test func `of running speed and cadence`() async throws {
        try await expectRows(RunningSpeedCadenceService.self, Self.speedCadence, Self.failures)
    }

    @Test func `of cycling power`() async throws {
        let rows: [Row<CyclingPowerService.ControlPoint>] = [
            (.setCumulativeValue(7), [0x01, 0x07, 0x00, 0x00, 0x00], [0x20, 0x01, 0x01]),
            (.setCrankLength(try Scaled(172.5)), [0x04, 0x59, 0x01], [0x20, 0x04, 0x01]),
            (.init(opCode: .requestCrankLength), [0x05], [0x20, 0x05, 0x01, 0x59, 0x01]),
        ]
        try await expectRows(CyclingPowerService.self, rows, Self.failures)
    }

    @Test func `of a fitness machine`() async throws {
        let rows: [Row<FitnessMachineService.ControlPoint>] = [
            (.requestControl, [0x00], [0x80, 0x00, 0x01]),
            (.set(.speed(try Scaled(12.5))), [0x02, 0xE2, 0x04], [0x80, 0x02, 0x01]),
            (.stop, [0x08, 0x01], [0x80, 0x08, 0x01]), (.pause, [0x08, 0x02], [0x80, 0x08, 0x01]),
            (.startSpinDown, [0x13, 0x01], [0x80, 0x13, 0x01, 0xE8, 0x03, 0xD0, 0x07]),
        ]
        try await expectRows(FitnessMachineService.self, rows, Self.failures + [.controlNotPermitted])
    }

    @Test func `of location and navigation`() async throws {
        let rows: [Row<LocationAndNavigationService.LNControlPoint>] = [
            (.setCumulativeValue(try Scaled(1000)), [0x01, 0x10, 0x27, 0x00], [0x20, 0x01, 0x01]),
            (.requestNumberOfRoutes, [0x04], [0x20, 0x04, 0x01, 0x07, 0x00]),
            (.setFixRate(seconds: 5), [0x07, 0x05], [0x20, 0x07, 0x01]),
        ]
        try await expectRows(LocationAndNavigationService.self, rows, Self.failures)
    }

    @Test func `of user data`() async throws {
        let rows: [Row<UserDataService.ControlPoint>] = [
            (.registerNewUser(consentCode: 1234), [0x01, 0xD2, 0x04], [0x20, 0x01, 0x01, 0x02]),
            (.consent(user: 2, consentCode: 1234), [0x02, 0x02, 0xD2, 0x04], [0x20, 0x02, 0x01]),
            (.deleteUserData, [0x03], [0x20, 0x03, 0x01]),
        ]
        try await expectRows(UserDataService.self, rows, Self.failures + [.userNotAuthorized])
    }

    private static let records: [Row<RecordAccessControlPoint>] = [
        (.reportStoredRecords(.all), [0x01, 0x01], [0x06, 0x00, 0x01, 0x01]),
        (.deleteStoredRecords(.all), [0x02, 0x01], [0x06, 0x00, 0x02, 0x01]),
        (.reportNumberOfStoredRecords(.all), [0x04, 0x01], [0x05, 0x00, 0x2C, 0x01]),
        (.abortOperation, [0x03, 0x00], [0x06, 0x00, 0x03, 0x01]),
    ]

    private static let recordFailures = RecordAccessControlPoint.Result.assigned.map(\.0).filter { $0 != .success }

    @Test func `of a glucose meter`() async throws {
        try await expectRows(GlucoseService.self, Self.records, Self.recordFailures)
    }

    @Test func `of a pulse oximeter`() async throws {
        try await expectRows(PulseOximeterService.self, Self.records, Self.recordFailures)
    }

    @Test(arguments: [CharacteristicProperties.write, .writeWithoutResponse])
    func `of a heart rate sensor and of a human interface device, which have no responses`(
        properties: CharacteristicProperties
    ) async throws {
        if properties == .write {
            typealias Point = HeartRateService.ControlPoint
            try await run(HeartRateService.self, Point.uuid, properties) { _, peer, peripheral in
                try await peripheral.characteristic(Point.self).write(.resetEnergyExpended)
                #expect(try await peer.value(of: Self.place) == [0x01])
            }
        } else {
            typealias Point = HumanInterfaceDeviceService.HIDControlPoint
            try await run(HumanInterfaceDeviceService.self, Point.uuid, properties) { _, peer, peripheral in
                let point = try peripheral.characteristic(Point.self)
                for (count, command) in Point.allCases.enumerated() {
                    try await point.write(command, kind: .withoutResponse)
                    try await peer.wait(until: .written(Self.place, count: count + 1))
                }
                #expect(try await peer.writes(to: Self.place).map(\.value) == [[0x00], [0x01]])
            }
        }
    }

    @Test(arguments: RecordAccessControlPoint.Result.assigned.map(\.0))
    func `an abort ends the procedure with each result, and the next request goes out`(
        result: RecordAccessControlPoint.Result
    ) async throws {
        typealias Message = RecordAccessControlPoint
        try await run(GlucoseService.self, Message.uuid) { _, peer, peripheral in
            let point = try peripheral.controlPoint(Message.self)
            let task = Task { try await point.request(.reportStoredRecords(.all)) }
            try await peer.wait(until: .written(Self.place, count: 1))
            task.cancel()
            try await peer.wait(until: .written(Self.place, count: 2))
            #expect(try await peer.value(of: Self.place) == [0x03, 0x00])
            async let next = point.request(.reportNumberOfStoredRecords(.all))
            _ = try await peer.indicate(Self.place, [SerDe.serialize(Message(to: .abortOperation, result))])
            try await peer.wait(until: .written(Self.place, count: 3))
            _ = try await peer.indicate(Self.place, [[0x05, 0x00, 0x2C, 0x01]])
            #expect(try await next.numberOfStoredRecords == 300)
            await #expect(throws: ControlPointError<Message.Result>.self) { try await task.value }
        }
    }

    @Test func `a late response is not taken for that to the next request with its op code`() async throws {
        typealias Message = FitnessMachineService.ControlPoint
        try await run(FitnessMachineService.self, Message.uuid) { world, peer, peripheral in
            let point = try peripheral.controlPoint(Message.self)
            let silent = Task { try await point.request(.requestControl) }
            try await peer.wait(until: .written(Self.place, count: 1))
            try await world.elapse(.seconds(30))
            let silence = await #expect(throws: ControlPointError<ControlPointResult>.self) { try await silent.value }
            #expect(silence == .responseTimeout)
            async let next = point.request(.requestControl)
            _ = try await peer.indicate(Self.place, [[0x80, 0x00, 0x05]])
            try await peer.wait(until: .written(Self.place, count: 2))
            // Of two that begin together either may be the first.
            async let other = point.request(.startOrResume)
            _ = try await peer.indicate(Self.place, [[0x80, 0x00, 0x01]])
            try await peer.wait(until: .written(Self.place, count: 3))
            _ = try await peer.indicate(Self.place, [[0x80, 0x07, 0x01]])
            #expect(try await next.outcome?.result == .success)
            #expect(try await other.outcome?.result == .success)
        }
    }
}
#endif
