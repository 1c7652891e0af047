// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct NumberPlotTests {
    private func plot(_ values: [Double], total: Int? = nil) -> NumberPlot {
        var plot = NumberPlot(title: "Level", total: total)
        for value in values { plot.add([("level", "%", value)]) }
        return plot
    }

    @Test func `the heading of a curve has the newest number, the lowest and the highest`() {
        let lines = plot([5, 1.25, 9, 4]).screen(ScreenSize(columns: 60, rows: 12)).map(\.output)
        #expect(lines[0] == "Level  4 values, Ctrl-C ends it")
        #expect(lines[1] == "level  4 %  (1.25 to 9)")
    }

    @Test func `a curve runs from its lowest number at the bottom to its highest at the top`() {
        let lines = plot([0, 1]).screen(ScreenSize(columns: 40, rows: 4)).map(\.output)
        // One line of four dots: the left column has the lowest dot, the right one the three above.
        #expect(lines[2].last == "⡸")
    }

    @Test func `numbers that do not change stand in the middle`() {
        let lines = plot([7, 7]).screen(ScreenSize(columns: 40, rows: 4)).map(\.output)
        #expect(lines[2].last == "⠒")
    }

    @Test(arguments: [
        ScreenSize(columns: 20, rows: 5), ScreenSize(columns: 80, rows: 24), ScreenSize(columns: 300, rows: 8),
    ])
    func `it is never wider or higher than the screen`(size: ScreenSize) {
        var plot = NumberPlot(title: String(repeating: "title ", count: 20), total: 5000)
        for index in 0..<3000 {
            plot.add((0..<20).map { ("a long name of a number \($0)", "unit", Double(index % 97 * $0)) })
        }
        let lines = plot.screen(size).map(\.output)
        #expect(lines.count < size.rows)
        #expect(lines.allSatisfy { TextLayout.width(of: $0) <= size.columns })
    }

    @Test func `what is no number is not drawn`() {
        let plot = plot([.nan, .infinity])
        #expect(plot.screen(ScreenSize(columns: 60, rows: 12)).last?.output == "No value so far that holds a number")
        #expect(plot.count == 2)
    }
}
