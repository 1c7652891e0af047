// SPDX-License-Identifier: MIT

/// The reason for which a run of a virtual radio, or an advance of its clock, was given up.
public enum VirtualRunError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The body waits, and nothing is left that could happen: no timer is set, no job came from elsewhere.
    case stalled(at: Duration)
    /// The body waits still, and the run's limit of simulated time has passed.
    case limitReached(Duration)
    /// The radio is not on a manual clock, or another run or advance of it is under way.
    case notPossible(String)
    /// The task that advanced the clock was cancelled.
    case cancelled

    /// A sentence with the reason and advice.
    public var description: String {
        switch self {
        case .stalled(let time):
            "the radio stalled at \(time): the run's body, or the condition of advance(until:), waits for something that "
                + "nothing is going to cause (no timer is set, and no other thread gave the radio's executor anything to "
                + "do). Give each wait a timeout, and each loop over notifications a valueTimeout"
        case .limitReached(let limit):
            "the run did not end within its limit of \(limit) of simulated time: its body waits for something that does "
                + "not happen. Give what it waits for a timeout, or the run a greater limit"
        case .notPossible(let reason): reason
        case .cancelled: "the task was cancelled"
        }
    }
}
