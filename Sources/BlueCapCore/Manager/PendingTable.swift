// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// Every request of a manager that is not over: sent, queued behind another, or given up by its caller and still owed
/// an answer by the backend.
///
/// Requests of one lane go out one at a time, in order. A caller that gives up a request which was sent frees itself,
/// not the lane: the slot stays as an orphan until the reply or the end of the link, so that no late reply is ever
/// taken for another request. A pure value; the manager carries out the steps that it returns.
struct PendingTable<Operation: Sendable, Completion> {
    /// A queue whose requests are sent one at a time.
    struct Lane: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            /// Reads and writes of one attribute.
            case value(AttributeID)
            /// Switching notifications of one characteristic.
            case notifying(AttributeID)
            /// Discovery of any kind on one link.
            case discovery
            /// Signal strength of one link.
            case rssi
            /// Pairing over one link.
            case pairing
            /// Adding and removing the services that this program offers.
            case database
            /// Putting advertisements on the air, changing them, taking them off.
            case advertising
            /// The units of one channel.
            case channel(ChannelID)
            /// A lane of this request's own, without a link.
            case single(RequestID)
        }

        /// The link, nil for a request that needs none.
        var peripheral: PeerIdentifier?
        /// Which connection of that peripheral: a reply of an earlier one never meets a request of a later one.
        var generation: UInt64
        var kind: Kind
    }

    /// A request to be sent to the backend.
    struct Outgoing {
        let id: RequestID
        let operation: Operation
    }

    /// The actions of the manager after a change of the table.
    struct Step {
        /// The completion to call, if the request still had a caller.
        var completion: Completion?
        /// The request to send next.
        var send: Outgoing?
    }

    private struct Entry {
        let lane: Lane
        let operation: Operation
        var completion: Completion?
    }

    private var entries: [RequestID: Entry] = [:]
    private var lanes: [Lane: RingBuffer<RequestID>] = [:]
    private var lastID: UInt64 = 0

    /// Replies for which no caller waits: the request was given up, ended with its link or its attribute, or
    /// answered before.
    private(set) var lateReplyCount = 0

    /// How many requests there are, orphans included.
    var count: Int { entries.count }

    /// The lane of a request that is not over.
    func lane(of id: RequestID) -> Lane? { entries[id]?.lane }

    /// The operation of a request that is not over.
    func operation(of id: RequestID) -> Operation? { entries[id]?.operation }

    mutating func makeID() -> RequestID {
        lastID += 1
        return RequestID(rawValue: lastID)
    }

    /// Adds a request behind those of its lane.
    ///
    /// - Returns: The request, if it is to be sent now.
    mutating func add(_ id: RequestID, _ operation: Operation, lane: Lane, completion: Completion) -> Outgoing? {
        entries[id] = Entry(lane: lane, operation: operation, completion: completion)
        let isFirst = lanes[lane, default: RingBuffer()].appendToEmpty(id)
        return isFirst ? Outgoing(id: id, operation: operation) : nil
    }

    /// The backend answered.
    mutating func reply(_ id: RequestID) -> Step {
        guard let place = entries.index(forKey: id), let lane = lanes.index(forKey: entries.values[place].lane),
            lanes.values[lane].first == id
        else {
            lateReplyCount += 1
            return Step()
        }
        let entry = entries.remove(at: place).value
        if entry.completion == nil { lateReplyCount += 1 }
        return Step(completion: entry.completion, send: advance(lane))
    }

    /// The caller gave up: a queued request is taken out, a sent one becomes an orphan.
    mutating func abandon(_ id: RequestID) -> Completion? {
        guard var entry = entries[id] else { return nil }
        let completion = entry.completion
        if lanes[entry.lane]?.first == id {
            entry.completion = nil
            entries[id] = entry
        } else {
            entries[id] = nil
            trim(entry.lane)
        }
        return completion
    }

    /// Takes out every request of one peripheral's links, or of all links and none.
    ///
    /// - Returns: The completions of those that still had a caller, in the order of their making.
    mutating func drain(_ peripheral: PeerIdentifier?) -> [Completion] {
        let drained = entries.filter { peripheral == nil || $0.value.lane.peripheral == peripheral }
        for (id, entry) in drained {
            entries[id] = nil
            lanes[entry.lane] = nil
        }
        return drained.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap(\.value.completion)
    }

    /// Takes out the requests of a lane that pass a test, sent or queued: what they are for is gone, and no reply need
    /// come. One that comes all the same is late.
    ///
    /// - Returns: Those that still had a caller, in order, and the request to send next.
    mutating func drain(
        _ lane: Lane, where isGone: (Operation) -> Bool
    ) -> ([(operation: Operation, completion: Completion)], Outgoing?) {
        guard let queued = lanes[lane] else { return ([], nil) }
        var ended: [(operation: Operation, completion: Completion)] = []
        var isHeadGone = false
        for index in 0..<queued.count {
            let id = queued[index]
            guard let entry = entries[id], isGone(entry.operation) else { continue }
            entries[id] = nil
            isHeadGone = isHeadGone || index == 0
            if let completion = entry.completion { ended.append((entry.operation, completion)) }
        }
        trim(lane)
        return (ended, isHeadGone ? lanes.index(forKey: lane).flatMap { advance($0) } : nil)
    }

    /// How many places of a lane are taken, those of requests that were given up while queued included.
    func queuedCount(in lane: Lane) -> Int { lanes[lane]?.count ?? 0 }

    /// How many requests with a caller are sent or queued in a lane and pass a test.
    func count(in lane: Lane, where isCounted: (Operation) -> Bool) -> Int {
        entries.values.count { $0.lane == lane && $0.completion != nil && isCounted($0.operation) }
    }

    /// Takes requests given up off the end of a lane, so that calls that come and go behind an orphan pile nothing up.
    private mutating func trim(_ lane: Lane) {
        while let id = lanes[lane]?.last, entries[id] == nil { _ = lanes[lane]?.popLast() }
    }

    /// Frees the head of a lane and finds the next request that still stands.
    private mutating func advance(_ lane: Dictionary<Lane, RingBuffer<RequestID>>.Index) -> Outgoing? {
        _ = lanes.values[lane].popFirst()
        while let id = lanes.values[lane].first {
            if let entry = entries[id] { return Outgoing(id: id, operation: entry.operation) }
            _ = lanes.values[lane].popFirst()
        }
        lanes.remove(at: lane)
        return nil
    }
}

extension RingBuffer {
    /// Adds the newest element; whether it is the only one.
    fileprivate mutating func appendToEmpty(_ element: Element) -> Bool {
        append(element)
        return count == 1
    }
}
