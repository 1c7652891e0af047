// SPDX-License-Identifier: MIT

import BlueCap

/// iBeacons in the air of a virtual radio: one near, one that is carried away and back, one far off that comes and
/// goes.
struct VirtualBeacons: DemoWorld {
    private let radio: VirtualRadio
    private let carried: VirtualPeripheral
    private let visitor: VirtualPeripheral

    init(radio: VirtualRadio, uuid: BluetoothUUID) {
        self.radio = radio
        carried = Self.beacon(2, uuid, .metres(1))
        visitor = Self.beacon(3, uuid, .metres(9))
        for beacon in [Self.beacon(1, uuid, .metres(0.3)), carried, visitor] { radio.add(beacon) }
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
        let frame = IBeacon(
            proximityUUID: uuid, major: 1, minor: minor, measuredPower: BeaconRegion.defaultMeasuredPower)
        return VirtualPeripheral(
            name: "", address: "C0:DE:00:00:00:B\(minor)", proximity: proximity,
            advertising: VirtualAdvertising(
                interval: .milliseconds(100),
                data: PeripheralAdvertisements(manufacturerData: [IBeacon.company: SerDe.serialize(frame)]),
                isConnectable: false))
    }
}
