// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The updates of one characteristic that are not sent: in order, one of them at most with the backend.
struct UpdateQueue {
    struct Update: Hashable {
        var value: Bytes
        /// The one subscriber that it is for; nil for all.
        var central: PeerIdentifier?
        /// Whether it answers a request: no later subscriber may take it for the answer to its own.
        var isResponse = false
    }

    private var waiting = RingBuffer<Update>()
    /// What the backend has and has not answered.
    private(set) var inFlight: Update?
    /// How many updates were given up.
    private(set) var droppedCount = 0
    /// How many updates the backend has taken.
    private var sentCount = 0
    /// Whether somebody is on the way to take the next one.
    private var isTakerExpected = false
    /// Whether somebody has subscribed since the backend was given the update that it has.
    private var hasNewSubscriber = false
    /// Whether what waits has reached nobody, and waits for a new subscriber or for an update behind it.
    private(set) var isPutBack = false

    #if Metrics
    private var meteredCount = 0

    /// How many updates were given up since this was last called.
    mutating func takeUnmeteredCount() -> Int {
        defer { meteredCount = droppedCount }
        return droppedCount - meteredCount
    }
    #endif

    /// Whether nothing waits behind what the backend has.
    var isEmpty: Bool { waiting.isEmpty }

    /// How many updates have left the queue, in whichever way.
    var endedCount: Int { droppedCount + sentCount }

    /// How many updates wait, the one that the backend has included.
    var pendingCount: Int { waiting.count + (inFlight == nil ? 0 : 1) }

    /// Whether an update waits that goes out without a new subscriber.
    var isMoving: Bool { pendingCount > 0 && !isPutBack }

    /// What waits, the oldest first.
    var values: [Bytes] { (0..<waiting.count).map { waiting[$0].value } }

    /// Adds an update; where more than `limit` would wait, the oldest are dropped.
    mutating func append(_ update: Update, limit: Int?) {
        waiting.append(update)
        // What waited before under a larger limit is not thrown away for one more.
        if let limit, waiting.count > limit { drop(1) }
    }

    /// Drops the oldest until at most `limit` wait.
    mutating func trim(to limit: Int?) {
        if let limit, waiting.count > limit { drop(waiting.count - limit) }
    }

    /// Whether the caller is the one to have the next update taken.
    mutating func expectTaker() -> Bool {
        if isTakerExpected || inFlight != nil || waiting.isEmpty { return false }
        isTakerExpected = true
        isPutBack = false
        return true
    }

    /// The next update for the backend, if it can be given one; those of centrals that are gone are dropped.
    mutating func take(where isReachable: (Update) -> Bool) -> Update? {
        isTakerExpected = false
        isPutBack = false
        if inFlight != nil { return nil }
        while let next = waiting.popFirst() {
            if isReachable(next) {
                (inFlight, hasNewSubscriber) = (next, false)
                return next
            }
            droppedCount += 1
        }
        return nil
    }

    /// The taker that was expected finds that nothing can be sent.
    mutating func takerLeft() { isTakerExpected = false }

    /// Somebody subscribed, who is not among those that the backend sends the update in flight to.
    mutating func subscriberJoined() { hasNewSubscriber = true }

    /// The backend is done with the update that it had.
    mutating func sent() {
        if inFlight != nil { sentCount += 1 }
        inFlight = nil
    }

    /// The backend could not send the update that it had.
    mutating func lost() {
        if inFlight != nil { droppedCount += 1 }
        inFlight = nil
    }

    /// The update that the backend had reached nobody: it is the first again.
    ///
    /// - Returns: Whether somebody has subscribed meanwhile, whom it can be sent to.
    mutating func putBack(limit: Int?) -> Bool {
        guard let update = inFlight else { return false }
        inFlight = nil
        var rest = RingBuffer<Update>()
        rest.append(update)
        while let next = waiting.popFirst() { rest.append(next) }
        waiting = rest
        trim(to: limit)
        isPutBack = !hasNewSubscriber
        return hasNewSubscriber
    }

    /// Drops the responses that wait for a central that has left; nil where all have.
    mutating func dropResponses(to central: PeerIdentifier?) {
        var rest = RingBuffer<Update>()
        while let next = waiting.popFirst() {
            if next.isResponse, central == nil || next.central == central {
                droppedCount += 1
            } else {
                rest.append(next)
            }
        }
        waiting = rest
    }

    /// Gives everything up that is not known to be sent.
    mutating func removeAll() {
        droppedCount += waiting.count + (inFlight == nil ? 0 : 1)
        waiting = RingBuffer()
        inFlight = nil
        isTakerExpected = false
        isPutBack = false
    }

    private mutating func drop(_ count: Int) {
        for _ in 0..<count { _ = waiting.popFirst() }
        droppedCount += count
    }
}
