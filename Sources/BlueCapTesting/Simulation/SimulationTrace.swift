// SPDX-License-Identifier: MIT

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

    init(_ all: [Line]) { self.all = all }

    /// The record line by line, with times: calls and their results, faults, and the requests and events between a
    /// manager and its backend. It is the same for the same seed.
    public var lines: [String] {
        all.map { ($0.isViolation ? "VIOLATION " : "") + $0.time.inSeconds + "  " + $0.text() }
    }
}
