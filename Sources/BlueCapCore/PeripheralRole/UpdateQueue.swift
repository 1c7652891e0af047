// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The updates of one characteristic that are not sent yet, in order; the backend has at most one of them.
struct UpdateQueue {
    struct Update: Hashable {
        var value: Bytes
        /// The only subscriber that receives the update; nil for all.
        var central: PeerIdentifier?
        /// A Boolean value that is true if the update answers a request. A later subscriber must not receive it, as it
        /// could mistake it for the answer to its own request.
        var isResponse = false

        /// Returns a Boolean value that is true if one of its receivers gets only the first bytes.
        func isCut(for subscribers: [Central]) -> Bool {
            subscribers.contains { subscriber in
                (central == nil || central == subscriber.identifier)
                    && subscriber.maximumUpdateLength.map { value.count > $0 } == true
            }
        }
    }

    private var waiting = RingBuffer<Update>()
    /// The update that the backend has and has not answered.
    private(set) var inFlight: Update?
    private(set) var droppedCount = 0
    /// The dropped updates that were never in the queue.
    private var unqueuedCount = 0
    /// The number of updates that the backend has sent.
    private var sentCount = 0
    /// A Boolean value that is true if a call to take the next update is scheduled.
    private var isTakerExpected = false
    /// A Boolean value that is true if a central has subscribed since the backend received its current update.
    private var hasNewSubscriber = false
    /// A Boolean value that is true if the first update reached no central, and waits for a new subscriber or a further
    /// update.
    private(set) var isPutBack = false

    #if Metrics
    private var meteredCount = 0

    /// Returns the number of updates that were dropped since the last call.
    mutating func takeUnmeteredCount() -> Int {
        defer { meteredCount = droppedCount }
        return droppedCount - meteredCount
    }
    #endif

    /// A Boolean value that is true if no update waits; the update that the backend has does not count.
    var isEmpty: Bool { waiting.isEmpty }

    /// A Boolean value that is true if a response waits.
    var hasWaitingResponse: Bool { (0..<waiting.count).contains { waiting[$0].isResponse } }

    /// The number of updates that have left the queue, sent or dropped.
    var endedCount: Int { droppedCount - unqueuedCount + sentCount }

    /// The number of updates that wait, including the update that the backend has.
    var pendingCount: Int { waiting.count + (inFlight == nil ? 0 : 1) }

    /// A Boolean value that is true if an update waits that can be sent without a new subscriber.
    var isMoving: Bool { pendingCount > 0 && !isPutBack }

    /// The values of the waiting updates, oldest first.
    var values: [Bytes] { (0..<waiting.count).map { waiting[$0].value } }

    /// Adds an update. If more than `limit` updates would wait, the oldest is dropped.
    mutating func append(_ update: Update, limit: Int?) {
        waiting.append(update)
        // Updates that wait from a time with a larger limit are not all dropped for one more update.
        if let limit, waiting.count > limit { drop(1) }
    }

    /// A central has another identifier from now on, in the updates that only it receives.
    mutating func rename(_ former: PeerIdentifier, to present: PeerIdentifier) {
        for position in 0..<waiting.count where waiting[position].central == former {
            waiting[position].central = present
        }
        if inFlight?.central == former { inFlight?.central = present }
    }

    /// Counts an update for a central that has left.
    mutating func dropUnqueued() {
        droppedCount += 1
        unqueuedCount += 1
    }

    /// Drops the oldest updates until at most `limit` wait.
    mutating func trim(to limit: Int?) { if let limit, waiting.count > limit { drop(waiting.count - limit) } }

    /// Returns a Boolean value that is true if the caller has to schedule the call that takes the next update.
    mutating func expectTaker() -> Bool {
        if isTakerExpected || inFlight != nil || waiting.isEmpty { return false }
        isTakerExpected = true
        isPutBack = false
        return true
    }

    /// Returns the next update for the backend, if the backend can accept one; updates for absent centrals are dropped.
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

    /// The scheduled call found that no update can be sent.
    mutating func takerLeft() { isTakerExpected = false }

    /// A central subscribed that does not receive the update in flight.
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

    /// The backend's update reached no central, so it is the first of the queue again.
    ///
    /// - Returns: True if a central has subscribed meanwhile to which the update can be sent.
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

    /// Drops the responses that wait for a central that has left; nil if all centrals have left.
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

    /// Drops all updates that are not known to be sent.
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
