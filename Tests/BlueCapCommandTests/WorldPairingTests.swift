// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

/// Devices of a world's file that ask for an authenticated link.
@Suite(.timeLimit(.minutes(60)))
struct WorldPairingTests {
    private struct Outcome: Sendable {
        var lines: [String]
        var questions: [String]
        var progress: [String]
        var failure: CommandFailure?
    }

    /// Reads the secret of a lock that is a twin in a world's file.
    ///
    /// - Parameters:
    ///   - members: Further members of the device.
    ///   - pairing: How the finder pairs first; nil if it does not.
    ///   - answers: The user's answers; "SHOWN" stands for the digits of the last line of progress.
    private func read(
        _ members: String, pairing: PairSession.Plan?, answers: [String] = []
    ) async throws -> Outcome {
        let text = """
            {"world": 1, "devices": [{\(members) "address": "C0:DE:00:00:00:20",
              "twin": {"schema": "bluecap-twin", "version": 1, "name": "Lock", "services": [{"uuid": "FFF0",
                "characteristics": [
                  {"uuid": "FFF1", "properties": ["read"], "value": "2a", "readSecurity": "authenticated"}]}]}}]}
            """
        let file = try WorldFile.parse(Array(text.utf8), name: "world.json")
        let output = RecordedOutput()
        let (questions, progress, rest) = (Locked<[String]>([]), Locked<[String]>([]), Locked(answers))
        let failure = Locked<CommandFailure?>(nil)
        try await VirtualRadio.run(seed: 1) { radio in
            let world = try FileWorld(radio: radio, file, name: "world.json")
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await world.run() }
                defer { group.cancelAll() }
                var finder = DeviceFinder(central: central, device: "Lock")
                finder.progress = { text in progress.withLock { $0.append(text) } }
                finder.pairing = pairing.map { PairSession.step($0) }
                finder.inhabitants = WorldUsers(radio: radio)
                finder.ask = { question in
                    questions.withLock { $0.append(question) }
                    let answer = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    guard answer == "SHOWN" else { return answer }
                    return progress.withLock { $0.last?.suffix(6) }.map(String.init)
                }
                do {
                    try await ReadSession(
                        finder: finder, characteristics: [CharacteristicSelector("FFF1")], output: output,
                        clock: radio.clock
                    ).run()
                } catch { failure.withLock { $0 = CommandFailure(error) } }
            }
            await central.invalidate()
        }
        return Outcome(
            lines: output.lines, questions: questions.withLock { $0 }, progress: progress.withLock { $0 },
            failure: failure.withLock { $0 })
    }

    @Test func `a twin that shows the passkey of the file is read by a central that is given it`() async throws {
        let outcome = try await read(
            #""pairing": "showing", "passkey": "012345","#, pairing: PairSession.Plan(passkey: 12_345))
        #expect(outcome.lines == ["*  2a"] && outcome.questions.isEmpty, "\(outcome)")
        #expect(outcome.progress.contains("paired with Lock (C0:DE:00:00:00:20)"))
    }

    @Test func `with another passkey it is not, and its value neither`() async throws {
        let outcome = try await read(
            #""pairing": "showing", "passkey": "012345","#, pairing: PairSession.Plan(passkey: 12_346))
        #expect(outcome.lines.isEmpty && outcome.failure?.status == .refused, "\(outcome)")
    }

    @Test func `what a device of a world shows is said, so that it can be typed`() async throws {
        let outcome = try await read(#""pairing": "showing","#, pairing: PairSession.Plan(), answers: ["SHOWN"])
        #expect(outcome.lines == ["*  2a"], "\(outcome)")
        #expect(outcome.questions == ["which six digits does C0:DE:00:00:00:20 show?"])
        let shown = outcome.progress.filter { $0.hasPrefix("in the virtual world C0:DE:00:00:00:20 shows ") }
        #expect(shown.count == 1)
    }

    @Test func `what this side shows is typed at a device of a world`() async throws {
        let outcome = try await read(#""pairing": "typing","#, pairing: PairSession.Plan())
        #expect(outcome.lines == ["*  2a"] && outcome.questions.isEmpty, "\(outcome)")
        #expect(outcome.progress.contains { $0.hasPrefix("type this at the device: ") })
    }

    @Test func `the digits that are typed here are typed at a device without a display, too`() async throws {
        let plan = PairSession.Plan(capability: .keyboardOnly, passkey: 7)
        let outcome = try await read(#""pairing": "typing","#, pairing: plan)
        #expect(outcome.lines == ["*  2a"], "\(outcome)")
    }

    @Test func `a twin that asks for an authenticated link compares digits, unless the file says otherwise`()
        async throws
    {
        let compared = try await read("", pairing: PairSession.Plan(accepts: true))
        #expect(compared.lines == ["*  2a"], "\(compared)")
        let worked = try await read(#""pairing": "justWorks","#, pairing: PairSession.Plan(accepts: true))
        #expect(worked.lines.isEmpty && worked.failure != nil, "\(worked)")
    }

    @Test(arguments: [(#""paired": true,"#, true), ("", false)])
    func `without pairing its value is there for a central that paired before, as the twin pairs`(
        members: String, isThere: Bool
    ) async throws {
        let outcome = try await read(members, pairing: nil)
        #expect((outcome.lines == ["*  2a"]) == isThere && (outcome.failure == nil) == isThere, "\(outcome)")
    }

    @Test(arguments: [
        (#""passkey": 123456, "pairing": "showing""#, "devices[0].passkey: "),
        (
            #""passkey": "12345", "pairing": "showing""#,
            "devices[0].passkey: '12345' is not six digits in quotes, as \"012345\""
        ),
        (#""passkey": "123456""#, "devices[0].passkey: only a device with 'pairing' 'showing' shows its passkey"),
        (#""passkey": "123456", "pairing": "typing""#, "devices[0].passkey: only a device with"),
    ])
    func `a passkey that cannot be is refused with its place`(members: String, problem: String) {
        let text = #"{"world": 1, "devices": [{"services": ["Battery"], \#(members)}]}"#
        let error = #expect(throws: CommandFailure.self) {
            try WorldFile.parse(Array(text.utf8), name: "world.json")
        }
        #expect(error?.status == .usage && error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        (["Lock", "FFF1"], false), (["Lock", "FFF1", "--pair"], true), (["Lock", "FFF1", "--yes"], true),
        (["Lock", "FFF1", "--passkey", "123456"], true), (["Lock", "FFF1", "--capability", "none"], true),
    ])
    func `a command pairs first where an option of pairing is given`(arguments: [String], pairs: Bool) async throws {
        let command = try await ReadCommand.asyncParse(arguments)
        #expect((command.first.step != nil) == pairs)
    }

    @Test func `a passive recording does not pair`() async {
        await expectRefusal(
            of: ["Lock", "-o", "-", "--passive", "--pair"], by: RecordCommand.self,
            saying: "asks nothing of the device")
    }
}
