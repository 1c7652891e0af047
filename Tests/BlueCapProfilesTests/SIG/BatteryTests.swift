// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("The battery", .timeLimit(.minutes(5)))
struct BatteryTests {
    @Test("the UUIDs are the assigned ones")
    func uuids() {
        #expect(BatteryService.uuid == BluetoothUUID(UInt16(0x180f)))
        #expect(BatteryService.Level.uuid == BluetoothUUID(UInt16(0x2a19)))
    }

    @Test("a level through 100 percent is read and written as one byte", arguments: [0, 1, 50, 100] as [UInt8])
    func roundTrip(percent: UInt8) throws {
        let level: BatteryService.Level = try SerDe.deserialize([percent] as Bytes)
        #expect(level.percent == Int(percent))
        #expect(SerDe.serialize(level) == [percent])
    }

    @Test("a level above 100 percent is refused", arguments: [101, 255] as [UInt8])
    func reserved(percent: UInt8) {
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try SerDe.deserialize([percent] as Bytes, as: BatteryService.Level.self)
        }
    }
}
