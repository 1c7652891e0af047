// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct AdaptersTests {
    private static let adapters = [
        AdapterReport(
            name: "hci0", address: "00:AA:01:00:00:42", alias: "desk", powered: true, scanning: true, pairable: true,
            roles: ["central", "peripheral"], advertisements: 1, advertisementCapacity: 5, version: "5.66"),
        AdapterReport(name: "hci1", address: "00:AA:01:00:00:43", alias: "old", powered: false),
    ]

    @Test func `each adapter has a line, and another for what it can do`() async throws {
        let output = RecordedOutput()
        try await AdaptersSession(adapters: { Self.adapters }, output: output).run()
        #expect(
            output.lines == [
                "hci0  00:AA:01:00:00:42  on   desk",
                "  scanning, pairable, roles central peripheral, advertisements 1 of 5, BlueZ 5.66",
                "hci1  00:AA:01:00:00:43  off  old",
            ])
    }

    @Test func `in JSON each adapter is an object, and what is not known is left out`() async throws {
        let output = RecordedOutput()
        try await AdaptersSession(adapters: { Self.adapters }, isJSON: true, output: output).run()
        #expect(
            output.lines.last
                == #"{"address":"00:AA:01:00:00:43","alias":"old","event":"adapter","name":"hci1","pairable":false,"powered":false,"roles":[],"scanning":false}"#
        )
    }

    @Test func `no adapter ends it with 69 and names the doctor`() async throws {
        let error = await #expect(throws: CommandFailure.self) {
            try await AdaptersSession(adapters: { [] }, output: RecordedOutput()).run()
        }
        #expect(error?.status == .noRadio && error?.message.contains("'bluecap doctor'") == true)
    }

    @Test func `no bluetoothd ends it with 69 and names the doctor`() async throws {
        let error = await #expect(throws: CommandFailure.self) {
            try await AdaptersSession(
                adapters: { throw CentralManagerError.powerOnTimeout }, output: RecordedOutput()
            ).run()
        }
        #expect(error?.status == .noRadio && error?.message.contains("'bluecap doctor'") == true)
    }

    @Test(arguments: [
        (CentralManagerError.backend(BackendFailure(name: "NoServer", message: "no bus")), ToolStatus.noRadio),
        (.unsupported, .noRadio), (.unauthorized, .notAuthorized),
    ])
    func `a bus that cannot be reached ends it as in every command, and names the doctor`(
        reason: CentralManagerError, status: ToolStatus
    ) async throws {
        let error = await #expect(throws: CommandFailure.self) {
            try await AdaptersSession(adapters: { throw reason }, output: RecordedOutput()).run()
        }
        #expect(error?.status == status && error?.message.contains("'bluecap doctor'") == true, "\(error)")
    }
}
