// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// The meaning of the tool's exit status. The numbers are those of `sysexits.h` where it has a fitting one.
enum ToolStatus: Int32, Sendable, CaseIterable {
    /// The command succeeded, or its output was closed (`| head`).
    case done = 0
    /// The command line was wrong.
    case usage = 64
    /// There is no radio: no adapter, no Bluetooth service, Bluetooth off, or a build without a backend.
    case noRadio = 69
    /// Anything else.
    case failed = 70
    /// Nothing was found, a time was up, or the link was lost: trying again may help.
    case tryAgain = 75
    /// The peer refused, or does not offer the requested service or operation.
    case refused = 76
    /// The system does not let this user use Bluetooth.
    case notAuthorized = 77
    /// Something was interrupted. A command that Ctrl-C ends has no status and ends by SIGINT, for which a shell has
    /// this number.
    case interrupted = 130

    /// For help texts.
    static let help = """
        EXIT STATUS
          0 done · 64 wrong command line · 69 no radio (none, off, no BlueZ) ·
          70 other failure · 75 not found, timed out or link lost: try again ·
          76 the device refused or does not offer it · 77 not permitted ·
          128 and its number for a shell, where SIGHUP, SIGINT (Ctrl-C), SIGQUIT or
          SIGTERM ended it (after scans, links, notifications, services and
          advertisements were taken back), so that a shell's loop ends with it
        """

    static func status(for error: any BlueCapError) -> ToolStatus {
        if let error = error as? CentralManagerError {
            if error == .unauthorized { return .notAuthorized }
            if error == .unsupported || error == .powerOnTimeout { return .noRadio }
        }
        if let error = error as? PeripheralManagerError {
            if error == .unauthorized { return .notAuthorized }
            if error == .unsupported || error == .powerOnTimeout { return .noRadio }
        }
        // Another program has it, as one may have a port.
        if case ChannelError.psmTaken = error { return .tryAgain }
        switch error.reason {
        case .timeout, .disconnected, .pairing(.timeout): return .tryAgain
        case .poweredOff: return .noRadio
        case .att, .unsupported, .refused, .lookup, .serialization, .pairing: return .refused
        case .cancelled: return .interrupted
        case .backend(let failure):
            if failure.name.hasSuffix(".AccessDenied") || failure.name.hasSuffix(".NotAuthorized") {
                return .notAuthorized
            }
            return failure.isTransient ? .tryAgain : .failed
        case .invalidated, .misuse: return .failed
        }
    }
}

/// The reason why a command failed, with the status to exit with.
struct CommandFailure: Error, Sendable {
    var status: ToolStatus
    var message: String

    init(_ status: ToolStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The message and the exit status for any error that a command can end with.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as any BlueCapError: self.init(.status(for: error), ToolAdvice.text(for: error))
        default: self.init(.failed, String(describing: error))
        }
    }
}
