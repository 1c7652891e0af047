// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("The battery", .timeLimit(.minutes(60)))
struct BatteryTests {
    @Test func `the UUIDs are the assigned ones`() {
        #expect(BatteryService.uuid == BluetoothUUID(UInt16(0x180f)))
        #expect(BatteryService.Level.uuid == BluetoothUUID(UInt16(0x2a19)))
    }

    @Test(arguments: [0, 1, 50, 100] as [UInt8])
    func `a level through 100 percent is read and written as one byte`(percent: UInt8) throws {
        let level: BatteryService.Level = try SerDe.deserialize([percent] as Bytes)
        #expect(level.percent == Int(percent))
        #expect(SerDe.serialize(level) == [percent])
    }

    @Test(arguments: [101, 255] as [UInt8])
    func `a level above 100 percent is refused`(percent: UInt8) {
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try SerDe.deserialize([percent] as Bytes, as: BatteryService.Level.self)
        }
    }
}
