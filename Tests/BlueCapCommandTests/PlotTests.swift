// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct PlotTests {
    @Test func `a rising line goes from the lower left to the upper right, two values a column`() {
        let plot = Plot(columns: 2, rows: 1, range: 0...3)
        #expect(plot.lines([0, 1, 2, 3]) == ["⡠⠊"])
    }

    @Test func `few values stand at the right`() {
        let plot = Plot(columns: 3, rows: 1, range: 0...3)
        #expect(plot.lines([0]) == ["⠀⠀⢀"])
    }

    @Test func `of many values the newest are shown`() {
        let plot = Plot(columns: 1, rows: 1, range: 0...3)
        #expect(plot.lines([3, 3, 3, 0, 0]) == ["⣀"])
    }

    @Test func `a jump is joined from top to bottom`() {
        let plot = Plot(columns: 1, rows: 2, range: 0...7)
        #expect(plot.lines([0, 7]) == ["⢸", "⡸"])
    }

    @Test func `values out of range, and such as are no numbers, stay within the plot`() {
        let plot = Plot(columns: 4, rows: 1, range: -1...1)
        #expect(plot.lines([-9, 9, .nan, .infinity, 0]).map(\.count) == [4])
        let greatest = Double.greatestFiniteMagnitude
        #expect([-1e300, 1e300, -greatest, greatest].map(plot.level) == [0, 3, 0, 3])
    }

    @Test(arguments: [(0, 3), (3, 0)])
    func `there is nothing to draw on a screen without room`(columns: Int, rows: Int) {
        #expect(Plot(columns: columns, rows: rows, range: 0...1).lines([1, 0]).isEmpty)
    }

    @Test(arguments: [(80, 24), (40, 10), (12, 4), (300, 60)])
    func `the view of the samples fits its screen`(columns: Int, rows: Int) throws {
        var view = AccelerometerView(title: "SensorTag", total: 10)
        for step in 0..<50 { view.add(try AccelerometerView.Sample(x: Double(step) / 50, y: 0, z: -1)) }
        let lines = view.screen(ScreenSize(columns: columns, rows: rows)).map(\.output)
        #expect(lines.count < rows)
        #expect(lines.allSatisfy { TextLayout.width(of: $0) <= columns })
    }

    @Test func `a sample on a line shows number, axes and their places`() throws {
        var view = AccelerometerView(title: "", total: nil)
        view.add(try AccelerometerView.Sample(x: 1, y: 0.5, z: -1.5))
        #expect(view.line == "   1  x +1.00  y +0.50  z -1.50 g  z···············|····y·····x·····")
    }
}
