// SPDX-License-Identifier: MIT

// The code of the article, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import Testing

struct LampControlPoint: ControlPointMessage {
    static let uuid: BluetoothUUID = "F000CC01-0451-4000-B000-000000000000"
    static let succeeded: UInt8 = 1
    static let failed: UInt8 = 4

    var opCode: UInt8
    var parameter: Bytes = []

    var outcome: (request: UInt8, result: UInt8)? {
        opCode == 0x80 && parameter.count >= 2 ? (parameter[0], parameter[1]) : nil
    }

    init(opCode: UInt8, parameter: Bytes = []) { (self.opCode, self.parameter) = (opCode, parameter) }

    init(to request: UInt8, _ result: UInt8) { self.init(opCode: 0x80, parameter: [request, result]) }

    init(from reader: inout ByteReader) throws(SerDeError) {
        opCode = try reader.read()
        parameter = try reader.read()
    }

    var encodedByteCount: Int { 1 + parameter.count }

    func encode(into output: inout OutputRawSpan) {
        output.write(opCode)
        output.write(parameter)
    }
}

@Suite("The article about control points", .timeLimit(.minutes(60)))
struct ControlPointsArticleTests {
    /// A peripheral of our own with some characteristics, connected and discovered.
    private static func offer(_ characteristics: MutableCharacteristic..., in lab: Lab) async throws -> Peripheral {
        _ = try await lab.serve(characteristics)
        return try await lab.connect(try await lab.central(), to: Lab.service)
    }

    /// Runs a body beside an app that answers the requests of a treadmill; the second one for control counts.
    private static func withTreadmill(
        in lab: Lab, _ body: (Peripheral, MutableCharacteristic) async throws -> Void
    ) async throws {
        let point = TypedMutableCharacteristic<FitnessMachineService.ControlPoint>()
        let requests = point.controlPointRequests()
        let treadmill = try await offer(point.characteristic, in: lab)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var count = 0
                for await request in requests {
                    count += 1
                    // Another central takes the control after three requests, for one.
                    request.respond(count == 4 ? .controlNotPermitted : .success)
                }
            }
            try await body(treadmill, point.characteristic)
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func `a treadmill is set twice, and control is asked for again where it was lost`() async throws {
        try await Lab.run { lab in
            try await Self.withTreadmill(in: lab) { treadmill, offered in
                let machine = try treadmill.controlPoint(FitnessMachineService.ControlPoint.self)
                try await machine.request(.requestControl)
                try await machine.request(.set(.speed(try Scaled(8.5))), timeout: .seconds(5))
                try await machine.request(.startOrResume)

                do {
                    try await machine.request(.set(.inclination(try Scaled(3))))
                } catch ControlPointError<ControlPointResult>.refused(.controlNotPermitted) {
                    try await machine.request(.requestControl)
                    try await machine.request(.set(.inclination(try Scaled(3))))
                }

                let patient = try treadmill.controlPoint(FitnessMachineService.ControlPoint.self, onDisconnect: .resubscribe)
                try await patient.request(.pause, timeout: .seconds(60))
                #expect(offered.subscribers.count == 1)
            }
        }
    }

    @Test func `a peripheral answers the requests to its treadmill`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let service = MutableService(uuid: FitnessMachineService.uuid)
            try await lab.during({
                let point = TypedMutableCharacteristic<FitnessMachineService.ControlPoint>()
                service.characteristics = [point.characteristic]
                let requests = point.controlPointRequests()
                try await manager.add(service)
                for await request in requests {
                    switch request.message.opCode {
                    case .requestControl, .startOrResume, .stopOrPause:
                        request.respond()
                    default:
                        guard let target = request.message.target else {
                            request.respond(.opCodeNotSupported)
                            continue
                        }
                        print("set", target)
                        request.respond()
                    }
                }
            }) {
                try await manager.startAdvertising("Treadmill", serviceUUIDs: [service.uuid])
                let treadmill = try await lab.connect(try await lab.central(), to: service.uuid)
                let machine = try treadmill.controlPoint(FitnessMachineService.ControlPoint.self)
                try await machine.request(.requestControl)
                try await machine.request(.set(.heartRate(130)))
                let error = await #expect(throws: ControlPointError<ControlPointResult>.self) {
                    try await machine.request(.reset)
                }
                #expect(error == .refused(.opCodeNotSupported))
            }
            #expect(printed.lines == ["set heartRate(130)"])
        }
    }

    @Test func `stored records are counted, and come as a sequence`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let stored = TypedMutableCharacteristic<GlucoseService.RecordAccessControlPoint>()
            let measurement = TypedMutableCharacteristic<GlucoseService.Measurement>()
            let memory = (1...3 as ClosedRange<UInt16>).map { number in
                var record = GlucoseService.Measurement()
                record.sequenceNumber = number
                return record
            }
            let meter = try await Self.offer(stored.characteristic, measurement.characteristic, in: lab)
            try await lab.during({
                for await request in stored.controlPointRequests() {
                    switch request.message.opCode {
                    case .reportNumberOfStoredRecords:
                        request.respond(with: .numberOfStoredRecords(UInt16(memory.count)))
                    case .reportStoredRecords:
                        for record in memory where request.isOpen { try measurement.update(record) }
                        request.respond(memory.isEmpty ? .noRecordsFound : .success)
                    default:
                        request.respond(.opCodeNotSupported)
                    }
                }
            }) {
                let records = try meter.controlPoint(GlucoseService.RecordAccessControlPoint.self)
                let count = try await records.request(.reportNumberOfStoredRecords(.all)).numberOfStoredRecords
                print(count ?? 0, "records")
                let measurements = try meter.characteristic(GlucoseService.Measurement.self)
                for try await record in try await records.procedure(.reportStoredRecords(.all), reporting: measurements) {
                    print(record.sequenceNumber)
                }
            }
            #expect(printed.lines == ["3 records", "1", "2", "3"])
        }
    }

    @Test func `a heart rate sensor answers the write`() async throws {
        try await Lab.run { lab in
            let offered = TypedMutableCharacteristic<HeartRateService.ControlPoint>()
            let requests = offered.writeRequests()
            let strap = try await Self.offer(offered.characteristic, in: lab)
            async let written: Void = { for await request in requests.prefix(1) { request.accept() } }()
            let point = try strap.characteristic(HeartRateService.ControlPoint.self)
            try await point.write(.resetEnergyExpended)
            await written
            #expect(offered.value == .resetEnergyExpended)
        }
    }

    @Test func `a control point of one's own is one as the others are`() async throws {
        try await Lab.run { lab in
            let offered = TypedMutableCharacteristic<LampControlPoint>(
                uuid: LampControlPoint.uuid, properties: [.write, .indicate], permissions: .writeable)
            let requests = offered.controlPointRequests()
            let lamp = try await Self.offer(offered.characteristic, in: lab)
            async let answered: Void = {
                for await request in requests.prefix(1) {
                    request.respond(with: LampControlPoint(opCode: 0x80, parameter: [request.message.opCode, 1, 42]))
                }
            }()
            let response = try await lamp.controlPoint(LampControlPoint.self).request(LampControlPoint(opCode: 7))
            #expect(response.parameter == [7, 1, 42])
            await answered
        }
    }
}
