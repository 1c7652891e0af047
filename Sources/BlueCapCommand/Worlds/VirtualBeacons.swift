// SPDX-License-Identifier: MIT

import BlueCap

/// Beacons in the air of a virtual radio: an iBeacon near, one that is carried away and back, one far off that comes
/// and goes; beside them an AltBeacon and an Eddystone.
struct VirtualBeacons: DemoWorld {
    private static let power = BeaconRegion.defaultMeasuredPower
    private let radio: VirtualRadio
    private let carried: VirtualPeripheral
    private let visitor: VirtualPeripheral

    init(radio: VirtualRadio, uuid: BluetoothUUID) {
        self.radio = radio
        carried = Self.beacon(2, uuid, .metres(1))
        visitor = Self.beacon(3, uuid, .metres(9))
        let alt = AltBeacon(company: 0xFFFF, identifier: uuid, major: 1, minor: 4, measuredPower: Self.power)
        let digits = Bytes(uuid.fullLittleEndianBytes.reversed())
        let eddystone = Eddystone.uid(
            power: Self.power + 41, namespace: Bytes(digits.prefix(10)), instance: [0, 0, 0, 0, 0, 5])
        let others = [
            Self.beacon(4, .metres(2), PeripheralAdvertisements(manufacturerData: [0xFFFF: SerDe.serialize(alt)])),
            Self.beacon(
                5, .metres(5),
                PeripheralAdvertisements(
                    serviceUUIDs: [Eddystone.uuid], serviceData: [Eddystone.uuid: SerDe.serialize(eddystone)])),
        ]
        for beacon in [Self.beacon(1, uuid, .metres(0.3)), carried, visitor] + others { radio.add(beacon) }
    }

    func run() async {
        for step in 1... {
            do { try await radio.clock.sleep(for: .milliseconds(500)) } catch { return }
            // Out to seven metres and back, half a metre at a time.
            carried.move(to: .metres(1 + 0.5 * Double(12 - abs(step % 24 - 12))))
            if step % 80 == 20 { visitor.vanish() }
            if step % 80 == 60 { visitor.reappear() }
        }
    }

    private static func beacon(
        _ minor: UInt16, _ uuid: BluetoothUUID, _ proximity: VirtualProximity
    ) -> VirtualPeripheral {
        let frame = IBeacon(proximityUUID: uuid, major: 1, minor: minor, measuredPower: power)
        return beacon(
            minor, proximity, PeripheralAdvertisements(manufacturerData: [IBeacon.company: SerDe.serialize(frame)]))
    }

    private static func beacon(
        _ number: UInt16, _ proximity: VirtualProximity, _ data: PeripheralAdvertisements
    ) -> VirtualPeripheral {
        VirtualPeripheral(
            name: "", address: "C0:DE:00:00:00:B\(number)", proximity: proximity,
            advertising: VirtualAdvertising(interval: .milliseconds(100), data: data, isConnectable: false))
    }
}
