// SPDX-License-Identifier: MIT

extension CentralManager {
    /// What is under way, by kind: nothing once every call has returned, every loop was left and every link is down.
    package var remains: [String: Int] {
        let records = book.all
        let subscriptions = records.flatMap(\.subscriptions.values)
        let own = [
            "scans": scans.count,
            "measurements of signal strength": polls.count,
            "links": records.count { $0.link != .idle },
            "retries": records.count(where: \.connection.isRetrying),
            "scopes": records.reduce(0) { $0 + $1.users.count },
            "callers of connect": records.reduce(0) { $0 + $1.waiters.count },
            "callers of disconnect": records.reduce(0) { $0 + $1.endWaiters.count },
            "listeners": subscriptions.reduce(0) { $0 + $1.listeners.count + $1.machine.holdCount },
            "callers of a subscription": subscriptions.reduce(0) { $0 + $1.waiters.count },
        ]
        return commonRemains.merging(own.filter { $0.value > 0 }) { $1 }
    }

    /// The peripherals to which a connection is tried for, now or later, and there is none.
    package var attempts: [PeerIdentifier] {
        book.all.filter(\.connection.isAway).map(\.peripheral.identifier)
    }
}
