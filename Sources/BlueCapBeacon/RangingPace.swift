// SPDX-License-Identifier: MIT

/// Decides when a list is due, because a list costs as many steps as there are beacons: one in each interval, one for
/// the first loss in an interval, and an empty one.
struct RangingPace {
    let interval: Duration
    private var last: Duration?
    private var lastLoss: Duration?

    init(interval: Duration) { self.interval = interval }

    /// Whether a list is due now.
    mutating func isDue(hasLost: Bool, isEmpty: Bool, at now: Duration) -> Bool {
        let isTime = last.map { now - $0 >= interval } ?? true
        let isFirstLoss = hasLost && (isEmpty || lastLoss.map { now - $0 >= interval } ?? true)
        guard isTime || isFirstLoss else { return false }
        if hasLost { lastLoss = now }
        last = now
        return true
    }
}
