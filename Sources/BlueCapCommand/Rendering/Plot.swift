// SPDX-License-Identifier: MIT

/// The last values of a series as a curve of braille dots: two values a column, four levels a row.
struct Plot {
    var columns: Int
    var rows: Int
    var range: ClosedRange<Double>

    var capacity: Int { max(columns, 0) * 2 }

    /// Lines from top to bottom, each of exactly `columns` characters; the newest value is at the right.
    func lines(_ values: some Collection<Double>) -> [String] {
        guard columns > 0, rows > 0 else { return [] }
        var cells = [[UInt8]](repeating: [UInt8](repeating: 0, count: columns), count: rows)
        let recent = Array(values.suffix(capacity))
        let start = capacity - recent.count
        var last: Int?
        for (offset, value) in recent.enumerated() {
            guard let level = level(value) else {
                last = nil
                continue
            }
            // The dots between two neighbours are set too, so that a steep curve does not fall apart.
            for dot in min(last ?? level, level)...max(last ?? level, level) where dot == level || dot != last {
                set(dot, at: start + offset, in: &cells)
            }
            last = level
        }
        return cells.map { row in
            String(String.UnicodeScalarView(row.map { Unicode.Scalar(0x2800 + UInt32($0)) ?? " " }))
        }
    }

    /// Which of the `rows * 4` levels a value stands on, 0 at the bottom; values out of range stand on the edge.
    func level(_ value: Double) -> Int? {
        guard value.isFinite, range.upperBound > range.lowerBound else { return nil }
        let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        let top = Double(rows * 4 - 1)
        // WIDTH: a level. A part is not a number where both differences are infinite.
        return part.isNaN ? nil : Int(min(max((part * top).rounded(), 0), top))
    }

    private func set(_ level: Int, at step: Int, in cells: inout [[UInt8]]) {
        let fromTop = rows * 4 - 1 - level
        // The braille block's bits: dots 1-3 and 7 are the left column, 4-6 and 8 the right one.
        let left: [UInt8] = [0x01, 0x02, 0x04, 0x40]
        let right: [UInt8] = [0x08, 0x10, 0x20, 0x80]
        cells[fromTop / 4][step / 2] |= (step.isMultiple(of: 2) ? left : right)[fromTop % 4]
    }
}
