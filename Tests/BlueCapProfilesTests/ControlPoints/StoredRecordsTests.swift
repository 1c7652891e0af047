// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Stored records of a glucose meter", .timeLimit(.minutes(60)))
struct StoredRecordsTests {
    private typealias Message = GlucoseService.RecordAccessControlPoint

    private static func record(_ number: UInt16) -> GlucoseService.Measurement {
        var record = GlucoseService.Measurement()
        record.sequenceNumber = number
        return record
    }

    @Test func `come as a sequence that ends with the response`() async throws {
        try await ControlPointWorld.run(GlucoseService.self) { world in
            let stored = try world.offered(GlucoseService.Measurement.self)
            try await world.serve(Message.self) { request in
                for number: UInt16 in 1...50 { try stored.update(Self.record(number)) }
                request.respond()
            } during: {
                let point = try world.peripheral.controlPoint(Message.self)
                let measurements = try world.peripheral.characteristic(GlucoseService.Measurement.self)
                for _ in 1...2 {
                    var numbers: [UInt16] = []
                    let records = try await point.procedure(.reportStoredRecords(.all), reporting: measurements)
                    for try await record in records { numbers.append(record.sequenceNumber) }
                    #expect(numbers == Array(1...50))
                }
            }
        }
    }

    @Test func `are none where the meter says so`() async throws {
        try await ControlPointWorld.run(GlucoseService.self) { world in
            try await world.serve(Message.self) { request in
                request.respond(.noRecordsFound)
            } during: {
                let point = try world.peripheral.controlPoint(Message.self)
                let measurements = try world.peripheral.characteristic(GlucoseService.Measurement.self)
                let error = await #expect(throws: ControlPointError<Message.Result>.self) {
                    for try await _ in try await point.procedure(.reportStoredRecords(.all), reporting: measurements) {}
                }
                #expect(error == .refused(.noRecordsFound))
            }
        }
    }

    @Test func `are not sent on when the loop is left, and the next request is answered`() async throws {
        try await ControlPointWorld.run(GlucoseService.self) { world in
            let stored = try world.offered(GlucoseService.Measurement.self)
            let wasAborted = Locked(false)
            try await world.serve(Message.self) { request in
                if request.message.opCode == .reportNumberOfStoredRecords {
                    request.respond(with: .numberOfStoredRecords(9))
                    return
                }
                var number: UInt16 = 0
                while request.isOpen {
                    number += 1
                    try stored.update(Self.record(number))
                    try await world.radio.clock.sleep(for: .seconds(1))
                }
                wasAborted.withLock { $0 = number < 20 }
            } during: {
                let point = try world.peripheral.controlPoint(Message.self)
                let measurements = try world.peripheral.characteristic(GlucoseService.Measurement.self)
                for try await record in try await point.procedure(.reportStoredRecords(.all), reporting: measurements) {
                    if record.sequenceNumber == 3 { break }
                }
                let count = try await point.request(.reportNumberOfStoredRecords(.all))
                #expect(count.numberOfStoredRecords == 9)
            }
            #expect(wasAborted.withLock { $0 })
        }
    }
}
