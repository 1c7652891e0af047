// SPDX-License-Identifier: MIT

#if Gateway
/// The answer to events of a broker for which its reader had no room: among them may be a claim, the end of a
/// connection, or the birth of Home Assistant, so that the reader takes them for a lost connection.
package struct MissedEvents {
    package enum Step: Hashable, Sendable {
        /// Nothing was missed since the last step.
        case none
        /// The reader is to act as after a lost connection. It asks the broker again at a later step.
        case lose
        /// The reader is to act as after a lost connection, and to ask the broker for all that it keeps.
        case askAgain
    }

    /// The time between two questions: the answer to one may itself be more than there is room for.
    private static let pause = Duration.seconds(60)

    private var lostCount = 0
    private var askedCount = 0
    private var askedAt: Duration?

    package init() {}

    /// Takes the number of events that were missed so far.
    package mutating func step(_ count: Int, at time: Duration) -> Step {
        guard count > askedCount else { return .none }
        defer { lostCount = count }
        if let askedAt, time - askedAt < Self.pause { return count > lostCount ? .lose : .none }
        (askedCount, askedAt) = (count, time)
        return .askAgain
    }
}
#endif
