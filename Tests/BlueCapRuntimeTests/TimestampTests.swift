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

    @Test func `has each millisecond of a second`() {
        for milliseconds in 0..<1000 {
            let text = Timestamp(sinceEpoch: .milliseconds(1_700_000_000_000 + milliseconds)).description
            #expect(text.hasSuffix(".\(String(1000 + milliseconds).dropFirst())Z"))
        }
    }

    @Test func `a number of seconds is a time to the last thousandth`() {
        for milliseconds in [1, 29, 290, 1001, 1005, 4350, 12_070, 16_777_217, 999_999_999] + Array(0..<1000) {
            // As a file has it: the number that is nearest to the text.
            let text = "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
            #expect(Double(text).map { Duration(nearest: $0) } == .milliseconds(milliseconds))
            #expect(Double("-" + text).map { Duration(nearest: $0) } == .milliseconds(-milliseconds))
        }
    }

    @Test func `of any length of time has a text`() {
        for seconds in [Int64.min / 4, Int64.max / 4] {
            #expect("\(Timestamp(sinceEpoch: .seconds(seconds)))".hasSuffix("Z"))
        }
    }
}
