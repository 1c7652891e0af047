// SPDX-License-Identifier: MIT

import BlueCap

/// How values are printed.
enum ValueFormat: Sendable {
    /// Hexadecimal digits and the text, behind the characteristic's name where there are several.
    case text
    /// A ``ValueEvent`` on each line.
    case json
    /// A table with a heading: a column for each part that a profile knows (RFC 4180, with a line feed at the end of a
    /// line).
    case csv
    /// Curves of the numbers in the values, on a terminal; as ``text`` elsewhere.
    case plot
}

/// Prints the values of several characteristics as they come, numbered over all of them.
actor ValuePrinter {
    private let format: ValueFormat
    private let total: Int?
    private let output: any LineOutput
    private let clock: BlueCapClock
    private let labelWidth: Int
    private let fields: [String]
    private var plot: NumberPlot
    /// How many values were printed.
    private(set) var count = 0
    private var dropped: [AttributeID: Int] = [:]

    /// - Parameters:
    ///   - characteristics: The characteristics whose values will come.
    ///   - total: How many values to print; nil for no end.
    init(
        _ format: ValueFormat, of characteristics: [Characteristic], total: Int?, output: any LineOutput,
        clock: BlueCapClock
    ) {
        (self.format, self.total, self.output, self.clock) = (format, total, output, clock)
        let names = characteristics.map { KnownProfiles.characteristic($0.uuid, in: $0.service?.uuid) }
        plot = NumberPlot(title: names.joined(separator: ", "), total: total)
        labelWidth = names.count > 1 ? names.map { TextLayout.width(of: $0) }.max() ?? 0 : 0
        var fields: [String] = []
        for characteristic in characteristics {
            let profile = KnownProfiles.profile(characteristic.uuid, in: characteristic.service?.uuid)
            for part in profile.map(ProfilePart.parts) ?? [] where !fields.contains(part.name) {
                fields.append(part.name)
            }
        }
        self.fields = fields
    }

    /// Draws curves without a value, which may be long in coming.
    func start() throws(OutputClosed) {
        if format == .plot, let screen = output.screen { try output.draw(plot.screen(screen)) }
    }

    /// Prints a table's heading if no value was printed.
    func end() throws(OutputClosed) { if count == 0 { try begin() } }

    /// Prints the heading, where the format has one.
    private func begin() throws(OutputClosed) {
        if format == .csv { try output.line(Self.row(["date", "index", "characteristic", "value", "text"] + fields)) }
    }

    /// The number of values dropped before printed values. Values dropped after the last printed one do not count.
    var droppedCount: Int { dropped.values.reduce(0, +) }

    /// Prints a value.
    ///
    /// - Parameter dropped: How many values of the characteristic were dropped until now.
    /// - Returns: Whether there is another to print.
    func print(_ value: Bytes, of characteristic: Characteristic, dropped: Int) throws(OutputClosed) -> Bool {
        if count == total { return false }
        self.dropped[characteristic.id] = dropped
        if count == 0 { try begin() }
        count += 1
        let event = ValueEvent(value, of: characteristic, index: count, date: clock.date)
        switch format {
        case .json: try output.event(event)
        case .plot where output.screen != nil:
            plot.add(numbers(of: event))
            if let screen = output.screen { try output.draw(plot.screen(screen)) }
        case .text, .plot:
            let label = labelWidth == 0 ? "" : TextLayout.pad(event.label, to: labelWidth) + "  "
            try output.prose(label + event.line, hanging: max(TextLayout.width(of: label), 2))
        case .csv:
            let parts = fields.map { event.fields?[$0] ?? "" }
            try output.line(
                Self.row([event.date, String(count), event.label, event.value, event.text ?? ""] + parts))
        }
        return count != total
    }

    /// The numbers in a value, behind the characteristic's name where there are several.
    private func numbers(of event: ValueEvent) -> [(name: String, unit: String, value: Double)] {
        event.quantities.map { name, unit, value in
            (labelWidth == 0 || name == event.label ? name : "\(event.label), \(name)", unit, value)
        }
    }

    /// The cells with commas between; those that hold a comma, a quote or the end of a line in quotes.
    private static func row(_ cells: [String]) -> String {
        let quoted = cells.map { cell in
            guard cell.contains(where: { ",\"".contains($0) || $0.isNewline }) else { return cell }
            return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }
        return quoted.joined(separator: ",")
    }
}
