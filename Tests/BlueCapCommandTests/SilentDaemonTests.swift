// SPDX-License-Identifier: MIT

#if os(Linux) && BlueZ
import Foundation
import Testing

@testable import BlueCapCommand

/// The built tool beside a `bluetoothd` that stands still for good, as one that SIGSTOP has stopped: it is on the bus,
/// and answers nothing. Each of these runs lasts for ever if the tool waits for an answer at its end.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct SilentDaemonTests {
    /// A command, and the text that it shows when its work is under way.
    struct Run: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var shown: String
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ command: String, _ shown: String) {
            arguments = command.split(separator: " ").map(String.init)
            self.shown = shown
        }
    }

    /// Runs a command; bluetoothd stands still once the command's work is under way.
    ///
    /// - Parameter signal: The signal that is sent to the tool then.
    /// - Returns: The status, and the lines on the terminal.
    private func status(of run: Run, signal: Int32? = nil) async throws -> (Int32, [String]) {
        let machine = try await ScriptedMachine()
        if run.arguments.contains("--passive") {
            // `--passive` only listens to devices that bluetoothd knows.
            _ = try await PipedRun(["scan", "--limit", "1"], environment: machine.environment)
        }
        let terminal = try PseudoTerminal(run.arguments, columns: 120, environment: machine.environment)
        try await terminal.wait(for: run.shown)
        await machine.standStill()
        if let signal { terminal.send(signal) }
        let status = try await terminal.end()
        await machine.stop()
        return (status, terminal.screen.lines.filter { !$0.isEmpty })
    }

    @Test(arguments: [
        Run("scan", "Peer"), Run("scan --inspect --retries 1000", "Peer"), Run("notify Peer FFF1", "subscribed to"),
        Run("notify Peer FFF1 --reconnect", "subscribed to"), Run("rssi Peer --passive", "signal"),
        Run("record Peer -o /dev/null --duration 600", "listening to"),
        Run("record Peer -o /dev/null --duration 600 --passive", "listening to"),
        Run("beacon range --all", "heard"), Run("beacon advertise", "Advertising as"),
        Run("emulate Battery", "Advertising as"), Run("emulate sensortag", "Advertising as"),
        Run("shell Peer --plain", "connected to Peer"),
    ])
    func `a signal ends each command beside a bluetoothd that stands still`(run: Run) async throws {
        // Ctrl-C is a key in a shell, so it is another signal.
        let (status, lines) = try await status(of: run, signal: SIGTERM)
        #expect(status == 128 + SIGTERM, "\(lines)")
    }

    @Test(arguments: [
        Run("notify Peer FFF1 --duration 3", "subscribed to"), Run("rssi Peer --passive --duration 3", "signal"),
        Run("emulate Battery --duration 3", "Advertising as"), Run("beacon advertise --duration 3", "Advertising as"),
        Run("record Peer -o /dev/null --duration 3", "listening to"),
        Run("record Peer -o /dev/null --duration 3 --passive", "listening to"),
    ])
    func `a command that is through ends beside a bluetoothd that stands still`(run: Run) async throws {
        let (status, lines) = try await status(of: run)
        #expect([0, 75].contains(status), "\(lines)")
    }

    @Test func `a command names the device whose link it had to leave`() async throws {
        let (_, lines) = try await status(of: Run("notify Peer FFF1 --duration 3", "subscribed to"))
        #expect(lines.contains { $0.contains("did not answer within 5 s") && $0.contains("Peer") }, "\(lines)")
    }
}
#endif
