@_spi(Queues) import BlueCapCore

/// What the radio is going to do, in the order of time, and of request where times are equal.
///
/// One timer of the clock is armed, for the earliest entry. After each entry everything that was posted for the
/// backends' sinks meanwhile is handed over, so that no sink is ever called from inside a backend's method.
final class Timeline {
    /// An entry that can be taken back.
    struct Entry: Hashable {
        fileprivate let order: UInt64
    }

    private struct Item {
        let time: Duration
        let order: UInt64

        static func < (left: Self, right: Self) -> Bool { (left.time, left.order) < (right.time, right.order) }
    }

    private let clock: BlueCapClock
    private let executor: VirtualExecutor
    private var heap: [Item] = []
    private var bodies: [UInt64: () -> Void] = [:]
    private var posted = RingBuffer<() -> Void>()
    private var order: UInt64 = 0
    private var armed: (time: Duration, timer: ClockTimer?)?
    private var isRunning = false
    /// The time of the entry that is being done.
    private var running: Duration?
    /// Calls back into ``fire()`` from a timer.
    var onDue: (@Sendable () -> Void)?

    init(clock: BlueCapClock, executor: VirtualExecutor) {
        self.clock = clock
        self.executor = executor
    }

    /// The time; while an entry is being done, the entry's. On a real clock that may be long ago when the machine is busy: what
    /// follows from an entry still comes before what was to happen later, as a time-out.
    var now: Duration { running ?? clock.elapsed }

    /// Does `body` after `delay`.
    @discardableResult
    func schedule(after delay: Duration, _ body: @escaping () -> Void) -> Entry { schedule(at: now + delay, body) }

    /// Does `body` at `time`, or as soon as possible when that has passed.
    @discardableResult
    func schedule(at time: Duration, _ body: @escaping () -> Void) -> Entry {
        order += 1
        bodies[order] = body
        push(Item(time: time, order: order))
        if !isRunning { arm() }
        return Entry(order: order)
    }

    /// Takes an entry back; nothing happens when it was done already.
    func cancel(_ entry: Entry?) {
        guard let entry, bodies.removeValue(forKey: entry.order) != nil else { return }
        if !isRunning { arm() }
    }

    /// Does `body` after the entry that is being done, or soon.
    func post(_ body: @escaping () -> Void) {
        posted.append(body)
        if !isRunning { arm() }
    }

    /// Does everything that is due by now; what becomes due meanwhile waits for its turn on the executor.
    func fire() {
        guard !isRunning else { return }
        let due = clock.elapsed
        armed?.timer?.cancel()
        armed = nil
        isRunning = true
        handOver()
        while let item = heap.first, item.time <= due {
            pop()
            running = max(item.time, running ?? item.time)
            bodies.removeValue(forKey: item.order)?()
            handOver()
        }
        running = nil
        isRunning = false
        arm()
    }

    /// Forgets everything, for good.
    func clear() {
        armed?.timer?.cancel()
        armed = nil
        heap = []
        bodies = [:]
        posted = RingBuffer()
        onDue = nil
    }

    private func handOver() {
        while let body = posted.popFirst() { body() }
    }

    /// Has ``fire()`` called when the earliest entry is due.
    private func arm() {
        while let first = heap.first, bodies[first.order] == nil { pop() }
        guard let onDue else { return }
        let current = now
        let time = posted.isEmpty ? heap.first.map { max($0.time, current) } : current
        if let armed {
            if armed.time == time { return }
            armed.timer?.cancel()
        }
        armed = nil
        guard let time else { return }
        if time <= current {
            armed = (time, nil)
            executor.submit(onDue)
        } else {
            let executor = executor
            armed = (time, clock.schedule(after: time - current) { executor.submit(onDue) })
        }
    }

    // MARK: The heap

    private func push(_ item: Item) {
        heap.append(item)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
