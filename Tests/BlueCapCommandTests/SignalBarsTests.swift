// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(5)))
struct SignalBarsTests {
    @Test(
        "bars change at the bounds of each range",
        arguments: [
            (20, 5), (-1, 5), (-40, 5), (-41, 4), (-55, 4), (-56, 3), (-70, 3), (-71, 2), (-85, 2), (-86, 1), (-99, 1),
            (-100, 0), (-127, 0),
        ])
    func bars(rssi: Int, count: Int) {
        #expect(SignalBars.count(rssi) == count)
    }

    @Test("what controllers report for a strength that was not measured has no bars", arguments: [nil, 0, 127])
    func notMeasured(rssi: Int?) {
        #expect(SignalBars.count(rssi) == nil)
        #expect(SignalBars.text(rssi) == "·····  n/a")
    }

    @Test("bars and number always take ten columns", arguments: [-40, -63, -100, -127, 5])
    func text(rssi: Int) {
        #expect(TextLayout.width(of: SignalBars.text(rssi)) == 10)
    }

    @Test("three bars are drawn rising, the rest as dots")
    func drawing() {
        #expect(SignalBars.text(-63) == "▁▂▄··  -63")
    }
}
