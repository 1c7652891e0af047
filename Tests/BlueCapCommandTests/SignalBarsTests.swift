// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct SignalBarsTests {
    @Test(arguments: [
        (20, 5), (-1, 5), (-40, 5), (-41, 4), (-55, 4), (-56, 3), (-70, 3), (-71, 2), (-85, 2), (-86, 1), (-99, 1),
        (-100, 0), (-127, 0),
    ])
    func `bars change at the bounds of each range`(rssi: Int, count: Int) {
        #expect(SignalBars.count(rssi) == count)
    }

    @Test(arguments: [nil, 0, 127])
    func `what controllers report for a strength that was not measured has no bars`(rssi: Int?) {
        #expect(SignalBars.count(rssi) == nil)
        #expect(SignalBars.text(rssi) == "·····  n/a")
    }

    @Test(arguments: [-40, -63, -100, -127, 5])
    func `bars and number always take ten columns`(rssi: Int) {
        #expect(TextLayout.width(of: SignalBars.text(rssi)) == 10)
    }

    @Test func `three bars are drawn rising, the rest as dots`() {
        #expect(SignalBars.text(-63) == "▁▂▄··  -63")
    }
}
