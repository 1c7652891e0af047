// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapRuntime

/// The commands that wait for a device.
final class CommandQueue: Sendable {
    private static let capacity = 8

    private let state = Locked((waiting: RingBuffer<SetCommand>(), isClosed: false))
    private let wakeups = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Adds a command behind the others.
    ///
    /// - Returns: False where too many wait, and after ``close()``.
    func add(_ command: SetCommand) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.waiting.count < Self.capacity else { return false }
            state.waiting.append(command)
            return true
        }
        if isTaken { wakeups.continuation.yield() }
        return isTaken
    }

    /// Hands each command to a body, one after the other, until the task is cancelled.
    func forEach(_ body: (SetCommand) async -> Void) async {
        for await _ in wakeups.stream {
            while !Task.isCancelled, let command = state.withLock({ $0.waiting.popFirst() }) { await body(command) }
        }
    }

    /// Takes no more commands.
    ///
    /// - Returns: The commands that still wait.
    func close() -> [SetCommand] {
        state.withLock { state in
            state.isClosed = true
            var left: [SetCommand] = []
            while let command = state.waiting.popFirst() { left.append(command) }
            return left
        }
    }
}
#endif
