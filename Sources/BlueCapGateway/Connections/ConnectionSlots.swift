// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// At most so many connections at once; others wait in the order in which they came.
final class ConnectionSlots: Sendable {
    private struct State {
        var free: Int
        var lastNumber = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Locked<State>

    init(count: Int) { state = Locked(State(free: count)) }

    /// Takes a slot, which ``leave()`` gives back.
    ///
    /// - Returns: False where the task was cancelled before there was one.
    func enter() async -> Bool {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isIn: Bool? = state.withLock { state in
                    // The handler below ran already, or finds the entry that is added here.
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let isIn { continuation.resume(returning: isIn) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    func leave() {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.free += 1
                return nil as CheckedContinuation<Bool, Never>?
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
