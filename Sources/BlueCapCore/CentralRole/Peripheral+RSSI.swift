// SPDX-License-Identifier: MIT

import BlueCapRuntime

extension Peripheral {
    /// Returns the signal strength of the connection, in dBm.
    ///
    /// Where the platform does not measure the connection, it is the signal strength of the last sighting, if that is
    /// not older than 15 seconds. On BlueZ the kernel measures for a process with `CAP_NET_ADMIN` alone.
    ///
    /// - Throws: `.rssiUnavailable`, `.rssiTimeout`, `.disconnected`, `.cancelled`, `.poweredOff`, `.invalidated`,
    ///   `.backend`.
    public func readRSSI(timeout: Duration? = nil) async throws(PeripheralError) -> Int {
        try await readRSSI(timeout: timeout, requireManager())
    }

    private func readRSSI(timeout: Duration?, _ manager: isolated CentralManager) async throws(PeripheralError) -> Int {
        let record = try manager.book.record(of: self, manager)
        if !manager.backend.features.contains(.connectionRSSI) {
            return try record.sightedRSSI(at: manager.clock.elapsed)
        }
        let outcome = await manager.perform(.readRSSI(identifier), in: .rssi, timeout: timeout)
        switch outcome {
        case .reply(.rssi(let rssi)):
            facts.withLock { $0.rssi = rssi }
            return rssi
        case .failed(.rssiUnavailable): return try record.sightedRSSI(at: manager.clock.elapsed)
        default: throw PeripheralError(outcome, timeout: .rssiTimeout)
        }
    }

    /// Returns a stream of the signal strength: the first reading immediately, then one reading each period.
    ///
    /// A failed reading is left out. Each call polls on its own. The stream ends with the connection, when it is
    /// released, and for a cancelled task; it is empty if there is no connection.
    ///
    /// - Parameters:
    ///   - period: The time between readings, at least 10 ms.
    ///   - capacity: The number of readings that are kept for a slow loop.
    public func rssiUpdates(
        every period: Duration = .seconds(10), capacity: StreamCapacity = .newest(1)
    ) -> AsyncStream<Int> {
        guard let manager else { return AsyncStream { nil } }
        let lifetime = PollLifetime(manager: manager, peripheral: self, period: period, capacity: capacity)
        return AsyncStream { await lifetime.box.next() }
    }
}

/// Polls as long as the stream that retains it exists.
private final class PollLifetime: Sendable {
    let box: Mailbox<Int, Never>
    private weak let manager: CentralManager?
    private let id = Locked(UInt64?.none)

    init(manager: CentralManager, peripheral: Peripheral, period: Duration, capacity: StreamCapacity) {
        box = Mailbox(capacity: capacity)
        self.manager = manager
        let id = id
        let readings = RSSIReadings(box)
        manager.later { manager in
            let number = manager.makeNumber()
            id.withLock { $0 = number }
            manager.connections.polls.begin(number, of: peripheral.identifier, every: period, into: readings, manager)
        }
    }

    deinit {
        let id = id
        manager?.later { manager in
            if let id = id.withLock({ $0 }) { manager.connections.polls.end(id, manager) }
        }
    }
}
