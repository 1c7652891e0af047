// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("Link Loss, Immediate Alert and Tx Power", .timeLimit(.minutes(60)))
struct ProximityTests {
    @Test func `the UUIDs are the assigned ones`() {
        #expect(LinkLossService.uuid == BluetoothUUID(UInt16(0x1803)))
        #expect(ImmediateAlertService.uuid == BluetoothUUID(UInt16(0x1802)))
        #expect(TxPowerService.uuid == BluetoothUUID(UInt16(0x1804)))
        #expect(LinkLossService.AlertLevel.uuid == BluetoothUUID(UInt16(0x2a06)))
        #expect(ImmediateAlertService.AlertLevel.uuid == BluetoothUUID(UInt16(0x2a06)))
        #expect(TxPowerService.Level.uuid == BluetoothUUID(UInt16(0x2a07)))
    }

    @Test func `an alert level is one byte`() {
        expectBytes(LinkLossService.AlertLevel.noAlert, [0])
        expectBytes(LinkLossService.AlertLevel.mildAlert, [1])
        expectBytes(ImmediateAlertService.AlertLevel.highAlert, [2])
    }

    @Test(arguments: 3...UInt8.max)
    func `a reserved alert level is refused`(byte: UInt8) {
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try SerDe.deserialize([byte] as Bytes, as: ImmediateAlertService.AlertLevel.self)
        }
    }

    @Test(arguments: Int8.min...Int8.max)
    func `a power level is dBm from −100 through 20 and no other`(dBm: Int8) {
        guard let level = TxPowerService.Level(rawValue: dBm) else {
            #expect(dBm < -100 || dBm > 20)
            return
        }
        // Two's complement: −4 dBm is 0xfc.
        expectBytes(level, [UInt8(bitPattern: dBm)])
        #expect((-100...20).contains(dBm))
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: LinkLossService.AlertLevel.self)
        expectRoundTrips(of: ImmediateAlertService.AlertLevel.self)
        expectRoundTrips(of: TxPowerService.Level.self)
        expectRoundTrips(of: BatteryService.Level.self)
    }
}
