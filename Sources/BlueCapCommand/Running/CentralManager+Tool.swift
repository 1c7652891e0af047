// SPDX-License-Identifier: MIT

import BlueCap

extension CentralManager {
    /// Visits a peripheral on the same virtual radio: runs both until either ends, which cancels the other.
    ///
    /// Both have ended when this returns or throws, and the manager is invalidated.
    ///
    /// - Parameters:
    ///   - visit: The work of the central. Its error is ignored if the serving ended first.
    ///   - serve: The work of the peripheral.
    nonisolated func visit(
        _ visit: @escaping @Sendable () async throws -> Void, while serve: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await serve() }
            group.addTask {
                do {
                    try await visit()
                } catch {
                    await self.invalidate()
                    if !Task.isCancelled { throw error }
                }
                await self.invalidate()
            }
            do {
                try await group.next()
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
