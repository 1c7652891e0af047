// SPDX-License-Identifier: MIT

import BlueCap

/// Pairs with a device, and asks the user what pairing has to know.
struct PairSession: Sendable {
    /// How to pair.
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
    /// Asks the user a question, and returns the answer; nil where there is nobody to answer.
    let ask: @Sendable (String) async -> String?

    /// Connects, pairs and disconnects. The keys stay.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/refused`` where a question has no answer.
    func run() async throws {
        try await finder.central.requireRadio()
        let peripheral = try await finder.find()
        // Before the link, so that a device that begins to pair by itself is answered.
        let requests = finder.central.pairingRequests(capability: plan.capability)
        WaitingLine.shared.begin("connecting to \(peripheral.label)")
        defer { WaitingLine.shared.end() }
        try await peripheral.connect(timeout: finder.timeout)
        WaitingLine.shared.end()
        if peripheral.isBonded { return try await finish(peripheral, already: true) }
        finder.progress("pairing with \(peripheral.label)")
        let unanswered = try await withThrowingTaskGroup(of: PairingRequest.Kind??.self) { group in
            group.addTask {
                for await request in requests where request.peer == peripheral.identifier {
                    if let kind = try await answer(request) { return kind }
                }
                return .some(nil)
            }
            group.addTask { [timeout = plan.timeout] in
                try await peripheral.pair(timeout: timeout)
                return nil
            }
            defer { group.cancelAll() }
            // The end of the questions alone is not the end of the pairing.
            while let result = try await group.next() {
                guard let question = result else { return PairingRequest.Kind?.none }
                if let question { return question }
            }
            return nil
        }
        if let unanswered {
            throw CommandFailure(.refused, "\(peripheral.label) was not paired: \(Self.advice(unanswered))")
        }
        try await finish(peripheral, already: false)
    }

    private func finish(_ peripheral: Peripheral, already: Bool) async throws {
        let event = PairingEvent(
            event: "paired", id: peripheral.identifier.text, name: peripheral.name, already: already)
        await peripheral.disconnect()
        try output.line(
            plan.isJSON ? JSONLine.text(event) : (already ? "was paired before: " : "paired: ") + peripheral.label)
    }

    /// Answers a request.
    ///
    /// - Returns: What was asked, where no answer came.
    private func answer(_ request: PairingRequest) async throws -> PairingRequest.Kind? {
        let (question, peer) = (PairingQuestion(request), request.peer.text)
        switch request.kind {
        case .displayPasskey:
            let digits = question.digits ?? ""
            try show(PairingEvent(event: "passkey", id: peer, passkey: digits), "type this at the device: \(digits)")
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
        if let passkey = plan.passkey, request.accept(passkey: passkey) { return nil }
        var prompt = question.prompt ?? ""
        while let text = await ask(prompt) {
            guard case .again(let next) = question.answer(text) else { return nil }
            prompt = next
        }
        request.reject()
        return request.kind
    }

    private func show(_ event: PairingEvent, _ line: String?) throws(OutputClosed) {
        if plan.isJSON { return try output.line(JSONLine.text(event)) }
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
