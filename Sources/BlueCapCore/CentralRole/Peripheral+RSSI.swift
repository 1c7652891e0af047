// SPDX-License-Identifier: MIT

import BlueCapRuntime

extension Peripheral {
    /// The signal strength of the connection, in dBm.
    ///
    /// BlueZ cannot measure a connection; there it is that of the last sighting, if it is not older than 15 seconds.
    ///
    /// - Throws: `.rssiUnavailable`, `.rssiTimeout`, `.disconnected`, `.cancelled`, `.poweredOff`, `.invalidated`,
    ///   `.backend`.
    public func readRSSI(timeout: Duration? = nil) async throws(PeripheralError) -> Int {
        try await requireManager().readRSSI(self, timeout: timeout)
    }

    /// The signal strength again and again: the first reading at once, then one each period.
    ///
    /// A reading that fails leaves a gap. Each call polls on its own. Ends with the connection, when it is released,
    /// and for a cancelled task; empty when there is no connection.
    ///
    /// - Parameters:
    ///   - period: The time between readings, at least 10 ms.
    ///   - capacity: How many readings are kept for a slow loop.
    public func rssiUpdates(
        every period: Duration = .seconds(10), capacity: StreamCapacity = .newest(1)
    ) -> AsyncStream<Int> {
        guard let manager else { return AsyncStream { nil } }
        let lifetime = PollLifetime(manager: manager, peripheral: self, period: period, capacity: capacity)
        return AsyncStream { await lifetime.box.next() }
    }
}

/// Polls for as long as the stream that holds it lives.
private final class PollLifetime: Sendable {
    let box: Mailbox<Int, Never>
    private weak let manager: CentralManager?
    private let id = Locked(UInt64?.none)

    init(manager: CentralManager, peripheral: Peripheral, period: Duration, capacity: StreamCapacity) {
        box = Mailbox(capacity: capacity)
        self.manager = manager
        let id = id
        let outlet = RSSIOutlet(box)
        manager.later { manager in
            let number = manager.makeNumber()
            id.withLock { $0 = number }
            manager.startRSSIPoll(peripheral, every: period, into: outlet, id: number)
        }
    }

    deinit {
        let id = id
        manager?.later { manager in
            if let id = id.withLock({ $0 }) { manager.endRSSIPoll(id) }
        }
    }
}
