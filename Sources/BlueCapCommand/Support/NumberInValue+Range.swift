// SPDX-License-Identifier: MIT

import BlueCap

/// The range of numbers that a value takes, found by trying: profiles give a number's meaning and not its limits.
extension NumberInValue {
    /// The least and the greatest number that can be sent, to two decimals; nil where no end is found.
    func range(in value: Bytes?) -> ClosedRange<Double>? {
        let known = number(in: value) ?? 0
        guard takes(known, value), let first = end(from: known, -1, value),
            let last = end(from: known, 1, value), first < last
        else { return nil }
        return first...last
    }

    /// The last number in a direction that can be sent.
    private func end(from known: Double, _ direction: Double, _ value: Bytes?) -> Double? {
        var (inside, step) = (known, 1.0)
        while takes(inside + direction * step, value) {
            inside += direction * step
            step *= 2
            if abs(inside) > 1e12 { return nil }
        }
        // Whole steps first, as many values take nothing else.
        inside = last(from: inside, in: direction, steps: step, value)
        // Back on hundredths, which a sum may have missed.
        return (last(from: inside, in: direction / 100, steps: 100, value) * 100).rounded() / 100
    }

    /// The last number that can be sent, within so many steps of which the last is out of range.
    private func last(from known: Double, in step: Double, steps: Double, _ value: Bytes?) -> Double {
        var (inside, outside) = (0.0, steps)
        while outside - inside > 1 {
            let middle = ((inside + outside) / 2).rounded()
            if takes(known + middle * step, value) { inside = middle } else { outside = middle }
        }
        return known + inside * step
    }

    private func takes(_ number: Double, _ value: Bytes?) -> Bool { bytes(forExactly: number, in: value) != nil }
}
