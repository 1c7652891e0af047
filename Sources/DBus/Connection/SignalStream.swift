// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// What a stream does with a signal that finds it full.
package enum BufferPolicy: Sendable, Hashable {
    /// Keeps this many and drops the oldest.
    case dropOldest(Int)
    /// Keeps this many and drops the one that comes.
    case dropNewest(Int)
}

/// Signals as a bounded asynchronous sequence for one consumer. Every drop is reported with the next element.
///
/// Ends when its task is cancelled; throws `.disconnected` when the connection ends. Releasing it takes its match rule
/// off the bus.
package final class SignalStream: AsyncSequence, Sendable {
    package enum Element: Sendable {
        /// A signal, and how many were dropped between the element before and this one.
        case signal(Message, droppedBefore: Int)
        /// The sender's name has a new owner, or none: what was known of its state no longer holds. Never dropped.
        case ownerChanged(String?)
    }

    private let box: SignalBox
    private let release: @Sendable () -> Void

    init(box: SignalBox, release: @escaping @Sendable () -> Void) {
        self.box = box
        self.release = release
    }

    deinit {
        release()
    }

    /// All drops so far.
    package var droppedCount: Int { box.state.withLock { $0.droppedTotal } }

    package func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let stream: SignalStream
        private var backlog: [Element] = []
        private var position = 0

        fileprivate init(stream: SignalStream) {
            self.stream = stream
        }

        package mutating func next() async throws(DBusError) -> Element? {
            try await next(isolation: #isolation)
        }

        package mutating func next(isolation: isolated (any Actor)?) async throws(DBusError) -> Element? {
            while position == backlog.count {
                if Task.isCancelled { return nil }
                let (taken, isEnded) = stream.box.take()
                backlog = taken
                position = 0
                if !backlog.isEmpty { break }
                if isEnded { throw .disconnected }
                await stream.box.waitForElements()
            }
            defer { position += 1 }
            return backlog[position]
        }
    }
}

/// The buffer between the loop and a stream's consumer, who takes the whole backlog at a time.
final class SignalBox: Sendable {
    struct State {
        var elements: [SignalStream.Element] = []
        var head = 0
        var signals = 0
        var dropped = 0
        var droppedTotal = 0
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    let state = Locked(State())
    private let policy: BufferPolicy

    init(policy: BufferPolicy) {
        self.policy = policy
    }

    func add(_ message: Message) {
        wake { state in
            switch policy {
            case .dropNewest(let limit) where state.signals >= limit:
                state.dropped += 1
                state.droppedTotal += 1
                return
            case .dropOldest(let limit) where state.signals >= limit:
                state.dropOldest()
            default: break
            }
            state.elements.append(.signal(message, droppedBefore: state.dropped))
            state.dropped = 0
            state.signals += 1
        }
    }

    func add(owner: String?) {
        wake { $0.elements.append(.ownerChanged(owner)) }
    }

    func end() {
        wake { $0.isEnded = true }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    func take() -> ([SignalStream.Element], isEnded: Bool) {
        state.withLock { state in
            let all = Array(state.elements[state.head...])
            state.elements = []
            state.head = 0
            state.signals = 0
            return (all, state.isEnded)
        }
    }

    func waitForElements() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.head < state.elements.count || state.isEnded || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
    }
}

extension SignalBox.State {
    /// Takes the oldest signal away and lets the one after it report the drop. Owner changes stay.
    mutating func dropOldest() {
        var index = head
        while index < elements.count {
            if case .signal(_, let before) = elements[index] {
                if index > head { elements.remove(at: index) } else { head += 1 }
                signals -= 1
                droppedTotal += 1
                carry(before + 1)
                break
            }
            index += 1
        }
        if head > 64, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
    }

    private mutating func carry(_ count: Int) {
        for index in head..<elements.count {
            guard case .signal(let message, let before) = elements[index] else { continue }
            elements[index] = .signal(message, droppedBefore: before + count)
            return
        }
        dropped += count
    }
}

extension BusConnection {
    /// Subscribes to signals: puts the rule on the bus, waits until it is in force, and buffers what the scope and the
    /// names let through. A `sender` that is a well-known name is watched as well.
    package func signals(
        _ rule: MatchRule, in scope: PathScope, sender: String? = nil, interface: String? = nil,
        member: String? = nil, policy: BufferPolicy = .dropOldest(1024)
    ) async throws(DBusError) -> SignalStream {
        let link = self.link
        let box = SignalBox(policy: policy)
        var nameWatch: NameWatchID?
        if let sender, !sender.hasPrefix(":"), sender != BusDaemon.name {
            nameWatch = try link.watchName(sender, handler: { box.add(owner: $0.owner) })
        }
        let handler = link.onSignal(scope, sender: sender, interface: interface, member: member) { box.add($0) }
        let ending = link.addEndHandler { box.end() }
        let (match, outcome) = await withCheckedContinuation { continuation in
            start(rule) { continuation.resume(returning: ($0, $1)) }
        }
        let watch = nameWatch
        let release: @Sendable () -> Void = {
            link.loop.submit {
                link.removeEndHandler(ending)
                link.removeHandler(handler)
                link.removeMatch(match)
                if let watch { link.unwatchName(watch) }
            }
        }
        do throws(DBusError) {
            try outcome.get()
        } catch {
            release()
            throw error
        }
        return SignalStream(box: box, release: release)
    }

    private func start(_ rule: MatchRule, done: @escaping (MatchID, Result<Void, DBusError>) -> Void) {
        link.addMatch(rule) { done(MatchID(rule: rule), $0) }
    }
}
#endif
