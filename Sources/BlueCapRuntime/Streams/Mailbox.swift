// SPDX-License-Identifier: MIT

/// The buffer between the radio and one consumer: the primitive under every stream of the package.
///
/// One side pushes, on the backend's executor; the other takes, in any task. Elements come out in the order they went
/// in. When the buffer is full, `capacity` decides which element is dropped, and the drop is counted. Finishing lets
/// the consumer take the buffered elements first, then the end with its error.
@_documentation(visibility: internal)
public final class Mailbox<Element: Sendable, Failure: Error>: Sendable {
    /// The rule by which a new element takes the place of a buffered one.
    public struct Coalescing: Sendable {
        @usableFromInline let key: @Sendable (Element) -> Int
        @usableFromInline let merge: @Sendable (_ old: Element, _ new: Element) -> Element

        /// Creates a rule by which buffered elements with the same key become one. An element must keep its key while
        /// it is buffered.
        ///
        /// - Parameters:
        ///   - key: Returns the key of an element.
        ///   - merge: Returns the element that takes the place of the old one and the new one.
        @inlinable
        public init(
            key: @escaping @Sendable (Element) -> Int,
            merge: @escaping @Sendable (_ old: Element, _ new: Element) -> Element
        ) {
            self.key = key
            self.merge = merge
        }
    }

    /// The outcome of the addition of an element.
    public struct Addition: Sendable {
        /// The number of elements that were dropped for it: 0 or 1.
        public var droppedCount = 0
        /// A Boolean value that is true if a consumer waits, and ``Mailbox/wake()`` has to be called for it.
        public var needsWake = false
        /// A Boolean value that is true if the mailbox was finished before, and has not taken the element.
        public var isRefused = false

        /// Creates the outcome of an addition.
        ///
        /// - Parameters:
        ///   - droppedCount: The number of elements that were dropped: 0 or 1.
        ///   - needsWake: Whether a consumer waits, and ``Mailbox/wake()`` has to be called for it.
        ///   - isRefused: Whether the mailbox was finished before.
        @inlinable
        public init(droppedCount: Int = 0, needsWake: Bool = false, isRefused: Bool = false) {
            self.droppedCount = droppedCount
            self.needsWake = needsWake
            self.isRefused = isRefused
        }
    }

    @usableFromInline
    enum End: Sendable {
        case open
        case finished(Failure?)
    }

    @usableFromInline
    enum Taken: Sendable {
        case element(Element)
        case end(Failure?)
        case empty
    }

    // SAFETY: a continuation is in the list once, and taken out of it under the lock by the caller that resumes it.
    @safe
    @usableFromInline
    struct Waiter: Sendable {
        @usableFromInline let id: UInt64
        @usableFromInline let continuation: UnsafeContinuation<Void, Never>

        @inlinable
        init(id: UInt64, continuation: UnsafeContinuation<Void, Never>) {
            self.id = id
            unsafe self.continuation = continuation
        }

        @inlinable
        func resume() { unsafe continuation.resume() }
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var buffer = RingBuffer<Element>()
        @usableFromInline var end = End.open
        @usableFromInline var dropped = 0
        @usableFromInline var waiters: [Waiter] = []
        /// Whether ``Mailbox/wake()`` is about to be called.
        @usableFromInline var isWakeDue = false
        @usableFromInline var lastWaiter: UInt64 = 0
        /// Where the buffered element with a key stands, counted from the first element there ever was.
        @usableFromInline var places: [Int: Int] = [:]
        /// How many elements have left the buffer.
        @usableFromInline var goneCount = 0

        @inlinable
        init() {}

        @inlinable
        var hasNews: Bool {
            if case .open = end { !buffer.isEmpty } else { true }
        }

        @inlinable
        mutating func append(_ element: Element, _ coalescing: Coalescing?) {
            if let coalescing { places[coalescing.key(element)] = goneCount + buffer.count }
            buffer.append(element)
        }

        @inlinable
        mutating func popFirst(_ coalescing: Coalescing?) -> Element? {
            guard let element = buffer.popFirst() else { return nil }
            if let coalescing {
                goneCount += 1
                places[coalescing.key(element)] = nil
            }
            return element
        }

        /// Merges an element into the buffered one with the same key; returns whether there was one.
        @inlinable
        mutating func merge(_ element: Element, _ coalescing: Coalescing) -> Bool {
            guard !buffer.isEmpty, let place = places[coalescing.key(element)] else { return false }
            let index = place - goneCount
            buffer[index] = coalescing.merge(buffer[index], element)
            return true
        }

        @inlinable
        mutating func take(_ coalescing: Coalescing?) -> Taken {
            if let element = popFirst(coalescing) { return .element(element) }
            guard case .finished(let failure) = end else { return .empty }
            end = .finished(nil)
            return .end(failure)
        }

        /// Whether a consumer waits and its wake is not due yet; from now on it is.
        @inlinable
        mutating func claimWake() -> Bool {
            if waiters.isEmpty || isWakeDue { return false }
            isWakeDue = true
            return true
        }

        /// Takes out as many waiters as there are elements for.
        @inlinable
        mutating func takeWaiters() -> ArraySlice<Waiter> {
            isWakeDue = false
            let called = waiters.prefix(buffer.count)
            waiters = Array(waiters.dropFirst(called.count))
            return called
        }
    }

    @usableFromInline let state = Locked(State())
    /// The most elements that are kept.
    @usableFromInline let limit: Int
    @usableFromInline let keepsOldest: Bool
    @usableFromInline let coalescing: Coalescing?
    @usableFromInline let onDrop: (@Sendable (Element) -> Void)?

