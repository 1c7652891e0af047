// SPDX-License-Identifier: MIT

/// A queue of actions, ordered by the time at which they fall due. Of two that are due at the same time, the first
/// added comes first.
@_documentation(visibility: internal)
public struct DeadlineQueue<Action> {
    /// Identifies an action, so that it can be removed; the same type for queues of all actions.
    public typealias Token = DeadlineToken

    @usableFromInline
    struct Entry {
        @usableFromInline let deadline: Duration
        @usableFromInline let order: UInt64

        @inlinable
        init(deadline: Duration, order: UInt64) {
            self.deadline = deadline
            self.order = order
        }
    }

    /// Creates an empty queue.
    @inlinable
    public init() {}

    @usableFromInline var heap: [Entry] = []
    @usableFromInline var actions: [UInt64: Action] = [:]
    @usableFromInline var lastOrder: UInt64 = 0

    /// The number of actions.
    @inlinable
    public var count: Int { actions.count }

    /// The number of entries in memory, those of removed actions included.
    @inlinable
    public var heapCount: Int { heap.count }

    /// The time at which the earliest action falls due; nil if there is none.
    @inlinable
    public var next: Duration? {
        mutating get {
            while let first = heap.first, actions[first.order] == nil { removeFirst() }
            return heap.first?.deadline
        }
    }

    /// Adds an action.
    ///
    /// - Parameters:
    ///   - deadline: The time at which the action falls due.
    ///   - action: The action.
    /// - Returns: A token with which the action can be removed.
    @inlinable
    public mutating func add(at deadline: Duration, _ action: Action) -> Token {
        lastOrder += 1
        actions[lastOrder] = action
        heap.append(Entry(deadline: deadline, order: lastOrder))
        siftUp(from: heap.count - 1)
        return Token(order: lastOrder)
    }

    /// Removes an action and returns it; nil if it was removed or taken before.
    @inlinable
    @discardableResult
    public mutating func remove(_ token: Token) -> Action? {
        let action = actions.removeValue(forKey: token.order)
        // Removed actions leave their heap entry behind; without this, many short calls with long timeouts pile them
        // up.
        if heap.count > 64, heap.count > 2 * actions.count {
            heap = heap.filter { actions[$0.order] != nil }.sorted(by: Self.isBefore)
        }
        return action
    }

    /// Removes and returns the earliest action that is due; nil if none is.
    @inlinable
    public mutating func popDue(at now: Duration) -> Action? {
        guard let deadline = next, deadline <= now else { return nil }
        let order = heap[0].order
        removeFirst()
        return actions.removeValue(forKey: order)
    }

    @inlinable
    static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        (left.deadline, left.order) < (right.deadline, right.order)
    }

    @inlinable
    mutating func removeFirst() {
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

    @inlinable
    mutating func siftUp(from index: Int) {
        var child = index
        while child > 0 {
            let parent = (child - 1) / 2
            guard Self.isBefore(heap[child], heap[parent]) else { return }
            heap.swapAt(parent, child)
            child = parent
        }
    }
}

/// Identifies an action of a ``DeadlineQueue``.
@_documentation(visibility: internal)
public struct DeadlineToken: Hashable, Sendable {
    @usableFromInline let order: UInt64

    @inlinable
    init(order: UInt64) { self.order = order }
}
