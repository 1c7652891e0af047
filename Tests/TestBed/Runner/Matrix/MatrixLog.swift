// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import BlueCapTesting

/// The events that a program saw, each with its time.
final class MatrixLog: Sendable {
    /// One thing and when it was.
    struct Entry<Value: Sendable>: Sendable {
        let time: Duration
        let value: Value
    }

    /// All notes.
    struct Notes: Sendable {
        /// The ends of operations, in Markdown.
        var ends: [Entry<String>] = []
        var states: [Entry<ManagerState>] = []
        var links: [Entry<Bool>] = []
        var lastSuccess: Duration?
        /// An error that is none of the package's.
        var untyped: String?

        /// The last event of each kind, in a clause.
        var summary: String {
            let ended = ends.last.map { "\(ends.count) ends, the last \($0.value)" } ?? "no end"
            let state = states.last.map { "the state \($0.value)" } ?? "no change of state"
            let link = links.last.map { $0.value ? "the link made" : "the link lost" } ?? "no change of the link"
            return [ended, state, link].joined(separator: ", ")
        }
    }

    private let state = Locked(Notes())

    var notes: Notes { state.withLock { $0 } }

    var now: Duration { BlueCapClock.continuous.elapsed }

    /// An operation threw an error.
    func failed(_ error: any Error) {
        if error is CancellationError { return }
        guard let error = error as? any BlueCapError else { return state.withLock { $0.untyped = "\(error)" } }
        if error.reason != .cancelled { ended(error.reason.label) }
    }

    /// An operation ended in another way than by an error.
    func ended(_ what: String) { state.withLock { $0.ends.append(Entry(time: now, value: what)) } }

    /// The app's operation has succeeded.
    func succeeded() { state.withLock { $0.lastSuccess = now } }

    func changed(to state: ManagerState) { self.state.withLock { $0.states.append(Entry(time: now, value: state)) } }

    func changed(by event: ConnectionEvent) {
        switch event {
        case .connected: state.withLock { $0.links.append(Entry(time: now, value: true)) }
        case .disconnected: state.withLock { $0.links.append(Entry(time: now, value: false)) }
        case .timedOut, .forcedDisconnect, .gaveUp: break
        }
    }

    /// Waits until a condition is met.
    func wait(until isSo: (Notes) async throws -> Bool) async throws {
        while try await !isSo(notes) { try await BlueCapClock.continuous.sleep(for: .milliseconds(5)) }
    }

    /// Runs a step of the cell; if its time runs out, the error names the phase and the events that the program had
    /// seen.
    func naming(_ phase: String, _ step: () async throws -> Void) async throws {
        do { try await step() } catch is CancellationError {
            throw ConformanceFailure("\(phase); the program saw \(notes.summary)")
        }
    }

    /// Waits until an operation has succeeded that was not yet done at the time of the call.
    func success() async throws {
        let start = now
        try await wait { notes in notes.lastSuccess.map { $0 > start } ?? false }
    }
}

extension ErrorReason {
    /// The reason as an app writes it, in Markdown.
    fileprivate var label: String {
        switch self {
        case .backend(let failure): "`.backend`, \(failure.name)"
        case .pairing(.rejected): "`.pairingFailed(.rejected)`"
        case .pairing(.cancelled): "`.pairingFailed(.cancelled)`"
        case .pairing(.timeout): "`.pairingFailed(.timeout)`"
        case .pairing(.failed): "`.pairingFailed(.failed)`"
        case .lookup: "`.notDiscovered`"
        case .att(let error): "`.att`, \(error)"
        case .cancelled, .timeout, .disconnected, .poweredOff, .invalidated, .unsupported, .refused, .serialization,
            .misuse:
            "`.\(self)`"
        }
    }
}
#endif
