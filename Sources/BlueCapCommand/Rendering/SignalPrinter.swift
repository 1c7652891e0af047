// SPDX-License-Identifier: MIT

import BlueCap

/// A reading of the signal strength, as `rssi` prints it.
struct SignalEvent: Encodable, Sendable {
    var event = "rssi"
    var index: Int
    var id: String
    /// dBm.
    var rssi: Int
    var date: String
}

/// Prints readings of the signal strength of one device as they come.
actor SignalPrinter {
    private let id: String
    private let isJSON: Bool
    private let output: any LineOutput
    private let clock: BlueCapClock
    private let total: Int?
    private var plot: NumberPlot
    private(set) var count = 0

    /// - Parameter total: How many readings to print; nil for no end.
    init(of peripheral: Peripheral, total: Int?, isJSON: Bool, output: any LineOutput, clock: BlueCapClock) {
        (id, self.isJSON, self.output, self.clock, self.total) = (
            peripheral.identifier.text, isJSON, output, clock, total
        )
        plot = NumberPlot(title: peripheral.label, total: total)
    }

    /// Prints a reading.
    ///
    /// - Returns: Whether there is another to print.
    func print(_ rssi: Int) throws(OutputClosed) -> Bool {
        if count == total { return false }
        count += 1
        if isJSON {
            try output.line(
                JSONLine.text(SignalEvent(index: count, id: id, rssi: rssi, date: JSONLine.date(clock.date))))
        } else if let screen = output.screen {
            plot.add([("signal", "dBm", Double(rssi))])
            try output.draw(plot.screen(screen))
        } else {
            try output.line(SignalBars.text(rssi) + " dBm")
        }
        return count != total
    }
}
