// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTerminal

/// A shell that is used line by line.
struct ShellLineSession: Sendable {
    enum Source: Sendable {
        /// Keys, of which an editor makes lines; the closures return the columns of the terminal, and stop the process.
        case keys(columns: @Sendable () -> Int, suspend: @Sendable () -> Void)
        /// A file or a pipe; the closure asks for a line.
        case lines(next: @Sendable () -> Void)
    }

    let model: ShellModel
    let inputs: ShellInputs
    let runner: ShellRunner
    let console: ShellConsole
    let source: Source
    var isJSON = false
    /// The lines of earlier shells.
    var history = LineHistory()
    /// Takes the lines that were typed, at the end.
    var keep: @Sendable ([String]) -> Void = { _ in }

    /// A sink that prints the events of a model as they come.
    static func sink(_ console: ShellConsole, _ inputs: ShellInputs, isJSON: Bool = false) -> ShellModel.Sink {
        { event, device in
            if isJSON {
                if let report = ShellReport(event, device) { console.print([JSONLine.text(report)]) }
            } else {
                if let device { console.print([device.line]) }
                switch event.kind {
                case .scanBegan, .lost, .failed: break
                default: console.print(event.lines)
                }
            }
            // The session, which may wait for a running request, has to ask, or to end with its output.
            if case .asked = event.kind { return inputs.pushChange() }
            do throws(OutputClosed) { try console.check() } catch { inputs.pushChange() }
        }
    }

    /// Takes lines until their end, `quit`, or the end of the task.
    ///
    /// - Returns: The status of the first line of a file or a pipe that failed; ``ToolStatus/done`` where none did, and
    ///   for lines that were typed.
    /// - Throws: ``OutputClosed`` where the output takes nothing more.
    @discardableResult
    func run(device: String?) async throws -> ToolStatus {
        var loop = Loop(session: self)
        if let device { loop.connect(device) }
        loop.proceed()
        while !loop.isOver, let input = await inputs.next() {
            loop.take(input)
            try console.check()
        }
        console.show(nil)
        keep(loop.typed.lines)
        await runner.end()
        if case .keys = source { return .done }
        return loop.status
    }

    private struct Loop {
        let session: ShellLineSession
        private(set) var isOver = false
        /// The status of the first line that failed.
        private(set) var status = ToolStatus.done
        /// The lines that were typed, without answers, of which some are secret.
        private(set) var typed = LineHistory()
        private var editor: LineEditor
        /// The lines typed while a request ran.
        private var waiting: [String] = []
        private var isAsking = false
        private var isAtEnd = false
        /// The running request, as it was written.
        private var running = ""

        init(session: ShellLineSession) {
            self.session = session
            editor = LineEditor(history: session.history)
        }

        private var isBusy: Bool { session.runner.label != nil }
        private var isAsked: Bool { session.model.state.question != nil }

        mutating func take(_ input: ShellInput) {
            switch input {
            case .key(let press): take(press)
            case .line(let line):
                isAsking = false
                take(line)
            case .ended: isAtEnd = true
            case .interrupted: interrupt()
            case .finished(let failure):
                session.runner.finish()
                end(running, failure)
            case .resized, .continued, .changed, .due, .scanFinished: break
            }
            proceed()
        }

        /// Connects before the first line.
        mutating func connect(_ device: String) {
            running = "connect " + ShellWord.quoted(device)
            _ = session.runner.start(.connect(device))
        }

        /// Executes the waiting lines, asks for the next line, or ends.
        mutating func proceed() {
            // No line can answer any more.
            if isAtEnd, isAsked { session.model.refuse() }
            while !isBusy, !isOver, !waiting.isEmpty { execute(waiting.removeFirst()) }
            if !isBusy, waiting.isEmpty, isAtEnd { isOver = true }
            if isOver { return }
            switch session.source {
            case .keys(let columns, _):
                let row = editor.row(prompt: prompt, columns: columns())
                session.console.show(isBusy && !isAsked ? nil : row)
            case .lines(let next):
                if isAsking || isAtEnd || isBusy && !isAsked { return }
                isAsking = true
                next()
            }
        }

        private var prompt: String {
            if isAsked { return "answer> " }
            let state = session.model.state
            guard state.isConnected, let peer = state.peer else { return "bluecap> " }
            return TextLayout.truncate(peer.name, to: 24) + "> "
        }

        private mutating func take(_ press: KeyPress) {
            let completion = ShellCompletion(state: session.model.state)
            editor.keepsLines = !isAsked
            switch editor.handle(press, complete: { completion.complete($0) }) {
            case .editing: break
            case .entered(let line):
                if !isBusy || isAsked { session.console.commit() }
                if !isAsked { typed.add(line) }
                take(line)
            case .discarded: interrupt()
            case .ended: isAtEnd = true
            case .cleared: session.console.clear()
            case .suspended:
                if case .keys(_, let suspend) = session.source {
                    session.console.show(nil)
                    suspend()
                }
            case .candidates(let candidates): session.console.print(Self.columns(candidates))
            }
        }

        private mutating func take(_ line: String) {
            if isAsked {
                do throws(CommandFailure) {
                    try session.model.answer(line)
                } catch {
                    // An answer may be secret.
                    end(nil, error)
                }
            } else {
                waiting.append(line)
            }
        }

        private mutating func interrupt() {
            waiting = []
            if !session.runner.interrupt() { session.console.commit() }
        }

        private mutating func execute(_ line: String) {
            do throws(CommandFailure) {
                let asked = try ShellLine(line)
                if case .request(let request) = asked {
                    running = line
                    _ = session.runner.start(request)
                    return
                }
                if case .nothing = asked { return }
                if case .quit = asked { isOver = true }
                session.console.print(
                    session.isJSON
                        ? try reports(asked).map { JSONLine.text($0) } : try asked.answer(session.model.state))
                end(line, nil)
            } catch {
                end(line, error)
            }
        }

        private func reports(_ asked: ShellLine) throws(CommandFailure) -> [ShellReport] {
            let state = session.model.state
            switch asked {
            case .nothing, .request, .quit: return []
            case .devices(let text): return state.devices(matching: text).map { ShellReport("device", $0) }
            case .tree(let text): return [try .tree(state, matching: text)]
            case .values(let selector): return [try .values(state, of: selector)]
            case .log(let text): return [.log(state, matching: text)]
            case .help(let verb): return [.help(verb)]
            }
        }

        private mutating func end(_ line: String?, _ failure: CommandFailure?) {
            if status == .done, let failure { status = failure.status }
            if session.isJSON {
                session.console.print([JSONLine.text(ShellReport(line: line, failure: failure))])
            } else if let failure {
                session.console.complain(failure.message)
            }
        }

        /// The candidates side by side, as many as 80 columns take.
        private static func columns(_ candidates: [String]) -> [String] {
            let width = min((candidates.map { TextLayout.width(of: $0) }.max() ?? 0) + 2, 80)
            let count = max(80 / width, 1)
            return stride(from: 0, to: candidates.count, by: count).map { start in
                candidates[start..<min(start + count, candidates.count)].map { TextLayout.pad($0, to: width - 2) }
                    .joined(separator: "  ")
            }
        }
    }
}
