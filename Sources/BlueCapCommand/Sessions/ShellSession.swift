// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapRuntime
import BlueCapTerminal
import Dispatch
import Foundation

/// A shell on this process's terminal, or on its standard input and output.
struct ShellSession: Sendable {
    let central: CentralManager
    let clock: BlueCapClock
    let timeout: Duration
    /// The device to connect to first.
    let device: String?
    /// Whether lines are taken on a terminal, too.
    let isPlain: Bool
    /// Whether lines are taken as from a file, and all is printed as JSON.
    let isJSON: Bool
    /// Whether colours are used where nothing speaks against them.
    let usesColors: Bool
    let interruption: ShellInterruption

    /// Runs the shell to its end.
    ///
    /// - Throws: `ExitCode` with the status of the first line of a file or a pipe that failed.
    func run() async throws {
        let inputs = ShellInputs()
        let terminal = Terminal(write: { try? writeText($0, to: STDOUT_FILENO) })
        let isCapable = terminal.isTerminal && Terminal.isCapable(Environment.value("TERM"))
        guard isCapable, !isJSON else { return try await runLines(inputs, on: nil) }
        interruption.handle { [inputs] in
            inputs.push(.interrupted)
            return true
        }
        terminal.enter(isPlain ? .line : .screen)
        let signals = Self.watch(terminal, inputs)
        defer {
            for signal in signals { signal.cancel() }
            interruption.handle(with: nil)
            terminal.leave()
        }
        Self.readKeys(of: terminal, into: inputs)
        if isPlain { return try await runLines(inputs, on: terminal) }
        try await runScreen(inputs, on: terminal)
    }

    private func runScreen(_ inputs: ShellInputs, on terminal: Terminal) async throws {
        let model = ShellModel(
            central: central, timeout: timeout, clock: clock, sink: { _, _ in inputs.pushChange() })
        let display = ShellScreenSession.Display(
            size: { terminal.size }, write: { (text) throws(OutputClosed) in try writeText(text, to: STDOUT_FILENO) },
            suspend: { terminal.suspend() }, hasColors: usesColors && StandardOutput.allowsColors)
        let session = ShellScreenSession(model: model, inputs: inputs, display: display, clock: clock)
        try await Self.run(model) { [device] in try await session.run(device: device) }
    }

    private func runLines(_ inputs: ShellInputs, on terminal: Terminal?) async throws {
        let draw: @Sendable (String) throws(OutputClosed) -> Void = { try writeText($0, to: STDOUT_FILENO) }
        let console = ShellConsole(
            output: StandardOutput(draws: false),
            errors: { report(TextLayout.wrap($0, to: StandardOutput.errorColumns)) },
            draw: terminal == nil ? nil : draw)
        let model = ShellModel(
            central: central, timeout: timeout, clock: clock,
            sink: ShellLineSession.sink(console, inputs, isJSON: isJSON))
        let runner = ShellRunner(model: model) { inputs.push(.finished($0)) }
        let source: ShellLineSession.Source
        if let terminal {
            source = .keys(columns: { terminal.size.columns }, suspend: { terminal.suspend() })
            console.print(["'help' lists the commands, Tab completes them, and Ctrl-D ends the shell."])
        } else {
            try ToolFile.requireReadable(STDIN_FILENO, called: "the input")
            interruption.handle { runner.interrupt() }
            let feed = ShellFeed(into: inputs)
            source = .lines(next: { feed.next() })
        }
        defer { interruption.handle(with: nil) }
        let file = terminal == nil ? nil : ShellHistoryFile()
        let session = ShellLineSession(
            model: model, inputs: inputs, runner: runner, console: console, source: source, isJSON: isJSON,
            history: file?.read() ?? LineHistory(), keep: { file?.add($0) })
        let status = Locked(ToolStatus.done)
        try await Self.run(model) { [device] in
            let result = try await session.run(device: device)
            status.withLock { $0 = result }
        }
        // Each failure was printed when it happened.
        let result = status.withLock { $0 }
        if result != .done, isatty(STDIN_FILENO) == 0 { throw ExitCode(result.rawValue) }
    }

    static func run(_ model: ShellModel, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await model.run() }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            // The model's run ends only when the task is cancelled, and the shell then ends, too.
            try await group.next()
            if Task.isCancelled { try await group.next() }
        }
    }

    private static func readKeys(of terminal: Terminal, into inputs: ShellInputs) {
        // Reading blocks, so it has a thread of its own, which ends with the process.
        Thread.detachNewThread {
            terminal.readKeys { inputs.push(.key($0)) }
            inputs.push(.ended)
        }
    }

    /// Follows changes of the terminal's size, and that the process goes on after it was stopped.
    private static func watch(_ terminal: Terminal, _ inputs: ShellInputs) -> [any DispatchSourceSignal] {
        let queue = DispatchQueue(label: "bluecap.terminal")
        return [(SIGWINCH, ShellInput.resized), (SIGCONT, ShellInput.continued)].map { number, input in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if number == SIGCONT { terminal.resume() }
                inputs.push(input)
            }
            source.resume()
            return source
        }
    }
}
