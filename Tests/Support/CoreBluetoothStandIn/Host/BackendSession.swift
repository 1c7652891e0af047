// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// The events of a backend on their way from the radio's thread to a manager, or kept while there is none.
final class BackendSession<Event: Sendable>: Sendable {
    private struct State {
        var target: (@Sendable (Event) -> Void)?
        var backlog: [Event] = []
        var lastRequest: UInt64 = 0
        /// Answers that a manager waits for on its queue.
        var answers: [RequestID: @Sendable (Event) -> Void] = [:]
    }
    private let state = Locked(State())
    private let request: @Sendable (Event) -> RequestID?

    /// - Parameter request: The request that an event answers.
    init(request: @escaping @Sendable (Event) -> RequestID?) { self.request = request }

    /// Takes an event of the backend.
    func receive(_ event: Event) {
        let target: (@Sendable (Event) -> Void)? = state.withLock { state in
            if let request = request(event), let answer = state.answers.removeValue(forKey: request) { return answer }
            if state.target == nil { state.backlog.append(event) }
            return state.target
        }
        target?(event)
    }

    /// Hands over everything kept, and then each event as it comes.
    func attach(_ target: @escaping @Sendable (Event) -> Void) {
        state.withLock { state in
            for event in state.backlog { target(event) }
            state.backlog = []
            state.target = target
        }
    }

    /// Keeps events from now on.
    func detach() { state.withLock { $0.target = nil } }

    /// Takes the answer to a request out of the way to the manager.
    func answer(_ request: RequestID, by body: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.answers[request] = body }
    }

    func makeRequest() -> RequestID {
        state.withLock { state in
            state.lastRequest += 1
            return RequestID(rawValue: state.lastRequest)
        }
    }
}
