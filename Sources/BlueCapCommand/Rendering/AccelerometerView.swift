// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTerminal

/// The samples of an accelerometer, as numbers and as curves that move to the left.
struct AccelerometerView {
    typealias Sample = TISensorTag.AccelerometerService.Data

    /// The range of the curves, in g. The sensor measures a little more; such samples are drawn at the edge.
    static let range = -1.5...1.5
    /// Enough for the widest terminal; older samples are forgotten.
    private static let capacity = 1024

    let title: String
    /// How many samples there will be; nil for no end.
    let total: Int?
    private(set) var count = 0
    private var samples: [Sample] = []

    init(title: String, total: Int?) {
        self.title = title
        self.total = total
    }

    mutating func add(_ sample: Sample) {
        count += 1
        if samples.count == Self.capacity { samples.removeFirst(Self.capacity / 2) }
        samples.append(sample)
    }

    /// The newest sample on one line: its number, the three axes, and where they stand between −1.5 and 1.5 g.
    var line: String {
        guard let sample = samples.last else { return "" }
        let number = TextLayout.pad(String(count), to: 4, alignment: .right)
        return
            "\(number)  \(Self.number("x", sample.x))  \(Self.number("y", sample.y))  \(Self.number("z", sample.z)) g  "
            + Self.strip(sample, columns: 33)
    }

    /// The letters of the axes at their places on a line from −1.5 to 1.5 g, the middle marked.
    static func strip(_ sample: Sample, columns: Int) -> String {
        var cells = [Character](repeating: "·", count: columns)
        cells[columns / 2] = "|"
        for (axis, value) in [("x", sample.x), ("y", sample.y), ("z", sample.z)] as [(Character, Double)] {
            let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
            // WIDTH: a column.
            cells[Int(min(max((part * Double(columns - 1)).rounded(), 0), Double(columns - 1)))] = axis
        }
        return String(cells)
    }

    /// A heading and a curve for each axis, within the size of the screen.
    func screen(_ size: ScreenSize) -> [DrawnLine] {
        let progress = total.map { "sample \(count) of \($0)" } ?? "sample \(count), Ctrl-C ends it"
        var lines = [DrawnLine(text: TextLayout.truncate("\(title)  \(progress)", to: size.columns))]
        let height = min(max((size.rows - 3) / 3, 1), 4)
        let axes: [(String, ScreenStyle.Color, (Sample) -> Double)] = [
            ("x", .red, { $0.x }), ("y", .green, { $0.y }), ("z", .blue, { $0.z }),
        ]
        for (name, color, value) in axes {
            let values = samples.map(value)
            let plot = Plot(columns: min(max(size.columns - 12, 0), 120), rows: height, range: Self.range)
            for (row, curve) in plot.lines(values).enumerated() {
                let label = row == height / 2 ? Self.number(name, values.last ?? 0) + " g" : ""
                lines.append(
                    DrawnLine(
                        lead: TextLayout.pad(label, to: 10) + " ", text: curve, color: size.hasColors ? color : nil))
            }
        }
        return lines
    }

    private static func number(_ axis: String, _ value: Double) -> String {
        "\(axis) \(TextLayout.decimal(value, digits: 2, signed: true))"
    }
}
