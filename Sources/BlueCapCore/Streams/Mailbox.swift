/// The buffer between the radio and one consumer: the primitive under every stream of the package.
///
/// One side pushes, on the backend's executor; the other takes, in any task. Elements come out in the order they went in.
/// When the buffer is full, `capacity` decides what is dropped, and the drop is counted. Finishing lets the consumer take
/// what is buffered first, then the end with its error.
package final class Mailbox<Element: Sendable, Failure: Error>: Sendable {
    /// Which buffered element a new one takes the place of, and how the two become one.
    package struct Coalescing: Sendable {
        let key: @Sendable (Element) -> AnyHashable
        let merge: @Sendable (_ old: Element, _ new: Element) -> Element

        /// Elements with the same key become one. An element that is buffered must keep its key from being another's.
        package init(
            key: @escaping @Sendable (Element) -> AnyHashable,
            merge: @escaping @Sendable (_ old: Element, _ new: Element) -> Element
        ) {
            self.key = key
            self.merge = merge
        }
    }

    private enum End {
        case open
        case finished(Failure?)
    }

    private enum Taken {
        case element(Element)
        case end(Failure?)
        case empty
    }

    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var buffer = RingBuffer<Element>()
        var end = End.open
        var dropped = 0
        var waiters: [Waiter] = []
        var lastWaiter: UInt64 = 0
        /// Where the buffered element with a key stands, counted from the first element there ever was.
        var places: [AnyHashable: Int] = [:]
        /// How many elements have left the buffer.
        var goneCount = 0

        var hasNews: Bool {
            if case .open = end { !buffer.isEmpty } else { true }
        }

        mutating func append(_ element: Element, key: AnyHashable?) {
            if let key { places[key] = goneCount + buffer.count }
            buffer.append(element)
        }

        mutating func popFirst(_ coalescing: Coalescing?) -> Element? {
            guard let element = buffer.popFirst() else { return nil }
            goneCount += 1
            if let coalescing { places[coalescing.key(element)] = nil }
            return element
        }

        mutating func take(_ coalescing: Coalescing?) -> Taken {
            if let element = popFirst(coalescing) { return .element(element) }
            guard case .finished(let failure) = end else { return .empty }
            end = .finished(nil)
            return .end(failure)
        }
    }

    private let state = Locked(State())
    private let capacity: StreamCapacity
    private let coalescing: Coalescing?
    private let onDrop: (@Sendable (Element) -> Void)?

    /// - Parameter onDrop: Told of each element that is dropped for want of room, before it is let go.
    package init(
        capacity: StreamCapacity, coalescing: Coalescing? = nil, onDrop: (@Sendable (Element) -> Void)? = nil
    ) {
        self.capacity = capacity
        self.coalescing = coalescing
        self.onDrop = onDrop
    }

    /// How many elements were dropped for want of room.
    package var droppedCount: Int { state.withLock { $0.dropped } }

    /// How many elements wait to be taken.
    package var count: Int { state.withLock { $0.buffer.count } }

    /// Adds an element. Does nothing after ``finish(_:)``.
    ///
    /// - Returns: How many elements were dropped for it: 0 or 1.
    @discardableResult
    package func push(_ element: Element) -> Int {
        // What is dropped is let go outside of the lock where somebody is to be told: its end may be anything.
        let (waiter, dropped, victim): (Waiter?, Int, Element?) = state.withLock { state in
            guard case .open = state.end else { return (nil, 0, nil) }
            let key = coalescing?.key(element)
            if let coalescing, let key, let place = state.places[key] {
                let index = place - state.goneCount
                state.buffer[index] = coalescing.merge(state.buffer[index], element)
                return (nil, 0, nil)
            }
            let oldest = onDrop == nil || keepsOldest ? nil : state.buffer.first
            let dropped = makeRoom(in: &state)
            if dropped == 0 || !keepsOldest { state.append(element, key: key) }
            state.dropped += dropped
            let waiter = state.waiters.isEmpty ? nil : state.waiters.removeFirst()
            return (waiter, dropped, dropped == 0 ? nil : keepsOldest ? element : oldest)
        }
        waiter?.continuation.resume()
        if let onDrop, let victim { onDrop(victim) }
        return dropped
    }

    /// Counts elements that were lost before they could be pushed.
    package func countDropped(_ count: Int) { state.withLock { $0.dropped += count } }

    /// Ends the stream after what is buffered; only the first call counts.
    package func finish(_ failure: Failure? = nil) {
        let waiters: [Waiter] = state.withLock { state in
            guard case .open = state.end else { return [] }
            state.end = .finished(failure)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// Ends the stream at once; what is buffered is let go, and counted as dropped.
    ///
    /// - Returns: How many elements were let go.
    @discardableResult
    package func close() -> Int {
        finish()
        let rest = state.withLock { state in
            defer {
                state.dropped += state.buffer.count
                state.buffer = RingBuffer()
                state.places = [:]
                state.end = .finished(nil)
            }
            return state.buffer
        }
        // Released outside of the lock: an element may be anything.
        return withExtendedLifetime(rest) { rest.count }
    }

    /// The next element; nil at the end, and for a task that is cancelled, whatever is buffered: its loop ends though more
    /// comes than its body takes. What is buffered stays, until another task takes it or ``close()`` counts it.
    ///
    /// - Throws: The error that the stream was finished with, once; nil follows.
    package func next() async throws(Failure) -> Element? {
        while !Task.isCancelled {
            switch state.withLock({ $0.take(coalescing) }) {
            case .element(let element): return element
            case .end(let failure?): throw failure
            case .end(nil): return nil
            case .empty: await wait()
            }
        }
        return nil
    }

    private var keepsOldest: Bool {
        if case .oldest = capacity { true } else { false }
    }

    private func makeRoom(in state: inout State) -> Int {
        switch capacity {
        case .unbounded: return 0
        case .newest(let count):
            guard state.buffer.count >= max(count, 1) else { return 0 }
            _ = state.popFirst(coalescing)
            return 1
        case .oldest(let count):
            return state.buffer.count >= max(count, 1) ? 1 : 0
        }
    }

    /// Suspends until there may be something to take; returns at once for a cancelled task.
    private func wait() async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.hasNews || Task.isCancelled { return true }
                    state.waiters.append(Waiter(id: id, continuation: continuation))
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            // Before the waiter is added, the check of `Task.isCancelled` above takes the place of this.
            let waiter: Waiter? = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume()
        }
    }
}
