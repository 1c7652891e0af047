// SPDX-License-Identifier: MIT

/// A value that went over the link.
struct ShellValue: Sendable {
    /// Which way it went, and why.
    enum Source: String, Sendable, Hashable {
        case read
        case notified
        case written = "wrote"
    }

    /// Why it went over the link.
    var source: Source
    /// The value, with the characteristic that it is of.
    var event: ValueEvent

    /// `"heartRate 72 bpm"`; the bytes where nothing is known.
    var text: String { event.text ?? (event.value.isEmpty ? "(empty)" : event.value) }
}
