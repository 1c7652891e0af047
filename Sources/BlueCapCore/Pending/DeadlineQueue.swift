// SPDX-License-Identifier: MIT

/// Actions by the time at which they fall due; the earliest comes first, of equals the one added first.
struct DeadlineQueue<Action> {
    /// Names one action, to take it back.
    struct Token: Hashable, Sendable {
        fileprivate let order: UInt64
    }

    private struct Entry {
        let deadline: Duration
        let order: UInt64
    }

    private var heap: [Entry] = []
    private var actions: [UInt64: Action] = [:]
    private var lastOrder: UInt64 = 0

    /// How many actions there are.
    var count: Int { actions.count }

    /// How many entries are kept, those of removed actions included.
    var heapCount: Int { heap.count }

    /// When the earliest action falls due.
    var next: Duration? {
        mutating get {
            while let first = heap.first, actions[first.order] == nil { removeFirst() }
            return heap.first?.deadline
        }
    }

    mutating func add(at deadline: Duration, _ action: Action) -> Token {
        lastOrder += 1
        actions[lastOrder] = action
        heap.append(Entry(deadline: deadline, order: lastOrder))
        siftUp(from: heap.count - 1)
        return Token(order: lastOrder)
    }

    /// Takes an action back; nil if it was taken or ran already.
    @discardableResult
    mutating func remove(_ token: Token) -> Action? {
        let action = actions.removeValue(forKey: token.order)
        // Removed actions leave their heap entry behind; without this, many short calls with long timeouts pile them up.
        if heap.count > 64, heap.count > 2 * actions.count {
            heap = heap.filter { actions[$0.order] != nil }.sorted(by: Self.isBefore)
        }
        return action
    }

    /// Takes the earliest action that is due.
    mutating func popDue(at now: Duration) -> Action? {
        guard let deadline = next, deadline <= now else { return nil }
        let order = heap[0].order
        removeFirst()
        return actions.removeValue(forKey: order)
    }

    private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        (left.deadline, left.order) < (right.deadline, right.order)
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        if heap.isEmpty { return }
        heap[0] = last
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { Self.isBefore(heap[$0], heap[$1]) }),
                Self.isBefore(heap[least], heap[parent])
            else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private mutating func siftUp(from index: Int) {
        var child = index
        while child > 0 {
            let parent = (child - 1) / 2
            guard Self.isBefore(heap[child], heap[parent]) else { return }
            heap.swapAt(parent, child)
            child = parent
        }
    }
}
