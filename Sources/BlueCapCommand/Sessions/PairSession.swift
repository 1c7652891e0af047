// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTerminal

/// Pairs with a device, and passes the questions of pairing to the user.
struct PairSession: Sendable {
    struct Plan: Sendable {
        var capability = PairingCapability.keyboardDisplay
        /// Whether digits that are to be compared are accepted without a question.
        var accepts = false
        /// The passkey that the device shows, where the user has given it beforehand.
        var passkey: UInt32?
        /// How long the pairing may take, the user's answers included.
        var timeout = Duration.seconds(60)
        var isJSON = false
    }

    let finder: DeviceFinder
    let plan: Plan
    let output: any LineOutput
    /// Asks the user a question, and returns the answer; nil where there is no user to answer.
    let ask: @Sendable (String) async -> String?

    /// Connects and pairs before the work of another command, and asks and answers beside its results.
    static func step(_ plan: Plan) -> DeviceFinder.PairingStep {
        { finder, peripheral in
            try await PairSession(finder: finder, plan: plan, output: ProgressOutput(finder.progress), ask: finder.ask)
                .connect(peripheral)
        }
    }

    /// Connects, pairs and says so; the link goes down with the manager, and the keys stay.
    ///
    /// - Throws: As ``connect(_:)``.
    func run() async throws {
        try await finder.central.requireRadio()
        let peripheral = try await finder.find()
        let isNew = try await connect(peripheral)
        let event = PairingEvent(
            event: "paired", id: peripheral.identifier.text, name: peripheral.name, already: !isNew)
        try output.line(
            plan.isJSON ? JSONLine.text(event) : (isNew ? "paired: " : "was paired before: ") + peripheral.label)
    }

    /// Connects, and pairs unless the devices have paired before. A link on which they did not pair is down when this
    /// throws.
    ///
    /// - Returns: Whether they have paired now.
    /// - Throws: ``CommandFailure`` with ``ToolStatus/refused`` where a question has no answer, and with
    ///   ``ToolStatus/tryAgain`` where none came in time.
    func connect(_ peripheral: Peripheral) async throws -> Bool {
        // Before the link, so that a device that begins to pair by itself is answered.
        let requests = finder.central.pairingRequests(capability: plan.capability)
        WaitingLine.shared.begin("connecting to \(peripheral.label)")
        defer { WaitingLine.shared.end() }
        try await peripheral.connect(timeout: finder.timeout)
        WaitingLine.shared.end()
        if peripheral.isBonded { return false }
        finder.progress("pairing with \(peripheral.label)")
        do {
            if let (status, reason) = try await pair(peripheral, answering: requests) {
                throw CommandFailure(status, "\(peripheral.label) was not paired: \(reason)")
            }
        } catch {
            // Before the questions end. bluetoothd may pair once more over a link that stands, as when it reads a value
            // of its own accord, and aborts when an agent answers that it has unregistered meanwhile (seen with 5.66).
            await peripheral.disconnect(timeout: finder.timeout)
            withExtendedLifetime(requests) {}
            throw error
        }
        return true
    }

    private enum Step {
        /// The pairing was refused on this side; the reason, in words.
        case refused(String)
        /// No question comes any more, which is not the end of the pairing.
        case asked(Questions)
        case paired
        case failed(PeripheralError)
    }

    /// What became of the questions.
    private struct Questions {
        /// Advice about the one that was still open at the end.
        var open: String?
        var wereAnswered = false
    }

    /// Pairs, and answers the questions meanwhile.
    ///
    /// - Returns: Why it was refused on this side, or not answered in time; nil where the devices are paired.
    private func pair(
        _ peripheral: Peripheral, answering requests: AsyncStream<PairingRequest>
    ) async throws -> (ToolStatus, String)? {
        try await withThrowingTaskGroup(of: Step.self) { group in
            group.addTask {
                var questions = Questions()
                for await request in requests where request.peer == peripheral.identifier {
                    switch try await answer(request) {
                    case .asked(let last)?:
                        return .asked(Questions(open: last.open, wereAnswered: questions.wereAnswered))
                    case let step?: return step
                    case nil: questions.wereAnswered = true
                    }
                }
                return .asked(questions)
            }
            group.addTask { [timeout = plan.timeout] in
                do throws(PeripheralError) {
                    try await peripheral.pair(timeout: timeout)
                } catch {
                    return .failed(error)
                }
                return .paired
            }
            defer { group.cancelAll() }
            var (failure, questions) = (PeripheralError?.none, Questions())
            while let step = try await group.next() {
                switch step {
                case .refused(let reason): return (.refused, reason)
                case .paired: return nil
                case .asked(let all): questions = all
                case .failed(let error):
                    // A refusal fails the pairing or ends the link, and this may be known before the refusal is.
                    failure = error
                    group.cancelAll()
                }
            }
            guard let failure else { return nil }
            return try end(failure, questions)
        }
    }

