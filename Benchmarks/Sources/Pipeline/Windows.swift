// SPDX-License-Identifier: MIT

import CCallgrind

/// Has callgrind count the instructions of an early thousand of values, from the 1,000th on, and of a late thousand.
///
/// The next value is sent when the one before has arrived, so that both do the same: values that come many at a time
/// cost less, and how many come at a time depends on the machine. A thousand is counted in five parts, as some have
/// work that is done once, such as that of an array that grows.
struct Windows {
    private static let early = 1000
    private static let width = 1000
    private static let part = 200

    private let late: Int
    private let meter = Meter()
    /// How many values were wanted so far.
    private(set) var count = 0
    private var tenth = 0.0

    init(late: Int) { self.late = late }

    var figures: Figures {
        var figures = meter.figures(count: count)
        figures.others["early_us"] = tenth
        return figures
    }

    /// Whether one more value is to pass. Call it before each value; the one before has passed then.
    mutating func isNextWanted() -> Bool {
        if count == late / 10 { tenth = meter.cpuTime }
        for begin in [Self.early, late] {
            let place = count - begin
            if place < 0 || place > Self.width { continue }
            if place == 0 { callgrind_window_begins() }
            if place > 0, place.isMultiple(of: Self.part) { callgrind_part_ends() }
            if place == Self.width { callgrind_window_ends() }
        }
        if count == late + Self.width { return false }
        count += 1
        return true
    }
}
