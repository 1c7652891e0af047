// SPDX-License-Identifier: MIT

/// The entries by the times at which they are due; of equals the one that was added first comes first.
struct TimelineQueue {
    /// An entry that can be cancelled.
    struct Entry: Hashable {
        fileprivate let slot: Int
        fileprivate let order: UInt64
    }

    private struct Item {
        let time: Duration
        let entry: Entry
        /// The time in about nanoseconds, which mostly is all that has to be looked at.
        private let key: Int64

        init(time: Duration, entry: Entry) {
            self.time = time
            self.entry = entry
            key = Int64(clamping: time.attoseconds >> 30)
        }

        func isBefore(_ other: Self) -> Bool {
            if key != other.key { return key < other.key }
            return time == other.time ? entry.order < other.entry.order : time < other.time
        }
    }

    /// Where a body waits, apart from the heap, in which entries change their places.
    private struct Slot {
        var order: UInt64
        var body: (() -> Void)?
    }

    /// A binary heap, cancelled entries included.
    private var heap: [Item] = []
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var order: UInt64 = 0

    mutating func add(at time: Duration, _ body: @escaping () -> Void) -> Entry {
        order += 1
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(Slot(order: order, body: body))
        } else {
            slots[slot] = Slot(order: order, body: body)
        }
        let entry = Entry(slot: slot, order: order)
        push(Item(time: time, entry: entry))
        return entry
    }

    /// Cancels an entry, and returns whether it was still to be done.
    mutating func cancel(_ entry: Entry) -> Bool { take(entry) != nil }

    var nextTime: Duration? {
        mutating get {
            while let first = heap.first, !isPending(first.entry) { pop() }
            return heap.first?.time
        }
    }

    /// Takes out the earliest entry that is due.
    mutating func popDue(at due: Duration) -> (time: Duration, body: () -> Void)? {
        while let first = heap.first, first.time <= due {
            pop()
            if let body = take(first.entry) { return (first.time, body) }
        }
        return nil
    }

    private func isPending(_ entry: Entry) -> Bool {
        slots[entry.slot].order == entry.order && slots[entry.slot].body != nil
    }

    private mutating func take(_ entry: Entry) -> (() -> Void)? {
        guard slots[entry.slot].order == entry.order, let body = slots[entry.slot].body else { return nil }
        slots[entry.slot].body = nil
        freeSlots.append(entry.slot)
        return body
    }

    // MARK: The heap

    private mutating func push(_ item: Item) {
        var child = heap.count
        heap.append(item)
        while child > 0 {
            let parent = (child - 1) / 2
            if !item.isBefore(heap[parent]) { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = item
    }

    /// Takes out the first item. There is one.
    private mutating func pop() {
        let item = heap.removeLast()
        if heap.isEmpty { return }
        var parent = 0
        while true {
            var least = 2 * parent + 1
            if least >= heap.count { break }
            if least + 1 < heap.count, heap[least + 1].isBefore(heap[least]) { least += 1 }
            if !heap[least].isBefore(item) { break }
            heap[parent] = heap[least]
            parent = least
        }
        heap[parent] = item
    }
}
