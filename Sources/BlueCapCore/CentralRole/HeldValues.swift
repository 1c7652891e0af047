// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// Values of a restored subscription that nobody listens to yet: the newest ones, the others counted.
struct HeldValues {
    private static let limit = 1024

    private(set) var values = RingBuffer<Bytes>()
    private(set) var droppedCount = 0

    /// - Returns: How many values were dropped for it: 0 or 1.
    mutating func push(_ value: Bytes) -> Int {
        values.append(value)
        if values.count <= Self.limit { return 0 }
        _ = values.popFirst()
        droppedCount += 1
        return 1
    }

    mutating func countDropped(_ count: Int) { droppedCount += count }

    /// Hands the values to the first listener.
    ///
    /// - Returns: How many it had no room for.
    mutating func move(to box: SubscriptionRecord.Box) -> Int {
        box.countDropped(droppedCount)
        var dropped = 0
        while let value = values.popFirst() { dropped += box.push(value) }
        return dropped
    }
}
