// SPDX-License-Identifier: MIT

public import BlueCapRuntime

/// The part of a backend that is about time, alike in both roles.
public protocol TimedBackend: RadioActor {
    /// The clock that a manager takes if its configuration names none. The continuous clock by default; a backend whose
    /// radio has a clock of its own returns that, and one that stands before another returns the other's.
    nonisolated var ownClock: BlueCapClock { get }
}

extension TimedBackend {
    /// The continuous clock.
    public nonisolated var ownClock: BlueCapClock { .continuous }
}
