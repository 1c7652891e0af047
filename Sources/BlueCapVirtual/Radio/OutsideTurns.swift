// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The turns that tasks outside of the radio's executor took in a run, and the simulated time that passed before them.
///
/// The clock waits for no such task: it cannot see that one was made and has not begun, or is about to go on. It sees
/// the task's next call, and how far the clock had moved by then since any other task had a turn.
package struct OutsideTurns: Sendable {
    /// The shortest move of the clock that counts.
    private static var least: Duration { .seconds(1) }

    /// A turn before which the clock moved.
    package struct Late: Sendable, Hashable {
        /// When it was.
        package let time: Duration
        /// How far the clock had moved since any other task had a turn.
        package let move: Duration
    }

    /// The one before which the clock moved farthest; nil where it moved by less than a second before each.
    package private(set) var latest: Late?
    private var counts = VirtualExecutor.Counts()
    /// When a task had a turn last.
    private var lastTurn = Duration.zero

    /// Takes in the work since the last call, all of it at the present time of the clock.
    mutating func look(at counts: VirtualExecutor.Counts, _ now: Duration) {
        defer { self.counts = counts }
        let move = now - lastTurn
        if counts.foreign != self.counts.foreign, move >= max(Self.least, (latest?.move ?? .zero) + .nanoseconds(1)) {
            latest = Late(time: now, move: move)
        }
        // A timer that gives the executor nothing to do has woken a task elsewhere, whose turn is now.
        if counts.foreign != self.counts.foreign || counts.jobs != self.counts.jobs || counts == self.counts {
            lastTurn = now
        }
    }

    /// A sentence for people; nil where there is nothing to tell.
    package var notice: String? {
        latest.map { late in
            "a task outside of the radio's executor had its turn at \(late.time), and the clock had moved by \(late.move) "
                + "since any other task had one: the clock does not wait for such a task, and jumps over one that has not "
                + "begun. Use child tasks, or Task(executorPreference: radio.executor) { … }"
        }
    }
}
