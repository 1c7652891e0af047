// SPDX-License-Identifier: MIT

#if ServiceLifecycle
import ServiceLifecycle

/// Returns when the service group begins to shut down gracefully, the task is cancelled, or the manager's states end.
func waitForShutdown(orEndOf states: AsyncStream<ManagerState>) async {
    await withTaskGroup { group in
        group.addTask { for await _ in states {} }
        group.addTask { try? await gracefulShutdown() }
        await group.next()
        group.cancelAll()
    }
}
#endif
