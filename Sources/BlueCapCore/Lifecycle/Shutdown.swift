// SPDX-License-Identifier: MIT

#if ServiceLifecycle
public import ServiceLifecycle

/// Returns when the service group begins to shut down gracefully, the task is cancelled, or the manager's states end.
func waitForShutdown(orEndOf states: AsyncStream<ManagerState>) async {
    await withTaskGroup { group in
        group.addTask { for await _ in states {} }
        group.addTask { try? await gracefulShutdown() }
        await group.next()
        group.cancelAll()
    }
}

extension CentralManager: ServiceLifecycle.Service {
    /// Keeps the manager until the service group shuts down gracefully, its task is cancelled, or the manager is
    /// invalidated.
    ///
    /// Then the method ends the manager, as ``invalidate(timeout:)`` does by default: it returns when the platform has
    /// ended every connection of the manager, or after 5 seconds if the platform has not.
    ///
    /// The manager works from its creation on, even if this method does not run. List it in the group before the
    /// services that use it, because a group shuts down its last service first.
    public func run() async {
        await waitForShutdown(orEndOf: states())
        await invalidate()
    }
}

extension PeripheralManager: ServiceLifecycle.Service {
    /// Keeps the manager until the service group shuts down gracefully, its task is cancelled, or the manager is
    /// invalidated.
    ///
    /// Then the method ends the manager, as ``invalidate(timeout:)`` does by default: it returns when the platform has
    /// removed the manager's advertisements and services, or after 5 seconds if the platform has not.
    ///
    /// The manager works from its creation on, even if this method does not run. List it in the group before the
    /// services that use it, because a group shuts down its last service first.
    public func run() async {
        await waitForShutdown(orEndOf: states())
        await invalidate()
    }
}
#endif
