// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform
import BlueCapRuntime

/// Names one timer of an event loop.
package struct TimerID: Hashable, Sendable {
    let value: UInt64
}

/// Timers by due time; equal due times fire in the order they were added. A cancelled timer leaves its heap entry
/// behind; the heap is rebuilt when cancelled entries outnumber the live ones.
struct TimerHeap {
    private struct Entry {
        let due: Int64
        let id: UInt64

        static func < (left: Entry, right: Entry) -> Bool {
            left.due == right.due ? left.id < right.id : left.due < right.due
        }
    }

    private var entries: [Entry] = []
    private var bodies: [UInt64: () -> Void] = [:]
    private var nextID: UInt64 = 1

    var isEmpty: Bool { entries.isEmpty }
    var liveCount: Int { bodies.count }
    var storedCount: Int { entries.count }

    /// The time since the machine was started, in nanoseconds, as `ContinuousClock` measures it; in numbers, because a
    /// loop compares times after each wake.
    static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(duration, .zero), .longestWait).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    mutating func add(delay: Duration, _ body: @escaping () -> Void) -> TimerID {
        let id = nextID
        nextID += 1
        bodies[id] = body
        push(Entry(due: Self.now() + Self.nanoseconds(delay), id: id))
        return TimerID(value: id)
    }

    mutating func cancel(_ timer: TimerID) {
        guard bodies.removeValue(forKey: timer.value) != nil else { return }
        if entries.count > 64, entries.count > 2 * bodies.count {
            let live = entries.filter { bodies[$0.id] != nil }
            entries = []
            for entry in live { push(entry) }
        }
    }

    mutating func popDue(at now: Int64) -> (() -> Void)? {
        while let first = entries.first, first.due <= now {
            pop()
            if let body = bodies.removeValue(forKey: first.id) { return body }
        }
        return nil
    }

    /// When the next timer is due; nil without timers.
    var nextDue: Int64? { entries.first?.due }

    /// Rounded up, so that the timer is due when the wait ends; -1 without timers.
    func millisecondsToNext() -> Int32 {
        guard let nextDue else { return -1 }
        let left = nextDue - Self.now()
        return left > 0 ? Int32(min(left / 1_000_000, 1_000_000_000)) + 1 : 0
    }

    private mutating func push(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child] < entries[parent] else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func pop() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child] < entries[smallest] { smallest = child }
            }
            guard smallest != parent else { break }
            entries.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
#endif
