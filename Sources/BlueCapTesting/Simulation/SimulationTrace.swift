// SPDX-License-Identifier: MIT

/// What happened in one run of a ``Simulation``.
///
/// Most traces are never read, so the text is made when it is asked for.
public struct SimulationTrace: Sendable {
    struct Line: Sendable {
        let time: Duration
        let isViolation: Bool
        let text: @Sendable () -> String
    }

    private let all: [Line]

    init(_ all: [Line]) { self.all = all }

    /// What happened, line by line, with its time: calls and what they returned, faults, and what passed between a
    /// manager and its backend. The same for the same seed.
    public var lines: [String] {
        all.map { ($0.isViolation ? "VIOLATION " : "") + $0.time.inSeconds + "  " + $0.text() }
    }
}
