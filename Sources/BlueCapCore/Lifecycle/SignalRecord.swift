// SPDX-License-Identifier: MIT

#if !os(Windows) && !os(WASI)
import BlueCapPlatform
import Synchronization

/// The time of the last signal, for a handler, which may take no lock and runs on any thread.
package final class SignalRecord: Sendable {
    /// The kind of a signal, by the ones before it.
    package enum Verdict: Sendable {
        /// The one that is waited for.
        case first
        /// The one before, which was sent more than once.
        case same
        /// One that comes after the first.
        case second
    }

    /// How long a signal is the same as the one before, in nanoseconds: half a second. Tests change it.
    static let span = Atomic<UInt64>(500_000_000)

    private static let interrupt = SignalRecord()
    private static let terminate = SignalRecord()
    private static let hangUp = SignalRecord()
    private static var all: [SignalRecord] { [interrupt, terminate, hangUp] }

    /// Of the last signal that was not the same as the one before, in nanoseconds, and in the lowest bit whether a wait
    /// expects another; no time is 0. One word, because two threads may each have a signal.
    private let state = Atomic<UInt64>(1)

    package init() {}

    /// Takes the next signal of each number for a first one, unless it is the same as the one before. It also makes the
    /// records, which a handler must not do.
    static func expectAll() {
        for record in all { record.state.bitwiseOr(1, ordering: .acquiringAndReleasing) }
        _ = span.load(ordering: .relaxed)
    }

    /// How long a signal may still be the same as one before; nil if none can be.
    static var remaining: Duration? {
        let (now, span) = (now(), span.load(ordering: .relaxed))
        let ages = all.map { $0.state.load(ordering: .acquiring) >> 1 }.filter { $0 != 0 }.map { now - min($0, now) }
        guard let age = ages.min(), age < span else { return nil }
        return .nanoseconds(span - age)
    }

    /// The record of a number of ``Interruption``. Safe in a signal handler.
    static func of(_ number: Int32) -> SignalRecord {
        switch number {
        case SIGINT: interrupt
        case SIGTERM: terminate
        default: hangUp
        }
    }

    /// Takes a signal. Safe in a signal handler.
    package func take() -> Verdict {
        let (now, span) = (Self.now(), Self.span.load(ordering: .relaxed))
        var before = state.load(ordering: .acquiring)
        while true {
            let time = before >> 1
            if time != 0, now < time || now - time < span { return .same }
            if before & 1 == 0 { return .second }
            let (isExchanged, found) = state.compareExchange(
                expected: before, desired: now << 1, ordering: .acquiringAndReleasing)
            if isExchanged { return .first }
            before = found
        }
    }

    /// The time of a clock that always goes on.
    private static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
#endif
