// SPDX-License-Identifier: MIT

#if ServiceLifecycle
public import ServiceLifecycle

extension CentralManager: ServiceLifecycle.Service {
    /// Keeps the manager until the service group shuts down gracefully, its task is cancelled, or the manager is
    /// invalidated. Then it ends the manager, as ``invalidate(timeout:)`` does by default: every connection that it
    /// made is taken down before this returns, or 5 seconds have passed in which the platform has not done so.
    ///
    /// The manager works from its creation on, whether this runs or not. List it in the group in front of the services
    /// that use it, since a group shuts down the last of its services first.
    public func run() async {
        await waitForShutdown(orEndOf: states())
        await invalidate()
    }
}
#endif
