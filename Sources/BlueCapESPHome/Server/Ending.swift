// SPDX-License-Identifier: MIT

/// Ends work that another part of the program has begun, from anywhere and once.
struct Ending: Sendable {
    private let signal = AsyncStream.makeStream(of: Void.self)

    func end() { signal.continuation.finish() }

    /// Runs a body until it returns, or is cancelled by ``end()``. To be called once.
    func whileOpen(_ body: @escaping @Sendable () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signal.stream {} }
            group.addTask { await body() }
            await group.next()
            group.cancelAll()
        }
    }
}
