// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("Automation IO", .timeLimit(.minutes(60)))
struct AutomationIOTests {
    @Test func `a switch takes two bits, the first the lowest`() {
        let five = AutomationIOService.Digital([.active, .inactive, .triState, .outputState, .active])
        // 11 10 00 01 is 0xe1; the fifth stands alone in the second byte.
        #expect(SerDe.serialize(five) == [0xe1, 0x01])
        #expect(five.count == 8)
        #expect((0..<8).map { five[$0].rawValue } == [1, 0, 2, 3, 1, 0, 0, 0])
        expectBytes(five, [0xe1, 0x01])
        #expect(
            five.stringValue == [
                "Digital": "Active Inactive Tri-state Output-state Active Inactive Inactive Inactive"
            ])
        #expect(AutomationIOService.Digital(stringValue: ["Digital": "Active On"]) == nil)
    }

    @Test func `an analog quantity is 16 bits`() {
        expectBytes(AutomationIOService.Analog(rawValue: 0x1234), [0x34, 0x12])
    }

    @Test func `an aggregate is the digital inputs and then the analog ones`() {
        let value = AutomationIOService.Aggregate(
            digital: AutomationIOService.Digital([.active, .active]), analog: [0x0102, 0x0304])
        expectBytes(value, [0x05, 0x02, 0x01, 0x04, 0x03])
        #expect(value.digital(byteCount: 1)[1] == .active)
        #expect(value.analog(digitalByteCount: 1).map(Array.init) == [0x0102, 0x0304])
        #expect(value.analog(digitalByteCount: 0) == nil)
        #expect(value.analog(digitalByteCount: 5)?.isEmpty == true)
        #expect(value.analog(digitalByteCount: 100)?.isEmpty == true)
        #expect(value.digital(byteCount: -1).count == 0)
        #expect(value.digital(byteCount: 100).count == 20)
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: AutomationIOService.Digital.self, inputs: 500)
        expectRoundTrips(of: AutomationIOService.Analog.self, size: 2)
        expectRoundTrips(of: AutomationIOService.Aggregate.self, inputs: 500)
    }
}
