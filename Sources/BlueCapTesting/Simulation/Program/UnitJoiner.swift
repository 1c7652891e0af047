// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Finds the units of a channel in the pieces into which a platform has cut and joined them: the number at the front of
/// a unit tells its length.
struct UnitJoiner {
    private var rest: [UInt8] = []
    /// Whether bytes came that are no unit, after which no unit can be found.
    private var isLost = false

    /// Returns the numbers of the units that a piece ends; nil if its bytes are no part of a unit.
    mutating func numbers(after piece: Bytes) -> [UInt64]? {
        guard !isLost else { return nil }
        rest += piece
        var numbers: [UInt64] = []
        while rest.count >= 8 {
            guard let number = Bytes(rest.prefix(8)).number, number < 1 << 40 else { break }
            let unit = Bytes(unit: number)
            guard rest.count >= unit.count else { return numbers }
            guard rest.starts(with: unit) else { break }
            numbers.append(number)
            rest.removeFirst(unit.count)
        }
        isLost = rest.count >= 8
        return isLost ? nil : numbers
    }
}
