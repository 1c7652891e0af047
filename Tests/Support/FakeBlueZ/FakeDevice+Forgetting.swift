// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

/// The daemon forgets a device without keys 30 s after it was last heard or connected.
extension FakeDevice {
    private static let memory = Duration.seconds(30)

    /// Whether the daemon has keys for it, and so keeps it.
    var isKept: Bool { daemon.bonded.contains(address) }

    /// The device was met just now.
    func forgetSoon() {
        lastMet = daemon.clock.elapsed
        forgetTimer?.cancel()
        forgetTimer = after(Self.memory) { $0.forget() }
    }

    private func forget() {
        guard !isConnected, pendingConnect == nil, !isKept else { return }
        // It was heard again meanwhile, or is about to be: a clock leaps, the air does not.
        if daemon.clock.elapsed - lastMet < Self.memory || daemon.hears(far) { return forgetSoon() }
        daemon.remove(self)
    }
}
#endif
