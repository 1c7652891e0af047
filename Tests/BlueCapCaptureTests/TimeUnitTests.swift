// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// The units of pcapng's times.
@Suite(.timeLimit(.minutes(60)))
struct TimeUnitTests {
    private static func unit(_ resolution: UInt8) -> TimeUnit {
        var options = ByteCursor([9, 0, 1, 0, resolution, 0, 0, 0, 0, 0, 0, 0])
        return TimeUnit(&options, .littleEndian)
    }

    @Test(arguments: 3...19)
    func `each millisecond is kept in each decimal unit`(exponent: Int) {
        let perMillisecond = (3..<exponent).reduce(UInt64(1)) { product, _ in product * 10 }
        for milliseconds in 0..<UInt64(1000) {
            let time = Self.unit(UInt8(exponent)).time(milliseconds * perMillisecond)
            #expect(time?.sinceEpoch == .milliseconds(milliseconds))
        }
    }

    @Test(arguments: [3, 10, 32, 63])
    func `a fraction is not lost in a binary unit`(exponent: Int) {
        for eighths in 0..<UInt64(8) {
            let time = Self.unit(0x80 | UInt8(exponent)).time(eighths << UInt64(exponent - 3))
            #expect(time?.sinceEpoch == .milliseconds(125 * eighths))
        }
    }
}
