// SPDX-License-Identifier: MIT

import BlueCap

/// Advice about an error of the library on the command line, where the library's own advice is about calls.
enum ToolAdvice {
    /// The error, and the advice behind a colon.
    static func text(for error: any BlueCapError) -> String {
        // A command has connected before it asks for anything.
        let message = isLostLink(error) ? "the link was lost" : error.message
        return advice(for: error).map { "\(message): \($0)" } ?? message
    }

    /// The advice; nil where nothing helps.
    private static func advice(for error: any BlueCapError) -> String? {
        if isLostLink(error) { return "bring the device near, and try again" }
        switch (error.reason, error) {
        case (.poweredOff, _): return "switch it on ('bluetoothctl power on')"
        case (.pairing(let failure), _): return advice(for: failure)
        case (.att(.insufficientAuthentication), _), (.att(.insufficientEncryption), _):
            return "pair with 'bluecap pair' first, and answer its questions"
        case (.timeout, PeripheralError.pairingTimeout): return advice(for: .timeout)
        case (.timeout, PeripheralError.connectionTimeout), (.timeout, CharacteristicError.writeTimeout):
            return error.advice.map { "\($0), or raise --timeout" }
        case (.timeout, is PeripheralError), (.timeout, is ServiceError), (.timeout, is CharacteristicError),
            (.timeout, is ChannelError):
            return "try again, or raise --timeout"
        case (_, CentralManagerError.unsupported), (_, PeripheralManagerError.unsupported):
            return "plug one in, or add --backend virtual"
        case (_, ChannelError.channelsNotSupported): return "--backend virtual has them"
        case (_, ChannelError.refused(.insufficientEncryption)): return "add --encrypted"
        case (_, ChannelError.psmTaken): return "choose another with --psm, or leave it out"
        default: return error.advice.flatMap { namesCall($0) ? nil : $0 }
        }
    }

    private static func advice(for failure: PairingFailure) -> String? {
        switch failure {
        case .rejected: "unless you refused, pair with 'bluecap pair', and accept"
        case .cancelled: "pair again"
        case .timeout: "pair again, and answer each question within 30 seconds"
        case .failed: "pair again, or remove the bond on both sides first ('bluecap forget')"
        @unknown default: nil
        }
    }

    /// Whether it is the link to a peripheral that is not there any more.
    private static func isLostLink(_ error: any BlueCapError) -> Bool {
        error.explanation == PeripheralError.disconnected.explanation || error as? ChannelError == .disconnected
    }

    /// Whether a text has the name of a call in it, as `"call connect() again"` and `"use update(_:)"`.
    private static func namesCall(_ text: String) -> Bool {
        text.contains(/[a-z]\((\w+:)*\)/)
    }
}
