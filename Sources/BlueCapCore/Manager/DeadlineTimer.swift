// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The deadlines of an actor, with one timer of its clock for all of them.
///
/// Touched on the actor only.
final class DeadlineTimer<Owner: DeadlineOwner> {
    typealias Token = DeadlineQueue<Owner.Action>.Token

    /// The clock's timer that stands for the earliest deadline.
    private struct Armed {
        let deadline: Duration
        let timer: ClockTimer
    }

    private var queue = DeadlineQueue<Owner.Action>()
    private var armed: Armed?

    deinit { stop() }

    var count: Int { queue.count }

    /// Calls `action` on the owner when `delay` has passed.
    func add(after delay: Duration, _ owner: isolated Owner, _ action: @escaping Owner.Action) -> Token {
        let token = queue.add(at: owner.clock.elapsed + max(delay, .zero), action)
        arm(owner)
        return token
    }

    /// Takes an action back; does nothing if it ran.
    func cancel(_ token: Token) {
        queue.remove(token)
        if queue.next == nil { stop() }
    }

    /// Cancels the timer: deadlines that are left do not come until another one is added.
    func stop() {
        armed?.timer.cancel()
        armed = nil
    }

    /// Has one timer of the clock stand for the earliest deadline.
    private func arm(_ owner: isolated Owner) {
        guard let deadline = queue.next else { return }
        if let armed, armed.deadline <= deadline { return }
        armed?.timer.cancel()
        let timer = owner.clock.schedule(after: deadline - owner.clock.elapsed) { [weak owner] in
            owner?.later { $0.deadlines.fire(deadline, $0) }
        }
        armed = Armed(deadline: deadline, timer: timer)
    }

    private func fire(_ deadline: Duration, _ owner: isolated Owner) {
        if armed?.deadline == deadline { armed = nil }
        while let action = queue.popDue(at: owner.clock.elapsed) { action(owner) }
        arm(owner)
    }
}

/// An actor whose deadlines share one timer of its clock.
protocol DeadlineOwner: RadioActor {
    /// Called on the actor when a deadline has come.
    typealias Action = @Sendable (isolated Self) -> Void

    nonisolated var clock: BlueCapClock { get }
    var deadlines: DeadlineTimer<Self> { get }
}

extension DeadlineOwner {
    /// Calls `action` on the actor when `delay` has passed.
    @discardableResult
    func after(_ delay: Duration, _ action: @escaping Action) -> DeadlineQueue<Action>.Token {
        deadlines.add(after: delay, self, action)
    }

    /// Takes an action back; does nothing if it ran.
    func cancelDeadline(_ token: DeadlineQueue<Action>.Token) { deadlines.cancel(token) }
}
