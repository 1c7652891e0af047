// SPDX-License-Identifier: MIT

extension PeripheralManager {
    /// What is under way or on the platform, by kind: nothing once everything was taken back.
    package var remains: [String: Int] {
        let own = [
            "registrations": registrations.count, "accesses": server.openCount, "attributes": attributes.count,
        ]
        return commonRemains.merging(own.filter { $0.value > 0 }) { $1 }
    }
}