    /// Why the devices are not paired, where the questions say more about it than the failure.
    ///
    /// - Throws: The failure, where they do not.
    private func end(
        _ failure: PeripheralError, _ questions: Questions
    ) throws(PeripheralError) -> (ToolStatus, String) {
        switch failure.reason {
        // The device does not wait for an answer for ever, and may end the link then.
        case .timeout, .pairing(.timeout), .disconnected:
            if let open = questions.open { return (.tryAgain, open) }
        default: break
        }
        // bluetoothd may pair before it is asked to, as when it reads a value of its own accord, and reports only the
        // end of the link when the other side refuses that.
        if case .disconnected = failure.reason, questions.wereAnswered {
            return (.refused, "the link ended after the answer, as when the other side refused, or the digits differ")
        }
        throw failure
    }

    /// Answers a request.
    ///
    /// - Returns: The end of the questions; nil where another may come.
    private func answer(_ request: PairingRequest) async throws -> Step? {
        let (question, peer) = (PairingQuestion(request), request.peer.text)
        switch request.kind {
        case .displayPasskey:
            let digits = question.digits ?? ""
            try show(PairingEvent(event: "passkey", id: peer, passkey: digits), "type this at the device: \(digits)")
            typeAtDevice(digits, request)
            return nil
        case .confirm, .enterPasskey:
            try show(
                PairingEvent(event: "question", id: peer, passkey: question.digits, text: question.text), nil)
        case .authorize, .authorizeService: break
        }
        if case .confirm = request.kind, plan.accepts {
            finder.progress("accepted \(question.digits ?? "")")
            request.accept()
            return nil
        }
        if let passkey = plan.passkey, request.accept(passkey: passkey) {
            typeAtDevice(PairingQuestion.digits(passkey), request)
            return nil
        }
        if request.kind == .enterPasskey, let shown = finder.inhabitants?.shownPasskey(at: request.peer) {
            finder.progress("in the virtual world \(peer) shows \(PairingQuestion.digits(shown))")
        }
        var prompt = question.prompt ?? ""
        while let text = await ask(prompt) {
            switch question.answer(text) {
            case .accepted:
                typeAtDevice(text, request)
                return nil
            case .rejected: return .refused("it was refused here")
            case .again(let next): prompt = next
            }
        }
        if Task.isCancelled { return .asked(Questions(open: Self.advice(request.kind))) }
        request.reject()
        return .refused(Self.advice(request.kind))
    }

    /// Types digits at the device as its user, in a virtual world.
    private func typeAtDevice(_ digits: String, _ request: PairingRequest) {
        guard let passkey = PairingQuestion.passkey(digits.filter { $0 != " " }) else { return }
        finder.inhabitants?.type(passkey, at: request.peer)
    }

    private func show(_ event: PairingEvent, _ line: String?) throws(OutputClosed) {
        if plan.isJSON { return try output.event(event) }
        if let line { try output.line(line) }
    }

    private static func advice(_ kind: PairingRequest.Kind) -> String {
        switch kind {
        case .enterPasskey: "it shows a passkey, and nothing was typed. Type it here, or pass it with --passkey"
        case .confirm: "it has digits to compare, and no answer came. Answer here, or accept them with --yes"
        default: "it asked for a yes, and no answer came"
        }
    }
}

/// A step of pairing, as `pair` prints it.
struct PairingEvent: Encodable, Sendable {
    /// `"passkey"`, `"question"` or `"paired"`.
    var event: String
    var id: String
    var name: String?
    /// The six digits that are shown or compared.
    var passkey: String?
    var text: String?
    var already: Bool?
}

/// An output whose lines are progress, beside a command's results.
private struct ProgressOutput: LineOutput {
    private let progress: @Sendable (String) -> Void

    init(_ progress: @escaping @Sendable (String) -> Void) { self.progress = progress }

    var screen: ScreenSize? { nil }
    var columns: Int? { nil }

    func line(_ text: String) { progress(text) }

    func draw(_ lines: [DrawnLine]) {}
}
