// SPDX-License-Identifier: MIT

import BlueCapRuntime

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
