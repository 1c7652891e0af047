// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Pair with a device and keep the keys.",
        usage: "bluecap pair <device> [<options>]",
        discussion: """
            Connects, pairs and disconnects. What the device wants to be compared or typed is asked on the terminal: six \
            digits that both sides show are compared, those that the device shows are typed here, those that are shown here \
            are typed at the device. A device that can do none of this is paired without proof of its identity (Just Works).

            Meanwhile this program answers for pairing in the place of the desktop's dialog.

            EXAMPLES
              bluecap pair "Heart Strap" --backend virtual
              bluecap pair C0:DE:00:00:00:01
              bluecap pair Keyboard --passkey 123456
              bluecap pair Lock --yes --json && bluecap bonds

            JSON
              One object a line: event "passkey" (to be typed at the device),
              "question" or "paired"; id, name, passkey, text, already. Keys are only
              ever added.

            \(ToolStatus.help)
            """)

    /// The input and output capability of this side, by the names of the Core Specification.
    enum Capability: String, ExpressibleByArgument, CaseIterable, Sendable {
        case keyboardDisplay = "keyboard-display"
        case displayYesNo = "display-yes-no"
        case keyboard
        case display
        case none

        var capability: PairingCapability {
            switch self {
            case .keyboardDisplay: .keyboardDisplay
            case .displayYesNo: .displayYesNo
            case .keyboard: .keyboardOnly
            case .display: .displayOnly
            case .none: .noInputNoOutput
            }
        }
    }

    @OptionGroup var target: DeviceOptions

    @Option(
        help: ArgumentHelp(
            "What this side can do, which decides how the two sides pair.", valueName: "capability"))
    var capability = Capability.keyboardDisplay

    @Option(help: ArgumentHelp("The six digits that the device shows or has printed on it.", valueName: "digits"))
    var passkey: String?

    @Flag(help: "Accept digits that are to be compared without a question.")
    var yes = false

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    func validate() throws {
        guard let passkey else { return }
        if PairingQuestion.passkey(passkey) == nil { throw ValidationError("--passkey must be six digits") }
        if capability == .display || capability == .displayYesNo || capability == .none {
            throw ValidationError("--passkey is typed: --capability must be keyboard or keyboard-display")
        }
    }

    func run() async throws {
        let plan = PairSession.Plan(
            capability: capability.capability, accepts: yes, passkey: passkey.flatMap { PairingQuestion.passkey($0) },
            isJSON: json)
        try await target.run { finder, output, _ in
            let questions = Questions()
            try await PairSession(
                finder: finder, plan: plan, output: output, ask: { await questions.ask($0) }
            ).run()
        }
    }
}

/// Asks on standard error, and takes the answers from standard input.
private actor Questions {
    private var lines: AsyncStream<String>.AsyncIterator?

    func ask(_ question: String) async -> String? {
        report(question)
        var iterator = lines ?? StandardInput.lines().makeAsyncIterator()
        let answer = await iterator.next(isolation: self)
        lines = iterator
        return answer
    }
}
