// SPDX-License-Identifier: MIT

#if ServiceLifecycle
public import ServiceLifecycle

extension PeripheralManager: ServiceLifecycle.Service {
    /// Keeps the manager until the service group shuts down gracefully, its task is cancelled, or the manager is
    /// invalidated. Then it ends the manager, as ``invalidate(timeout:)`` does by default: the platform has removed its
    /// advertisements and services before this returns, or 5 seconds have passed in which it has not done so.
    ///
    /// The manager works from its creation on, whether this runs or not. List it in the group in front of the services
    /// that use it, since a group shuts down the last of its services first.
    public func run() async {
        await waitForShutdown(orEndOf: states())
        await invalidate()
    }
}
#endif
