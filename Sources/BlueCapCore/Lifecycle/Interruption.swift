// SPDX-License-Identifier: MIT

/// A signal with which the terminal or the system asks a program to end, and the calls that wait for it.
///
/// By default such a signal ends the process at once. Links, subscriptions and advertisements then stay with the
/// system's Bluetooth service: BlueZ keeps them. While one of the calls below waits, the program can end its
/// connections and advertisements after the first signal:
///
///     let central = CentralManager()
///     try await Interruption.ends { try await show(central) }
///     await central.invalidate()
///
/// A second signal of the same number has its default action again, so that Ctrl-C typed twice ends a program that
/// hangs. For half a second after the first it is the same one, sent twice, as `timeout`, shells and terminals do. In
/// that time no other of these signals ends the program either, even if no call waits any longer: systemd and shells
/// send SIGHUP right after SIGTERM. After it, when no call waits, the signals are handled as they were before.
///
/// The calls are meant for the outermost level of a program. A program in a `ServiceGroup` of swift-service-lifecycle
/// leaves the signals to the group. Windows and WASI have no such signals: there the calls wait for their task alone.
public enum Interruption: Sendable, Hashable, CaseIterable {
    /// Ctrl-C was typed (SIGINT).
    case interrupt
    /// The system, a supervisor or `kill` asks for the end (SIGTERM).
    case terminate
    /// The terminal was closed (SIGHUP). A program that ignores that signal, as under `nohup`, or handles it, does not
    /// get this.
    case hangUp

    /// Runs a body until it ends, or until a signal arrives and cancels it.
    ///
    /// The body runs in a child task. After the signal it may take any time to end. An error that it throws then is
    /// dropped, because it is the consequence of the cancellation.
    ///
    /// - Parameter body: The work of the program.
    /// - Returns: The signal that cancelled the body; nil if the body ended by itself, or because the caller's task was
    ///   cancelled.
    /// - Throws: The error of a body that ended without a signal.
    @discardableResult
    public static func ends<Failure: Error>(
        _ body: @escaping @Sendable () async throws(Failure) -> Void
    ) async throws(Failure) -> Interruption? {
        try await ends(InterruptionWatch.shared.begin(), body)
    }

    /// Waits until a signal arrives.
    ///
    /// The signal is caught from the call on. A program that may use the radio before the call uses ``ends(_:)``
    /// instead, or starts this call first.
    ///
    /// - Returns: The signal; nil for a task that is cancelled.
    @discardableResult
    public static func wait() async -> Interruption? { await InterruptionWatch.shared.begin().next() }

    /// Runs a body until it ends or the wait receives a signal.
    static func ends<Failure: Error>(
        _ wait: InterruptionWait, _ body: @escaping @Sendable () async throws(Failure) -> Void
    ) async throws(Failure) -> Interruption? {
        let result = await withTaskGroup(of: InterruptibleOutcome<Failure>.self) { group in
            group.addTask {
                do throws(Failure) {
                    try await body()
                    return .ended(.success(nil))
                } catch {
                    return .ended(.failure(error))
                }
            }
            group.addTask { .interrupted(await wait.next()) }
            defer { group.cancelAll() }
            while let outcome = await group.next() {
                switch outcome {
                case .ended(let result): return result
                case .interrupted(let signal?): return .success(signal)
                case .interrupted(nil): continue  // The task is cancelled, and the body with it.
                }
            }
            return .success(nil)
        }
        return try result.get()
    }
}

/// The end of a body, or of the concurrent wait for a signal.
private enum InterruptibleOutcome<Failure: Error>: Sendable {
    case ended(Result<Interruption?, Failure>)
    case interrupted(Interruption?)
}
