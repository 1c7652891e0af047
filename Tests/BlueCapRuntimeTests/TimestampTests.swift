// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@Suite("A timestamp")
struct TimestampTests {
    @Test(arguments: [
        (Duration.zero, "1970-01-01T00:00:00.000Z"),
        (.milliseconds(-1), "1969-12-31T23:59:59.999Z"),
        (.seconds(951_782_400), "2000-02-29T00:00:00.000Z"),
        (.seconds(951_868_800), "2000-03-01T00:00:00.000Z"),
        (.seconds(4_107_542_400), "2100-03-01T00:00:00.000Z"),
        (.milliseconds(1_795_524_600_042), "2026-11-24T12:50:00.042Z"),
        (.seconds(-62_135_596_800), "0001-01-01T00:00:00.000Z"),
    ])
    func `is written in the form of ISO 8601`(_ moment: (sinceEpoch: Duration, text: String)) {
        #expect("\(Timestamp(sinceEpoch: moment.sinceEpoch))" == moment.text)
    }

    @Test func `of any length of time has a text`() {
        for seconds in [Int64.min / 4, Int64.max / 4] {
            #expect("\(Timestamp(sinceEpoch: .seconds(seconds)))".hasSuffix("Z"))
        }
    }
}
