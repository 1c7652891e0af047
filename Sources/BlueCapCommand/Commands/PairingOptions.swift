// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// The options that answer the questions of pairing.
struct PairingOptions: ParsableArguments {
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

    @Option(
        help: ArgumentHelp(
            "What this side can do, which decides how the two sides pair. (default: keyboard-display)",
            valueName: "capability"))
    var capability: Capability?

    @Option(help: ArgumentHelp("The six digits that the device shows or has printed on it.", valueName: "digits"))
    var passkey: String?

    @Flag(help: "Accept digits that are to be compared without a question.")
    var yes = false

    func validate() throws {
        guard let passkey else { return }
        if PairingQuestion.passkey(passkey) == nil { throw ValidationError("--passkey must be six digits") }
        switch capability {
        case .display?, .displayYesNo?, .none?:
            throw ValidationError("--passkey is typed: --capability must be keyboard or keyboard-display")
        case .keyboard?, .keyboardDisplay?, nil: break
        }
    }

    /// Whether one of the options is there.
    var isGiven: Bool { capability != nil || passkey != nil || yes }

    var plan: PairSession.Plan {
        PairSession.Plan(
            capability: (capability ?? .keyboardDisplay).capability, accepts: yes,
            passkey: passkey.flatMap { PairingQuestion.passkey($0) })
    }
}

/// The options of a command that can pair before its work.
struct PairFirstOptions: ParsableArguments {
    @Flag(help: "Pair with the device first, as 'bluecap pair' does; the options of pairing imply it.")
    var pair = false

    @OptionGroup var options: PairingOptions

    /// Connects and pairs; nil where that is not wanted.
    var step: DeviceFinder.PairingStep? { pair || options.isGiven ? PairSession.step(options.plan) : nil }
}
