// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct SessionTests {
    @Test func `a scan in JSON reports who is there, who leaves and who returns`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = ScanSession.Plan(
                options: ScanOptions(lostAfter: .seconds(5)), duration: .seconds(70), isJSON: true)
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            let bracelet = output.lines.filter { $0.contains("C0:DE:00:00:00:04") }
            let events = bracelet.compactMap { $0.split(separator: #""event":""#).last?.prefix { $0 != "\"" } }
            #expect(events.first == "discovered")
            #expect(events.contains("lost"))
            #expect(
                Set(output.lines.compactMap { $0.firstRange(of: "C0:DE:00:00:00:0").map { $0.upperBound } }).count >= 1)
            for number in 1...5 { #expect(output.lines.contains { $0.contains("C0:DE:00:00:00:0\(number)") }) }
        }
    }

    @Test func `a scan event holds what the beacon advertises, keys in the order of the alphabet`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = ScanSession.Plan(duration: .seconds(2), isJSON: true)
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            let beacon = try #require(output.lines.first { $0.contains("C0:DE:00:00:00:05") })
            #expect(
                beacon.replacing(/"date":"1970-01-01T00:00:0\d\.\d{3}Z"/, with: "DATE").replacing(/-9\d/, with: "RSSI")
                    == #"{"connectable":false,DATE,"event":"discovered","id":"C0:DE:00:00:00:05","manufacturerData":{"ffff":"beac0102"},"rssi":RSSI,"services":[],"shortServices":[],"state":"found","txPower":-12}"#
            )
        }
    }

    @Test func `on a screen a scan draws a table that is never wider or higher than the screen`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput(screen: ScreenSize(columns: 60, rows: 6))
            let plan = ScanSession.Plan(duration: .seconds(5))
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            #expect(output.lines.isEmpty)
            #expect(output.drawings.allSatisfy { $0.count < 6 })
            #expect(output.drawings.joined().allSatisfy { TextLayout.width(of: $0) <= 60 })
            #expect(output.drawings.last?.first?.contains("5 devices.") == true)
            #expect(output.drawings.dropLast().allSatisfy { $0.first?.hasSuffix(" Ctrl-C ends it.") == true })
            #expect(output.drawings.last?.first?.contains("Ctrl-C") == false)
        }
    }

    @Test
    func `on a screen the signal and the age of each device follow its packets without --duplicates`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput(screen: ScreenSize(columns: 80, rows: 24))
            let plan = ScanSession.Plan(duration: .seconds(20))
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            let rows = output.drawings.suffix(60).compactMap { $0.first { $0.contains("C0:DE:00:00:00:03") } }
            let signals = Set(rows.compactMap { $0.firstMatch(of: /-\d+/)?.output })
            #expect(rows.count == 60)
            #expect(signals.count > 3, "\(signals)")
            #expect(rows.allSatisfy { $0.contains(" now ") || $0.contains(" 1 s ") }, "\(rows)")
        }
    }

    @Test func `a scan that sees nobody ends as timed out, and names what it looked for`() async throws {
        try await inTown { radio, central in
            let plan = ScanSession.Plan(services: ["1234"], duration: .seconds(3))
            let session = ScanSession(central: central, plan: plan, output: RecordedOutput(), clock: radio.clock)
            let error = await #expect(throws: CommandFailure.self) { try await session.run() }
            #expect(error?.status == .tryAgain && error?.message.contains("that advertises 1234") == true)
        }
    }

    @Test(
        arguments: [
            (PeripheralError.disconnected, "the link was lost: bring the device near, and try again"),
            (CharacteristicError.poweredOff, "Bluetooth is off: switch it on ('bluetoothctl power on')"),
            (
                PeripheralError.serviceDiscoveryTimeout,
                "no services came within the time given, and the connection was ended: try again, or raise --timeout"
            ),
            (
                PeripheralError.pairingFailed(.rejected),
                "pairing was rejected: unless you refused, pair with 'bluecap pair', and accept"
            ),
            (
                CharacteristicError.att(.insufficientAuthentication),
                "the peripheral answered: insufficient authentication (0x05): pair with 'bluecap pair' first, and "
                    + "answer its questions"
            ),
            (
                PeripheralError.att(.insufficientEncryption),
                "the peripheral answered: insufficient encryption (0x0F): pair with 'bluecap pair' first, and "
                    + "answer its questions"
            ),
            (PeripheralError.ambiguous("180D", count: 2), "2 services have the UUID 180D"),
            (CharacteristicError.valueTooLong(count: 9, maximum: 8), "9 bytes are too many: send 8 bytes at most"),
        ] as [(any BlueCapError, String)])
    func `an error of the library comes with advice for the command line, without its calls`(
        error: any BlueCapError, text: String
    ) {
        #expect(CommandFailure(error).message == text)
    }

    @Test func `without a radio a command says what to install and exits with 69`() async throws {
        let failure = BackendFailure(name: "BlueCap.NoBackend", message: "no bluetoothd", advice: "Install bluez")
        let central = CentralManager(
            backend: UnavailableCentralBackend(failure: failure), configuration: .tool(clock: .continuous))
        let error = await #expect(throws: CommandFailure.self) { try await central.requireRadio() }
        #expect(error?.status == .noRadio)
        #expect(error?.message.contains("Install bluez") == true)
        #expect(error?.message.contains("'bluecap doctor'") == true, "\(error as Any)")
    }
}
