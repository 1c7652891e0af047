// SPDX-License-Identifier: MIT

/// A seed with which an app, or the library under it, fails.
public struct SimulationFailure: Error, CustomStringConvertible {
    /// The seed of the run that failed.
    public let seed: UInt64
    /// The way to run the seed again.
    let again: String
    /// The broken promises, a sentence with its time for each.
    public let violations: [String]
    /// The steps that the failure takes, in the order of time: without any one of them the seed passes, as far as was
    /// tried.
    public let steps: [SimulationStep]
    /// The number of steps of the whole run.
    public let stepCount: Int
    /// The trace of the run with these steps.
    public let trace: SimulationTrace
    /// Sentences about the whole run that help to understand the failure.
    var notes: [String] = []

    /// A text with the broken promises, the way to run them again, and the steps that lead to them.
    public var description: String {
        let heading =
            steps.isEmpty
            ? "it takes none of the \(stepCount) steps: it fails where nothing goes wrong, too"
            : "the steps that it takes, \(steps.count) of \(stepCount):"
        let what = ["seed \(seed) fails:"] + violations.map { "    " + $0 }
        return (what + notes + ["run it again: \(again)", heading] + steps.map { "    \($0)" }).joined(separator: "\n")
    }
}

/// The record of one run of a ``Simulation``.
///
/// Most traces are never read, so the text is made when ``lines`` is read.
public struct SimulationTrace: Sendable {
    struct Line: Sendable {
        let time: Duration
        let isViolation: Bool
        let text: @Sendable () -> String
    }

    private let all: [Line]
    let tally: FaultTally

    init(_ all: [Line], _ tally: FaultTally = FaultTally()) { (self.all, self.tally) = (all, tally) }

    /// The number of faults that came during the run.
    public var faultCount: Int { tally.all }
    /// The number of faults among them for which the world had a virtual peripheral, an adapter or a service to which
    /// they could come.
    public var effectiveFaultCount: Int { tally.played }

    /// The record line by line, with times: calls and their results, faults, and the requests and events between a
    /// manager and its backend. It is the same for the same seed.
    public var lines: [String] {
        all.map { ($0.isViolation ? "VIOLATION " : "") + $0.time.inSeconds + "  " + $0.text() }
    }
}
