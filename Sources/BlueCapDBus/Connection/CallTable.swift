// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapLoop

/// The caller's handler of a call's result, called once.
package typealias ReplyHandler = (Result<Message, DBusError>) -> Void

/// Names one call of a connection, for cancelling it. From any thread.
package struct CallID: Hashable, Sendable {
    let value: UInt64
}

/// The calls of one connection: waiting for a slot in order, sent, or sent and given up by their caller.
///
/// The bus refuses more than 128 calls in flight, and a call that its caller has given up stays in flight until it is
/// answered. So at most `limit` are sent, the abandoned ones included.
struct CallTable {
    static let limit = 96

    struct Pending {
        let message: Message
        let reply: ReplyHandler
        var timer: TimerID?
        /// 0 while the call waits for a slot.
        var serial: UInt32 = 0
    }

    private var pending: [CallID: Pending] = [:]
    private var sent: [UInt32: CallID] = [:]
    private var waiting: [CallID] = []
    private var waitingHead = 0
    private var nextID: UInt64 = 1
    private(set) var answered = 0
    private(set) var late = 0
    private(set) var stray = 0

    var hasSlot: Bool { sent.count < Self.limit }
    var hasWaiters: Bool { waitingHead < waiting.count }

    mutating func newID() -> CallID {
        defer { nextID += 1 }
        return CallID(value: nextID)
    }

    mutating func insert(_ call: Pending, as id: CallID) { pending[id] = call }

    mutating func wait(_ id: CallID) { waiting.append(id) }

    mutating func setTimer(_ timer: TimerID, for id: CallID) {
        pending[id]?.timer = timer
    }

    /// The next call to send, in order of arrival; calls given up meanwhile are skipped.
    mutating func nextWaiter() -> (CallID, Message)? {
        while hasWaiters {
            let id = waiting[waitingHead]
            waitingHead += 1
            if waitingHead == waiting.count || waitingHead > 256 && waitingHead * 2 > waiting.count {
                waiting.removeFirst(waitingHead)
                waitingHead = 0
            }
            if let call = pending[id] { return (id, call.message) }
        }
        return nil
    }

    mutating func markSent(_ id: CallID, serial: UInt32) {
        pending[id]?.serial = serial
        sent[serial] = id
    }

    /// The caller hears of the call no more; a sent one keeps its slot.
    mutating func remove(_ id: CallID) -> Pending? { pending.removeValue(forKey: id) }

    /// A reply came: its slot is free. Nil when no call waits for it.
    mutating func answer(_ serial: UInt32) -> Pending? {
        guard let id = sent.removeValue(forKey: serial) else {
            stray += 1
            return nil
        }
        answered += 1
        guard let call = pending.removeValue(forKey: id) else {
            late += 1
            return nil
        }
        return call
    }

    /// Ends every call, in the order they were made.
    mutating func removeAll(cancelTimer: (TimerID) -> Void) -> [ReplyHandler] {
        let ordered = pending.sorted { $0.key.value < $1.key.value }
        for (_, call) in ordered { if let timer = call.timer { cancelTimer(timer) } }
        pending = [:]
        sent = [:]
        waiting = []
        waitingHead = 0
        return ordered.map(\.value.reply)
    }

    func count(into metrics: inout BusMetrics) {
        metrics.inFlight = sent.count
        metrics.queued = pending.values.count { $0.serial == 0 }
        metrics.zombies = sent.count - (pending.count - metrics.queued)
        metrics.answered = answered
        metrics.lateReplies = late
        metrics.strayReplies = stray
    }
}
#endif
