// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTerminal

/// A shell that has a terminal's whole screen.
struct ShellScreenSession: Sendable {
    struct Display: Sendable {
        var size: @Sendable () -> TerminalSize
        var write: @Sendable (String) throws(OutputClosed) -> Void
        /// Stops the process, and returns when it goes on.
        var suspend: @Sendable () -> Void = {}
        var hasColors = false
    }

    /// The least time between two drawings that no key asked for.
    private static let pause = Duration.milliseconds(50)

    let model: ShellModel
    let inputs: ShellInputs
    let display: Display
    let clock: BlueCapClock
    /// Where requests run; nil for any thread.
    var executor: (any TaskExecutor)?

    /// Shows the devices, and the pages that keys ask for, until the user or the terminal ends it.
    ///
    /// - Throws: ``OutputClosed`` where the terminal takes nothing more.
    func run(device: String?) async throws {
        let inputs = inputs
        var loop = Loop(
            session: self,
            runner: ShellRunner(model: model, executor: executor) { inputs.push(.finished($0)) },
            scanner: ShellRunner(model: model, executor: executor) { inputs.push(.scanFinished($0)) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The shown times change each second.
            group.addTask {
                while (try? await clock.sleep(for: .seconds(1))) != nil { inputs.pushChange() }
            }
            defer { group.cancelAll() }
            if let device { loop.start(.connect(device)) }
            try loop.draw()
            while !loop.isOver, let input = await inputs.next() { try loop.take(input) }
        }
        await loop.end()
    }

    private struct Loop {
        let session: ShellScreenSession
        let runner: ShellRunner
        let scanner: ShellRunner
        private(set) var isOver = false
        private var view = ShellView()
        private var painter: ScreenPainter
        private var wantsScan = true
        private var drawnAt: Duration?
        private var timer: ClockTimer?

        init(session: ShellScreenSession, runner: ShellRunner, scanner: ShellRunner) {
            (self.session, self.runner, self.scanner) = (session, runner, scanner)
            painter = ScreenPainter(hasColors: session.display.hasColors)
        }

        mutating func take(_ input: ShellInput) throws(OutputClosed) {
            switch input {
            case .key(let press): take(press)
            case .interrupted: interrupt()
            case .continued: painter.forget()
            case .finished(let failure):
                runner.finish()
                if let failure { view.message = failure.message }
            case .scanFinished(let failure):
                scanner.finish()
                if let failure, failure.status != .interrupted {
                    wantsScan = false
                    view.message = failure.message
                }
            case .changed: return try drawSoon()
            case .ended: isOver = true
            case .due: timer = nil
            case .resized, .line: break
            }
            if !isOver { try draw() }
        }

        mutating func start(_ request: ShellRequest) {
            if let label = runner.label {
                view.message = "\(label) comes first; Ctrl-C interrupts it"
            } else {
                _ = runner.start(request)
            }
        }

        /// Draws at once, and lets the radio scan where the list of devices is shown.
        mutating func draw() throws(OutputClosed) {
            let state = session.model.state
            view.follow(state)
            let shouldScan = wantsScan && view.page == .devices && runner.label == nil
            if shouldScan, scanner.label == nil {
                _ = scanner.start(.scan(nil))
            } else if !shouldScan {
                scanner.interrupt()
            }
            timer?.cancel()
            timer = nil
            drawnAt = session.model.now
            let screen = view.screen(
                state, size: session.display.size(), now: session.model.now, busy: runner.label)
            let output = painter.paint(screen)
            if !output.isEmpty { try session.display.write(output) }
        }

        func end() async {
            timer?.cancel()
            await runner.end()
            await scanner.end()
        }

        /// Draws, or has it drawn once the pause is over.
        private mutating func drawSoon() throws(OutputClosed) {
            let age = drawnAt.map { session.model.now - $0 } ?? ShellScreenSession.pause
            if age >= ShellScreenSession.pause { return try draw() }
            if timer != nil { return }
            timer = session.clock.schedule(after: ShellScreenSession.pause - age) { [inputs = session.inputs] in
                inputs.push(.due)
            }
        }

        private mutating func take(_ press: KeyPress) {
            let size = session.display.size()
            if !ShellView.fits(size), ![KeyPress.character("q"), .control("c"), .control("z")].contains(press) {
                return
            }
            if !ShellView.fits(size), press == .character("q") { return isOver = true }
            switch view.handle(press, session.model.state, rows: ShellView.rows(of: size)) {
            case nil: break
            case .request(let request): start(request)
            case .toggleScan: wantsScan.toggle()
            case .answer(let text):
                do throws(CommandFailure) { try session.model.answer(text) } catch { view.message = error.message }
            case .refuse: session.model.refuse()
            case .interrupt: interrupt()
            case .suspend:
                session.display.suspend()
                painter.forget()
            case .redraw: painter.forget()
            case .quit: isOver = true
            }
        }

        private mutating func interrupt() {
            if !runner.interrupt() { view.message = "nothing runs; q leads back and out" }
        }
    }
}
