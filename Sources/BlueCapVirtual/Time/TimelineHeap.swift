// SPDX-License-Identifier: MIT

/// Entries of a time line as a binary heap: the earliest comes first, and of equals the one that was added first.
struct TimelineHeap {
    struct Item {
        let time: Duration
        let entry: TimelineQueue.Entry
        /// The time in about nanoseconds, which mostly is all that has to be looked at.
        private let key: Int64

        init(time: Duration, entry: TimelineQueue.Entry) {
            self.time = time
            self.entry = entry
            key = Int64(clamping: time.attoseconds >> 30)
        }

        func isBefore(_ other: Self) -> Bool {
            if key != other.key { return key < other.key }
            return time == other.time ? entry.order < other.entry.order : time < other.time
        }
    }

    private var heap: [Item] = []

    var first: Item? { heap.first }

    mutating func push(_ item: Item) {
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
    mutating func pop() {
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
