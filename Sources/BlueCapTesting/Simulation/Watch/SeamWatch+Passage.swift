// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension SeamWatch {
    /// The values that came for one characteristic.
    struct Passage: Sendable {
        var values: [Bytes] = []
        /// The places in the values at which a link, or the characteristic, ended.
        var breaks: [Int] = []
        /// Whether notifications are on, or being switched.
        var isActive = false
        /// The number of values that had come when notifications were first asked for; nil before that.
        var firstAsked: Int?
        /// Whether switching notifications on ever failed.
        var wasRefused = false
        /// Whether each value is confirmed.
        var isIndicated = false

        /// The values without repetitions: an indication that was not confirmed on one link comes again on the next
        /// one.
        var withoutRepetitions: [Bytes] {
            if !isIndicated { return values }
            let repetitions = Set(breaks.filter { 0 < $0 && $0 < values.count && values[$0 - 1] == values[$0] })
            return values.indices.filter { !repetitions.contains($0) }.map { values[$0] }
        }
    }
}
