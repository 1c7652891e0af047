// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime

/// The requests to attributes of one link that wait for the peer.
struct OpenRequests {
    private struct Wait {
        var since: Duration
        let limit: Duration
    }

    private var waits: [RequestID: Wait] = [:]
    /// The requests that were answered here in the daemon's place; its own answers may still come.
    private var abandoned: Set<RequestID> = []
    /// The requests that were made once more.
    private var repeated: Set<RequestID> = []
    /// When the daemon last did something for the link while requests waited.
    private var lastProgress = Duration.zero

    /// When it is looked next whether requests are overdue.
    var check: (deadline: Duration, timer: ClockTimer)?

    var waiting: Set<RequestID> { Set(waits.keys) }

    /// A request is on its way to the peer.
    ///
    /// - Parameters:
    ///   - id: The request.
    ///   - now: The time on the manager's clock.
    ///   - limit: How long the daemon may do nothing for the link until the request is overdue.
    mutating func begin(_ id: RequestID, at now: Duration, limit: Duration) {
        waits[id] = Wait(since: now, limit: limit)
    }

    /// An answer has come, to any request. The other requests may have waited for that one.
    ///
    /// - Returns: Whether it is to be reported: not if its request was abandoned.
    mutating func end(_ id: RequestID, at now: @autoclosure () -> Duration) -> Bool {
        repeated.remove(id)
        let isAbandoned = !abandoned.isEmpty && abandoned.remove(id) != nil
        let isAwaited = waits.removeValue(forKey: id) != nil
        if isAbandoned || isAwaited, !waits.isEmpty { lastProgress = now() }
        return !isAbandoned
    }

    /// Nothing more is done for a request that has ended already.
    mutating func forget(_ id: RequestID) {
        repeated.remove(id)
        abandoned.remove(id)
        waits[id] = nil
    }

    /// Whether a request that waits for the peer may be made once more: the first time that this is asked.
    mutating func mayRepeat(_ id: RequestID) -> Bool { waits[id] != nil && repeated.insert(id).inserted }

    /// Later answers of the daemon are not reported.
    mutating func abandon() {
        abandoned.formUnion(waits.keys)
        waits = [:]
    }

    // MARK: Time

    /// All waiting requests have their whole time from now on.
    mutating func progressed(at now: Duration) { lastProgress = now }

    /// When the first of them is overdue; nil where none waits.
    var nextDeadline: Duration? { waits.values.map(deadline).min() }

    /// Abandons those that are overdue.
    ///
    /// - Parameters:
    ///   - now: The time on the manager's clock.
    ///   - isExempt: Whether a request has its whole time from now on instead.
    /// - Returns: The abandoned requests, in the order in which they were made.
    mutating func abandonOverdue(at now: Duration, except isExempt: (RequestID) -> Bool) -> [RequestID] {
        var overdue: [RequestID] = []
        for (id, wait) in waits where deadline(wait) <= now {
            if isExempt(id) { waits[id]?.since = now } else { overdue.append(id) }
        }
        for id in overdue { waits[id] = nil }
        abandoned.formUnion(overdue)
        return overdue.sorted { $0.rawValue < $1.rawValue }
    }

    private func deadline(_ wait: Wait) -> Duration { max(wait.since, lastProgress) + wait.limit }
}
#endif
