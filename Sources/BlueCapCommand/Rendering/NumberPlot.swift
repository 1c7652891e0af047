// SPDX-License-Identifier: MIT

import BlueCapTerminal

/// Numbers that come one after the other, as curves that move to the left: one for each name, each on a scale of its
/// own.
struct NumberPlot: Sendable {
    private struct Series: Sendable {
        let name: String
        var unit: String
        var values: [Double] = []
    }

    /// The numbers that are kept of a curve, which is more than the widest terminal shows.
    private static let capacity = 1024
    /// The maximum number of curves. Further numbers of a device are not drawn.
    private static let maximumSeries = 16
    private static let colors: [ScreenStyle.Color] = [.red, .green, .blue, .yellow, .magenta, .cyan]

    private let title: String
    /// The count of values that are expected; nil for no end.
    private let total: Int?
    private var series: [Series] = []
    private(set) var count = 0

    init(title: String, total: Int?) { (self.title, self.total) = (title, total) }

    mutating func add(_ numbers: [(name: String, unit: String, value: Double)]) {
        count += 1
        for (name, unit, value) in numbers where value.isFinite {
            let index = series.firstIndex { $0.name == name } ?? series.count
            if index == series.count {
                if index == Self.maximumSeries { continue }
                series.append(Series(name: name, unit: unit))
            }
            if series[index].values.count == Self.capacity { series[index].values.removeFirst(Self.capacity / 2) }
            series[index].values.append(value)
        }
    }

    /// A Boolean value that is true if no value held a number.
    var isEmpty: Bool { series.isEmpty }

    /// A heading, and for each curve a line with the newest, lowest and highest number and the curve below it.
    func screen(_ size: ScreenSize) -> [DrawnLine] {
        let progress = total.map { "value \(count) of \($0)" } ?? TextLayout.count(count, "value") + ", Ctrl-C ends it"
        var lines = [DrawnLine(text: TextLayout.truncate("\(title)  \(progress)", to: size.columns))]
        lines += rows(columns: size.columns, rows: size.rows - 2).map { row in
            DrawnLine(text: row.text, color: size.hasColors ? row.color : nil)
        }
        if series.isEmpty {
            let text = count == 0 ? "No value so far" : "No value so far that holds a number"
            lines.append(DrawnLine(text: TextLayout.truncate(text, to: size.columns)))
        }
        return lines
    }

    /// The curves alone, in so many columns and rows.
    func rows(columns: Int, rows: Int) -> [DrawnLine] {
        var lines: [DrawnLine] = []
        // Each curve takes its heading and one line at least.
        let shown = series.prefix(max(rows / 2, 1))
        let height = min(max(rows / max(shown.count, 1) - 1, 1), 6)
        for (index, series) in shown.enumerated() {
            let plot = Plot(columns: min(columns, 120), rows: height, range: 0...1)
            let visible = series.values.suffix(plot.capacity)
            guard let low = visible.min(), let high = visible.max(), let last = visible.last else { continue }
            let numbers = [last, low, high].map { TextLayout.number($0) }
            let unit = series.unit.isEmpty ? "" : " " + series.unit
            let heading = "\(series.name)  \(numbers[0])\(unit)  (\(numbers[1]) to \(numbers[2]))"
            lines.append(DrawnLine(text: TextLayout.truncate(heading, to: columns)))
            let span = high - low
            // A curve without a slope runs in the middle.
            let curve = plot.lines(visible.map { span > 0 ? ($0 - low) / span : 0.5 })
            lines += curve.map { DrawnLine(text: $0, color: Self.colors[index % Self.colors.count]) }
        }
        return lines
    }
}