    /// Creates an empty mailbox.
    ///
    /// - Parameters:
    ///   - capacity: The number of elements to keep, and which ones to drop beyond it.
    ///   - coalescing: The rule by which a new element takes the place of a buffered one; nil keeps all apart.
    ///   - onDrop: Called with each element that is dropped for want of room, before it is released.
    @inlinable
    public init(
        capacity: StreamCapacity, coalescing: Coalescing? = nil, onDrop: (@Sendable (Element) -> Void)? = nil
    ) {
        switch capacity {
        case .unbounded: (limit, keepsOldest) = (.max, false)
        case .newest(let count): (limit, keepsOldest) = (max(count, 1), false)
        case .oldest(let count): (limit, keepsOldest) = (max(count, 1), true)
        }
        self.coalescing = coalescing
        self.onDrop = onDrop
    }

    /// The number of elements that were dropped for want of room.
    @inlinable
    public var droppedCount: Int { state.withLock { $0.dropped } }

    /// The number of elements that wait for the consumer.
    @inlinable
    public var count: Int { state.withLock { $0.buffer.count } }

    /// Adds an element, and wakes the consumer if it waits. Does nothing after ``finish(_:)``.
    ///
    /// - Returns: The number of elements that were dropped for it: 0 or 1.
    @inlinable
    @discardableResult
    public func push(_ element: Element) -> Int {
        let addition = add(element)
        if addition.needsWake { wake() }
        return addition.droppedCount
    }

    /// Adds an element without waking the consumer, for a caller that has more to add: the consumer then takes them
    /// together. Does nothing after ``finish(_:)``.
    @inlinable
    public func add(_ element: Element) -> Addition {
        let (addition, victim) = addKeepingVictim(element)
        if let onDrop, let victim { onDrop(victim) }
        return addition
    }

    /// Adds an element, and returns the element that was dropped for it, for a caller that holds a lock: the dropped
    /// element is to be given to the mailbox's closure, and released, after the lock.
    @inlinable
    func addKeepingVictim(_ element: Element) -> (addition: Addition, victim: Element?) {
        // Dropped elements are released outside of the lock: their deinitializers may run any code.
        state.withLock { state in
            guard case .open = state.end else { return (Addition(isRefused: true), nil) }
            if let coalescing, state.merge(element, coalescing) { return (Addition(), nil) }
            if state.buffer.count < limit {
                state.append(element, coalescing)
                return (Addition(needsWake: state.claimWake()), nil)
            }
            state.dropped += 1
            var victim: Element? = element
            if !keepsOldest {
                victim = state.popFirst(coalescing)
                state.append(element, coalescing)
            }
            return (Addition(droppedCount: 1, needsWake: state.claimWake()), victim)
        }
    }

    /// Wakes waiting consumers, one for each buffered element.
    @inlinable
    public func wake() {
        for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() }
    }

    /// Counts elements that were lost before they could be pushed.
    @inlinable
    public func countDropped(_ count: Int) { state.withLock { $0.dropped += count } }

    /// Ends the stream after the buffered elements; only the first call counts.
    @inlinable
    public func finish(_ failure: Failure? = nil) {
        let waiters: [Waiter] = state.withLock { state in
            guard case .open = state.end else { return [] }
            state.end = .finished(failure)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Ends the stream if a consumer waits and there is nothing for it.
    ///
    /// - Returns: A function that wakes the consumer, for the caller to call once it holds no lock; nil if the stream
    ///   goes on.
    package func finishWaiting(_ failure: Failure?) -> (() -> Void)? {
        let waiters: [Waiter] = state.withLock { state in
            guard case .open = state.end, state.buffer.isEmpty, !state.waiters.isEmpty else { return [] }
            state.end = .finished(failure)
            defer { state.waiters = [] }
            return state.waiters
        }
        if waiters.isEmpty { return nil }
        return { for waiter in waiters { waiter.resume() } }
    }

    /// Ends the stream at once. Buffered elements are released, and counted as dropped.
    ///
    /// - Returns: The number of elements that were released.
    @inlinable
    @discardableResult
    public func close() -> Int {
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

    /// Returns the next element, or nil at the end, and for a cancelled task, even if elements are buffered: the loop
    /// of such a task ends although elements come faster than its body takes them. The buffered elements stay, until
    /// another task takes them or ``close()`` counts them.
    ///
    /// It runs where its caller does: a buffered element is returned without a hop to another executor and back.
    ///
    /// - Throws: The error with which the stream was finished, once; nil follows.
    @inlinable
    public nonisolated(nonsending) func next() async throws(Failure) -> Element? {
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

    /// Suspends until there may be something to take; returns at once for a cancelled task.
    @inlinable
    nonisolated(nonsending) func wait() async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in
                let waiter = unsafe Waiter(id: id, continuation: continuation)
                let isReady = state.withLock { state in
                    if state.hasNews || Task.isCancelled { return true }
                    state.waiters.append(waiter)
                    return false
                }
                if isReady { waiter.resume() }
            }
        } onCancel: {
            // Before the waiter is added, the check of `Task.isCancelled` above takes the place of this.
            let waiter: Waiter? = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiters.remove(at: index)
            }
            waiter?.resume()
        }
    }
}

/// The number of elements that a stream keeps for a consumer that is slower than the radio, and the choice of those to
/// drop.
///
/// A radio cannot be paused, so elements have to be dropped. They are counted: see `droppedCount` of the sequence,
/// where it has one, and of the object that made it.
public enum StreamCapacity: Sendable, Hashable {
    /// Keeps the newest `count` elements and drops the oldest. A count below 1 is taken as 1.
    case newest(_ count: Int)
    /// Keeps the oldest `count` elements and drops later ones. A count below 1 is taken as 1.
    case oldest(_ count: Int)
    /// Keeps all, for as long as memory lasts. Choose it only for a consumer that is known to keep up in the end.
    case unbounded
}
