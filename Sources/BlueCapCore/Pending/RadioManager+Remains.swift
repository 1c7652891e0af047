// SPDX-License-Identifier: MIT

/// What managers still have to do, for those who look whether anything is left behind.
extension RadioManager {
    /// How many requests, deadlines and waits for the radio there are, those of which there is none left out.
    var commonRemains: [String: Int] {
        ["requests": pending.count, "deadlines": deadlines.count, "waits for the radio": stateWaiters.count]
            .filter { $0.value > 0 }
    }
}

extension CentralManager {
    /// What is under way, by kind: nothing once every call has returned, every loop was left and every link is down.
    package var remains: [String: Int] {
        let records = records.values
        let subscriptions = records.flatMap(\.subscriptions.values)
        let own = [
            "scans": scans.count,
            "measurements of signal strength": rssiPolls.count,
            "links": records.count { $0.link != .idle },
            "retries": records.count(where: \.connection.isRetrying),
            "callers of connect": records.reduce(0) { $0 + $1.waiters.count },
            "callers of disconnect": records.reduce(0) { $0 + $1.endWaiters.count },
            "listeners": subscriptions.reduce(0) { $0 + $1.listeners.count + $1.machine.holdCount },
            "callers of a subscription": subscriptions.reduce(0) { $0 + $1.waiters.count },
        ]
        return commonRemains.merging(own.filter { $0.value > 0 }) { $1 }
    }
}

extension PeripheralManager {
    /// What is under way or on the platform, by kind: nothing once everything was taken back.
    package var remains: [String: Int] {
        let own = [
            "registrations": registrations.count, "accesses": openAccesses.count, "attributes": attributes.count,
        ]
        return commonRemains.merging(own.filter { $0.value > 0 }) { $1 }
    }
}
