// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct PairTests {
    private struct Outcome: Sendable {
        var lines: [String]
        var questions: [String]
        var isBonded: Bool
        var failure: CommandFailure?
    }

    /// Pairs with a device of its own.
    ///
    /// - Parameters:
    ///   - answers: The user's answers, after which the input ends. "SHOWN" stands for the digits that the device
    ///     shows.
    private func pair(
        _ pairing: VirtualPairing, _ plan: PairSession.Plan, answers: [String] = [], isBonded: Bool = false
    ) async throws -> Outcome {
        let lock = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") { VirtualCharacteristic("FFF1", value: [1]) }
        }
        let output = RecordedOutput()
        let questions = Locked<[String]>([])
        let rest = Locked(answers)
        let (failure, bond) = (Locked<CommandFailure?>(nil), Locked(false))
        try await inTown { radio, central in
            radio.add(lock)
            lock.changePairing(to: pairing)
            if isBonded { lock.bond(with: radio.adapter()) }
            let session = PairSession(
                finder: DeviceFinder(central: central, device: "Lock", progress: { _ in }), plan: plan, output: output,
                ask: { question in
                    questions.withLock { $0.append(question) }
                    let answer = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    return answer == "SHOWN" ? lock.shownPasskey.map { String($0) } : answer
                })
            do { try await session.run() } catch { failure.withLock { $0 = CommandFailure(error) } }
            let known = try await central.retrievePeripherals(withIdentifiers: [lock.identifier])
            bond.withLock { $0 = known.first?.isBonded == true }
            if failure.withLock({ $0 }) == nil { await central.invalidate() }
            #expect(lock.connectionCount == 0)
        }
        return Outcome(
            lines: output.lines, questions: questions.withLock { $0 }, isBonded: bond.withLock { $0 },
            failure: failure.withLock { $0 })
    }

    @Test func `a device that can show nothing is paired without a question`() async throws {
        let outcome = try await pair(.justWorks, PairSession.Plan())
        #expect(outcome.lines == ["paired: Lock (C0:DE:00:00:00:20)"])
        #expect(outcome.questions.isEmpty && outcome.isBonded)
    }

    @Test func `digits that both show are accepted by the user's yes`() async throws {
        let outcome = try await pair(.comparing, PairSession.Plan(), answers: ["what?", "YES"])
        #expect(outcome.isBonded && outcome.questions.count == 2)
        let pattern = /does C0:DE:00:00:00:20 show \d{6}, too\? \(yes or no\)/
        #expect(outcome.questions[0].wholeMatch(of: pattern) != nil, "\(outcome.questions)")
    }

    @Test func `a no of the user's is the end, with 76`() async throws {
        let outcome = try await pair(.comparing, PairSession.Plan(), answers: ["no"])
        #expect(!outcome.isBonded && outcome.failure?.status == .refused)
        #expect(outcome.failure?.message.hasSuffix(" was not paired: it was refused here") == true, "\(outcome)")
    }

    @Test func `with --yes digits are accepted without a question`() async throws {
        let outcome = try await pair(.comparing, PairSession.Plan(accepts: true))
        #expect(outcome.isBonded && outcome.questions.isEmpty)
    }

    @Test func `the digits that the device shows are typed by the user, once they are six`() async throws {
        let plan = PairSession.Plan(capability: .keyboardOnly)
        let outcome = try await pair(.showing, plan, answers: ["1234567", "SHOWN"])
        #expect(outcome.isBonded && outcome.questions.count == 2)
        #expect(outcome.questions[1].hasPrefix("that is not six digits; "))
    }

    @Test func `a question that nobody answers is refused, with what to add`() async throws {
        let plan = PairSession.Plan(capability: .keyboardOnly)
        let outcome = try await pair(.showing, plan)
        #expect(!outcome.isBonded && outcome.failure?.status == .refused)
        #expect(outcome.failure?.message.contains("--passkey") == true, "\(outcome)")
    }

    @Test(arguments: [false, true])
    func `a question that is not answered before its time or the link is over is named, with 75 and what to add`(
        losesLink: Bool
    ) async throws {
        let lock = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20") { VirtualService("1234") }
        try await inTown { radio, central in
            radio.add(lock)
            lock.changePairing(to: .showing)
            let session = PairSession(
                finder: DeviceFinder(central: central, device: "Lock", progress: { _ in }),
                plan: PairSession.Plan(capability: .keyboardOnly), output: RecordedOutput(),
                ask: { _ in
                    if losesLink { lock.disconnect() }
                    // The user never answers.
                    try? await radio.clock.sleep(for: .seconds(1_000_000))
                    return nil
                })
            let error = await #expect(throws: CommandFailure.self) { try await session.run() }
            #expect(error?.status == .tryAgain && error?.message.contains("--passkey") == true, "\(error as Any)")
        }
    }

    @Test func `a link that ends after the answer is a refusal of the other side, with 76`() async throws {
        let lock = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20") { VirtualService("1234") }
        try await inTown { radio, central in
            radio.add(lock)
            lock.changePairing(to: .comparing)
            let session = PairSession(
                finder: DeviceFinder(central: central, device: "Lock", progress: { _ in }), plan: PairSession.Plan(),
                output: RecordedOutput(),
                ask: { _ in
                    lock.disconnect()
                    return "yes"
                })
            let error = await #expect(throws: CommandFailure.self) { try await session.run() }
            #expect(
                error?.status == .refused && error?.message.contains("the other side refused") == true,
                "\(error as Any)")
        }
    }

    @Test(arguments: [
        (PairingFailure.timeout, ToolStatus.tryAgain), (.rejected, .refused), (.cancelled, .refused),
        (.failed, .refused),
    ])
    func `a pairing that failed is told apart by the exit status`(failure: PairingFailure, status: ToolStatus) {
        #expect(CommandFailure(PeripheralError.pairingFailed(failure)).status == status)
    }

    @Test func `a device that was paired before is not paired again`() async throws {
        let outcome = try await pair(.comparing, PairSession.Plan(isJSON: true), isBonded: true)
        #expect(
            outcome.lines == [#"{"already":true,"event":"paired","id":"C0:DE:00:00:00:20","name":"Lock"}"#])
        #expect(outcome.questions.isEmpty)
    }

    @Test func `a question in JSON has the digits`() async throws {
        let outcome = try await pair(.comparing, PairSession.Plan(accepts: true, isJSON: true))
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines[0].contains(#""event":"question""#) && outcome.lines[0].contains(#""passkey":""#))
    }

    @Test(arguments: [
        (["Lock", "--passkey", "12345"], "--passkey"),
        (["Lock", "--passkey", "12345a"], "--passkey"),
        (["Lock", "--passkey", "+12345"], "--passkey"),
        (["Lock", "--passkey", "123456", "--capability", "display"], "--passkey"),
        (["Lock", "--capability", "telepathy"], "telepathy"),
    ])
    func `what cannot be is refused`(arguments: [String], text: String) async {
        await expectRefusal(of: arguments, by: PairCommand.self, saying: text)
    }
}
