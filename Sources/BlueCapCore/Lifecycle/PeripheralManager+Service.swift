// SPDX-License-Identifier: MIT

#if ServiceLifecycle
public import ServiceLifecycle

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
