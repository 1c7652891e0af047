// SPDX-License-Identifier: MIT

import BlueCap

/// Work that is done side by side until the first part of it ends.
enum Race {
    /// Runs bodies until the first of them ends or the time is up, which cancels the others, and returns once all have
    /// ended.
    ///
    /// - Parameters:
    ///   - duration: How long; nil for no end.
    ///   - clock: The clock of the duration.
    ///   - bodies: The work.
    /// - Throws: The error of the body that ends first.
    static func run(
        for duration: Duration? = nil, on clock: BlueCapClock = .continuous,
        _ bodies: @Sendable () async throws -> Void...
    ) async throws {
        try await run(for: duration, on: clock, bodies)
    }

    static func run(
        for duration: Duration?, on clock: BlueCapClock, _ bodies: [@Sendable () async throws -> Void]
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for body in bodies { group.addTask { try await body() } }
            if let duration { group.addTask { try? await clock.sleep(for: duration) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
