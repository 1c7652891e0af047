// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapLoop

/// The daemon's own timers, which run on the world's clock.
extension FakeDaemon {
    /// Calls `body` on the fake's thread after a time, if the daemon still runs.
    func after(_ delay: Duration, _ body: @escaping @Sendable (FakeDaemon) -> Void) -> ClockTimer {
        let (loop, daemon) = (loop, Weak(self))
        return clock.schedule(after: delay) {
            loop.submit { daemon.value.map(body) }
        }
    }
}

// SAFETY: the value is reached on the fake's thread alone.
/// Carries a reference to the fake's thread, which a timer has left.
private final class Weak: @unchecked Sendable {
    private(set) weak var value: FakeDaemon?

    init(_ value: FakeDaemon) { self.value = value }
}
#endif
