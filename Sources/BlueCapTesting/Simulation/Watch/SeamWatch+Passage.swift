// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension SeamWatch {
    /// The values that came for one characteristic.
    struct Passage: Sendable {
        var values: [Bytes] = []
        /// Before which of them something ended: a link, or the characteristic.
        var breaks: [Int] = []
        /// Whether notifications are on, or being switched.
        var isActive = false
        /// How many values had come when notifications were asked for at first; nil before that.
        var firstAsked: Int?
        /// Whether switching notifications on ever failed.
        var wasRefused = false
        /// Whether each value is confirmed.
        var isIndicated = false

        /// The values, but those that came a second time, on the next link, for want of a confirmation on the one
        /// before.
        var withoutRepetitions: [Bytes] {
            if !isIndicated { return values }
            let repetitions = Set(breaks.filter { 0 < $0 && $0 < values.count && values[$0 - 1] == values[$0] })
            return values.indices.filter { !repetitions.contains($0) }.map { values[$0] }
        }
    }
}
