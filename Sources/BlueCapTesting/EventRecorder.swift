// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime

/// A recorder that keeps the elements of an asynchronous sequence, so that a test can wait for them and look back.
///
/// ```swift
/// try await withEventRecorder(of: peripheral.connectionEvents()) { events in
///     try await peripheral.connect()
///     try await events.wait(for: .connected)
///     #expect(events.all == [.connected])
/// }
/// ```
///
/// It is a child task of the test that drains the sequence, so a recorder leaves nothing behind and keeps a virtual
/// radio's runs deterministic.
public final class EventRecorder<Element: Sendable>: Sendable {
    private struct Waiter {
        let id: UInt64
        let isMet: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var elements: [Element] = []
        var end: Result<Void, any Error>?
        var waiters: [Waiter] = []
        var cancelled: Set<UInt64> = []
        var lastWaiter: UInt64 = 0

        /// Takes out the waiters that need not wait any longer.
        mutating func takeSatisfied() -> [Waiter] {
            let isOver = end != nil
            let satisfied = waiters.filter { isOver || $0.isMet(elements) }
            if satisfied.isEmpty { return [] }
            let ids = Set(satisfied.map(\.id))
            waiters.removeAll { ids.contains($0.id) }
            return satisfied
        }
    }

    private let state = Locked(State())
    private let clock: BlueCapClock
    private let deadline: Duration?

    init(clock: BlueCapClock, deadline: Duration?) {
        self.clock = clock
        self.deadline = deadline
    }

    /// The elements that have come so far.
    public var all: [Element] { state.withLock { $0.elements } }

    /// The number of elements that have come so far.
    public var count: Int { state.withLock { $0.elements.count } }

    /// A Boolean value that is true if the sequence has ended.
    public var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Waits for an element that `matches`, and returns the first such. Elements received before the call also count.
    ///
    /// - Throws: ``EventRecorderError`` when the sequence ends or the deadline passes first; `CancellationError`.
    @discardableResult
    public func first(where matches: @escaping @Sendable (Element) -> Bool) async throws -> Element {
        try await wait { $0.contains(where: matches) }
        guard let element = all.first(where: matches) else { throw EventRecorderError.ended(count: count) }
        return element
    }

    /// Waits until at least `count` elements have come, and returns the first `count`.
    ///
    /// - Throws: As ``first(where:)``.
    @discardableResult
    public func first(_ count: Int) async throws -> [Element] {
        try await wait { $0.count >= count }
        return Array(all.prefix(count))
    }

    /// Waits until the elements that have come so far satisfy `isMet`.
    ///
    /// - Throws: As ``first(where:)``.
    public func wait(until isMet: @escaping @Sendable ([Element]) -> Bool) async throws {
        guard let deadline else { return try await suspend(until: isMet) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.suspend(until: isMet) }
            group.addTask {
                try await self.clock.sleep(for: deadline)
                throw EventRecorderError.deadlinePassed(deadline, count: self.count)
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Waits until the sequence has ended.
    ///
    /// - Throws: The error of the sequence, if it ended with one; `CancellationError`.
    public func end() async throws {
        do { try await wait { _ in false } } catch EventRecorderError.ended {}
        try state.withLock { $0.end }?.get()
    }

    private func suspend(until isMet: @escaping @Sendable ([Element]) -> Bool) async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.end != nil || state.cancelled.remove(id) != nil || isMet(state.elements) { return true }
                    state.waiters.append(Waiter(id: id, isMet: isMet, continuation: continuation))
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            let waiter: Waiter? = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume()
        }
        if isMet(all) { return }
        try Task.checkCancellation()
        throw EventRecorderError.ended(count: count)
    }

    func append(_ element: Element) {
        let satisfied = state.withLock { state in
            state.elements.append(element)
            return state.takeSatisfied()
        }
        for waiter in satisfied { waiter.continuation.resume() }
    }

    func finish(_ end: Result<Void, any Error>) {
        let satisfied = state.withLock { state in
            state.end = end
            return state.takeSatisfied()
        }
        for waiter in satisfied { waiter.continuation.resume() }
    }
}

extension EventRecorder where Element: Equatable {
    /// Waits for an element equal to `element`. Elements received before the call also count.
    ///
    /// - Throws: As ``first(where:)``.
    public func wait(for element: Element) async throws { _ = try await first { $0 == element } }
}

/// Runs `body` while a recorder drains `sequence`; the draining ends with the body.
///
/// - Parameters:
///   - sequence: The sequence to record. Streams buffer from the moment when they are made, so the recorder misses no
///     element that comes after this call.
///   - clock: The clock of the deadline.
///   - deadline: The longest time that one wait of the recorder may take; nil for any time.
///   - body: The test.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`. An error of the sequence is kept for ``EventRecorder/end()``.
public func withEventRecorder<Events: AsyncSequence & Sendable, Result>(
    of sequence: Events, clock: BlueCapClock = .continuous, deadline: Duration? = nil,
    _ body: (EventRecorder<Events.Element>) async throws -> Result
) async throws -> Result where Events.Element: Sendable {
    let recorder = EventRecorder<Events.Element>(clock: clock, deadline: deadline)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            do {
                for try await element in sequence {
                    // A sequence of the test's own need not look at cancellation while it has elements.
                    if Task.isCancelled { break }
                    recorder.append(element)
                }
                recorder.finish(.success(()))
            } catch {
                recorder.finish(.failure(error))
            }
        }
        defer { group.cancelAll() }
        return try await body(recorder)
    }
}

/// The reason for which an ``EventRecorder`` stopped waiting.
public enum EventRecorderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sequence ended after so many elements, and none of them was the one waited for.
    case ended(count: Int)
    /// The deadline passed after so many elements.
    case deadlinePassed(Duration, count: Int)

    /// A sentence that describes the error.
    public var description: String {
        switch self {
        case .ended(let count): "the sequence ended after \(count) elements without the one waited for"
        case .deadlinePassed(let deadline, let count): "\(count) elements within \(deadline), none the one waited for"
        }
    }
}
