// SPDX-License-Identifier: MIT

/// A bound of the Core Specification that parameters of a connection break.
public enum ConnectionParametersError: BlueCapError, Hashable {
    /// An interval is shorter than 7.5 ms or longer than 4 s.
    case intervalOutOfRange
    /// No whole unit of 1.25 ms lies in the range of intervals.
    case noWholeInterval
    /// The latency is below 0 or above 499.
    case latencyOutOfRange
    /// The supervision timeout is shorter than 100 ms or longer than 32 s.
    case supervisionTimeoutOutOfRange
    /// The supervision timeout is not longer than the bound that interval and latency set.
    case supervisionTimeoutTooShort(bound: Duration)

    public var explanation: ErrorExplanation {
        switch self {
        case .intervalOutOfRange:
            ErrorExplanation(.misuse, "a connection interval is 7.5 ms to 4 s", advice: "choose intervals within that")
        case .noWholeInterval:
            ErrorExplanation(
                .misuse, "no multiple of 1.25 ms lies in the range of connection intervals", advice: "widen the range")
        case .latencyOutOfRange:
            ErrorExplanation(.misuse, "a latency is 0 to 499 connection events", advice: "choose one within that")
        case .supervisionTimeoutOutOfRange:
            ErrorExplanation(.misuse, "a supervision timeout is 100 ms to 32 s", advice: "choose one within that")
        case .supervisionTimeoutTooShort(let bound):
            ErrorExplanation(
                .misuse, "with this interval and latency a supervision timeout has to be longer than \(bound)",
                advice: "choose a longer timeout, or a shorter interval or latency")
        }
    }
}
