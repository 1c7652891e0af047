// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapRuntime

/// A limit of the connections at once; further ones wait in the order in which they came.
final class ConnectionSlots: Sendable {
    private struct State {
        var count: Int
        /// Below zero while there are more connections than slots, as there are fewer of these since.
        var free: Int
        var lastNumber = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Locked<State>

    init(count: Int) { state = Locked(State(count: count, free: count)) }

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

    func leave() { add(1) }

    /// Takes another number of slots; connections that are too many then are not ended.
    func resize(to count: Int) {
        let difference = state.withLock { state in
            defer { state.count = count }
            return count - state.count
        }
        add(difference)
    }

    private func add(_ number: Int) {
        let entering = state.withLock { state in
            state.free += number
            let entering = state.waiting.prefix(max(state.free, 0))
            state.free -= entering.count
            state.waiting.removeFirst(entering.count)
            return entering
        }
        for waiter in entering { waiter.continuation.resume(returning: true) }
    }
}
#endif
