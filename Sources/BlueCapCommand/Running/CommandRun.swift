// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapPlatform
import BlueCapRuntime
import BlueCapTerminal
import Dispatch

/// Runs a command's work to its end and turns errors into messages and exit statuses.
///
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT cancel the work, which then cleans up after itself; a second one ends the
/// process at once, and so does the time of ``OrderlyEnd/lastResort``. One that comes within half a second is the first
/// once more: `timeout`, shells and supervisors send several. In each case the process ends by the default action of
/// the signal, so that a shell ends a loop that the command is in, and does not write behind `^C`.
///
/// - Parameters:
///   - interruption: The handler that SIGINT calls instead, for a command that has the terminal to itself. Standard
///     error then does not show the operation in progress.
///   - onHangUp: Called for each SIGHUP instead, for a command that reads its file again then.
///   - work: The command's work.
func runCommand(
    interruption: ShellInterruption? = nil, onHangUp: (@Sendable () -> Void)? = nil,
    _ work: @escaping @Sendable () async throws -> Void
) async throws {
    // The watch first: from here on no signal ends the process before the work has cleaned up, and none is lost.
    let watch = SignalWatch(interruption, onHangUp)
    await watch.begun()
    let task = Task { try await work() }
    watch.cancelOnSignal(task)
    let ticks = interruption == nil ? Task { await WaitingLine.shared.run() } : nil
    let result = await task.result
    #if os(Linux)
    HostedRadio.leave()
    #endif
    ticks?.cancel()
    WaitingLine.shared.end()
    let signal = watch.stop()
    restoreTerminal()
    if let signal { end(by: signal) }
    do {
        try result.get()
    } catch let closed as OutputClosed {
        guard let reason = closed.reason else { return }
        report("bluecap: \(reason)")
        throw ExitCode(ToolStatus.failed.rawValue)
    } catch let code as ExitCode {
        throw code
    } catch {
        let failure = CommandFailure(error)
        report(TextLayout.wrap("bluecap: \(failure.message)", to: StandardOutput.errorColumns))
        throw ExitCode(failure.status.rawValue)
    }
}

/// Gives the terminal back as it was found. Safe to call at any time.
private func restoreTerminal() {
    Terminal.restore()
    StandardOutput.restoreTerminal()
}

/// Ends the process by a signal's default action, at once, with the terminal as it was found.
private func end(by number: Int32) -> Never {
    restoreTerminal()
    Interruption.endProcess(by: number)
}

/// Stops the process, with the terminal as it was found meanwhile; returns when it goes on.
private func suspend() {
    WaitingLine.shared.hide()
    StandardOutput.restoreTerminal { Terminal.stop() }
}

/// Waits for the signals that end or stop a command in place of their default action; a closed pipe is reported by
/// `write` instead of SIGPIPE.
private final class SignalWatch: Sendable {
    private struct State {
        var received: Int32?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    /// Of all signals, whatever their numbers.
    private let record = SignalRecord()
    private let sources = Locked<[any DispatchSourceSignal]>([])
    private let queue = DispatchQueue(label: "bluecap.signals")
    private let registrations = DispatchGroup()

    init(_ interruption: ShellInterruption?, _ onHangUp: (@Sendable () -> Void)?) {
        ignore(SIGPIPE)
        // A signal that nohup ignores stays ignored, unless the command has the terminal to itself, or handles it.
        let always = [SIGINT, SIGTERM] + (onHangUp == nil ? [] : [SIGHUP])
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] + Self.stopping(interruption)
        where interruption != nil || always.contains(number) || !isIgnored(number) {
            #if !os(Linux)
            // Dispatch takes the default action's place by itself on Linux.
            ignore(number)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [state, record, queue] in
                if number == SIGTSTP { return suspend() }
                if number == SIGHUP, let onHangUp { return onHangUp() }
                if number == SIGINT, interruption?.interrupt() == true { return }
                switch record.take() {
                case .same: return
                case .second: end(by: number)
                case .first: break
                }
                let cancel = state.withLock { state in
                    state.received = number
                    return state.cancel
                }
                cancel?()
                // WIDTH: a few seconds.
                queue.asyncAfter(deadline: .now() + .milliseconds(Int(OrderlyEnd.lastResort / .milliseconds(1)))) {
                    report("bluecap: ended without waiting any longer")
                    end(by: number)
                }
            }
            registrations.enter()
            source.setRegistrationHandler { [registrations] in registrations.leave() }
            source.resume()
            sources.withLock { $0.append(source) }
        }
    }

    /// The signals that stop a command which draws in place. A shell is stopped by a key. On Darwin the source would
    /// also receive the signal with which the command then stops itself, and stop it again.
    private static func stopping(_ interruption: ShellInterruption?) -> [Int32] {
        #if os(Linux)
        interruption == nil ? [SIGTSTP] : []
        #else
        []
        #endif
    }

    /// Returns when signals are watched for: Dispatch begins on a thread of its own, some time later.
    func begun() async {
        await withCheckedContinuation { continuation in
            registrations.notify(queue: queue) { continuation.resume() }
        }
    }

    /// Cancels a task at the first signal, at once if it has come.
    func cancelOnSignal(_ task: Task<Void, any Error>) {
        let hasCome = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.received != nil
        }
        if hasCome { task.cancel() }
    }

    /// Ends the watch.
    ///
    /// - Returns: The first signal that came, if any.
    func stop() -> Int32? {
        sources.withLock { sources in
            for source in sources { source.cancel() }
        }
        return state.withLock { $0.received }
    }
}

private func ignore(_ number: Int32) {
    _ = signal(number, SIG_IGN)
}

/// Whether the process was started with the signal ignored, as `nohup` does.
private func isIgnored(_ number: Int32) -> Bool {
    let handler = signal(number, SIG_IGN)
    _ = signal(number, handler)
    // SAFETY: both are pointers, which are compared and never called; SIG_IGN is one of no function.
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
