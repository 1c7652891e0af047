// SPDX-License-Identifier: MIT

import Foundation

/// Ctrl-C, which does not end the process here: first the program takes back what it has on the radio, as BlueZ keeps
/// the connections of a process that just ends.
enum Interruption {
    /// Runs a body until it ends, or until Ctrl-C is typed, which cancels it.
    static func ends(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body() }
            group.addTask { await wait() }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Returns when Ctrl-C was typed, and for a task that is cancelled.
    static func wait() async {
        signal(SIGINT, SIG_IGN)
        let (typed, typing) = AsyncStream.makeStream(of: Void.self)
        let source = DispatchSource.makeSignalSource(signal: SIGINT)
        source.setEventHandler { typing.finish() }
        source.resume()
        for await _ in typed {}
        source.cancel()
    }
}
