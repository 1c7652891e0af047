// SPDX-License-Identifier: MIT

/// One source with any number of independent consumers.
///
/// Every call of ``stream(capacity:)`` returns a stream of its own; a slow consumer does not disturb the others. The
/// replay mode decides which elements a new consumer receives first.
@_documentation(visibility: internal)
public final class Multicaster<Element: Sendable>: Sendable {
    /// The elements that a new consumer receives before later ones.
    public enum Replay: Sendable {
        /// The current value.
        case current(Element)
        /// No elements, as for events.
        case none
        /// The elements that were pushed before the first consumer came, up to a number of elements; the oldest beyond
        /// it are dropped and counted.
        case untilFirstConsumer(limit: Int)
    }

    /// The buffer of one consumer.
    public typealias Box = Mailbox<Element, Never>

    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let box: Box
        @usableFromInline let isWanted: (@Sendable (Element) -> Bool)?

        @inlinable
        init(box: Box, isWanted: (@Sendable (Element) -> Bool)?) {
            self.box = box
            self.isWanted = isWanted
        }
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var replay: Replay
        @usableFromInline var held = RingBuffer<Element>()
        @usableFromInline var consumers: OrderedTable<UInt64, Entry> = [:]
        @usableFromInline var lastConsumer: UInt64 = 0
        @usableFromInline var dropped = 0
        @usableFromInline var isFinished = false

        @inlinable
        init(replay: Replay) { self.replay = replay }
    }

    @usableFromInline let state: Locked<State>
    @usableFromInline let coalescing: Box.Coalescing?
    @usableFromInline let onDrop: (@Sendable (Element) -> Void)?

    /// Creates a source without consumers.
    ///
    /// - Parameters:
    ///   - replay: The elements that a new consumer receives first.
    ///   - coalescing: The rule by which a new element takes the place of a buffered one; nil keeps all apart.
    ///   - onDrop: Called with each element that a consumer has no room for, before it is released.
    @inlinable
    public init(
        replay: Replay, coalescing: Box.Coalescing? = nil, onDrop: (@Sendable (Element) -> Void)? = nil
    ) {
        state = Locked(State(replay: replay))
        self.coalescing = coalescing
        self.onDrop = onDrop
    }

    /// The number of elements that were dropped, over all present and past consumers.
    @inlinable
    public var droppedCount: Int { state.withLock { $0.dropped } }

    /// Counts elements that were lost before they could be pushed.
    @inlinable
    public func countDropped(_ count: Int) { state.withLock { $0.dropped += count } }

    /// The number of consumers.
    @inlinable
    public var consumerCount: Int { state.withLock { $0.consumers.count } }

    /// An element on its way to the consumers that were there when it was prepared.
    public struct Delivery: Sendable {
        @usableFromInline let element: Element
        @usableFromInline let entries: [Entry]

        @inlinable
        init(element: Element, entries: [Entry]) {
            self.element = element
            self.entries = entries
        }
    }

    /// Delivers an element to every consumer. Calls come one after another (on the manager's executor), so all
    /// consumers see the same order.
    ///
    /// - Returns: The number of consumers that had no room.
    @inlinable
    @discardableResult
    public func push(_ element: Element) -> Int { deliver(prepare(element)) }

    /// Makes an element the newest one for consumers that come from now on; the present ones get it by
    /// ``deliver(_:)``, which has to be called before the next element is prepared or pushed.
    @inlinable
    public func prepare(_ element: Element) -> Delivery {
        let entries: [Entry] = state.withLock { state in
            guard !state.isFinished else { return [] }
            if state.consumers.isEmpty, case .none = state.replay { return [] }
            switch state.replay {
            case .current: state.replay = .current(element)
            case .none: break
            case .untilFirstConsumer(let limit):
                state.held.append(element)
                if state.held.count > limit {
                    _ = state.held.popFirst()
                    state.dropped += 1
                }
            }
            return Array(state.consumers.values)
        }
        return Delivery(element: element, entries: entries)
    }

    /// Delivers a prepared element, once.
    ///
    /// - Returns: The number of consumers that had no room.
    @inlinable
    @discardableResult
    public func deliver(_ delivery: Delivery) -> Int {
        let element = delivery.element
        let dropped = delivery.entries.reduce(0) { $1.isWanted?(element) == false ? $0 : $0 + $1.box.push(element) }
        if dropped > 0 { state.withLock { $0.dropped += dropped } }
        return dropped
    }

    /// Returns a stream for one consumer. It ends when the source finishes, when it is released, or for a cancelled
    /// task.
    ///
    /// - Parameters:
    ///   - capacity: The number of elements to keep for the consumer, and which ones to drop beyond it.
    ///   - first: The elements that the consumer receives before any other.
    ///   - isWanted: Returns whether the consumer receives an element of those that come later; nil for all.
    @inlinable
    public func stream(
        capacity: StreamCapacity, first: [Element] = [], where isWanted: (@Sendable (Element) -> Bool)? = nil
    ) -> AsyncStream<Element> {
        let box = Box(capacity: capacity, coalescing: coalescing, onDrop: onDrop)
        let dropped = first.reduce(0) { $0 + box.push($1) }
        let id = add(Entry(box: box, isWanted: isWanted), dropped: dropped)
        let consumer = Consumer(box: box, id: id, multicaster: self)
        return AsyncStream { await consumer.box.next() }
    }

    /// Ends every stream after its buffered elements; later streams end after their replay.
    @inlinable
    public func finish() {
        let entries: [Entry] = state.withLock { state in
            state.isFinished = true
            defer { state.consumers = [:] }
            return Array(state.consumers.values)
        }
        for entry in entries { entry.box.finish() }
    }

    /// Ends the present streams after their buffered elements; later streams receive elements again.
    @inlinable
    public func endStreams() {
        let entries: [Entry] = state.withLock { state in
            defer { state.consumers = [:] }
            return Array(state.consumers.values)
        }
        for entry in entries { entry.box.finish() }
    }

    /// Adds a consumer whose stream begins with the replayed elements.
    @inlinable
    func add(_ entry: Entry, dropped: Int) -> UInt64 {
        let box = entry.box
        let (id, victims) = state.withLock { state in
            var victims: [Element] = []
            func replay(_ element: Element) {
                if let victim = box.addKeepingVictim(element).victim { victims.append(victim) }
            }
            switch state.replay {
            case .current(let element): replay(element)
            case .none: break
            case .untilFirstConsumer:
                while let element = state.held.popFirst() { replay(element) }
                state.replay = .none
            }
            state.dropped += dropped + victims.count
            state.lastConsumer += 1
            if state.isFinished { box.finish() } else { state.consumers[state.lastConsumer] = entry }
            return (state.lastConsumer, victims)
        }
        if let onDrop { victims.forEach(onDrop) }
        return id
    }

    @inlinable
    func remove(_ id: UInt64) {
        // Released outside of the lock: a mailbox's end frees its elements, which may be anything.
        let box = state.withLock { $0.consumers.removeValue(forKey: id) }
        withExtendedLifetime(box) {}
    }

    /// Lives as long as the stream that holds it; its end takes the consumer off the list.
    @usableFromInline
    final class Consumer: Sendable {
        @usableFromInline let box: Box
        @usableFromInline let id: UInt64
        @usableFromInline let multicaster: Multicaster

        @inlinable
        init(box: Box, id: UInt64, multicaster: Multicaster) {
            self.box = box
            self.id = id
            self.multicaster = multicaster
        }

        @inlinable
        deinit { multicaster.remove(id) }
    }
}
