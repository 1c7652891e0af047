// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import CoreBluetooth

/// A device with CoreBluetooth, an app on it, and a strap in the air.
struct World {
    let radio: VirtualRadio
    let host: StandIn
    let app: CentralApp
    let strap: VirtualPeripheral
    let level: VirtualCharacteristic
    let maker: VirtualCharacteristic

    init(faults: Set<StandInFault> = []) {
        radio = VirtualRadio(seed: 1, clock: ManualClock())
        host = StandIn(radio: radio, settings: StandInSettings(faults: faults))
        app = CentralApp(on: host)
        level = VirtualCharacteristic(
            "2A19", properties: [.read, .write, .writeWithoutResponse, .notify], value: [100],
            descriptors: [
                VirtualDescriptor("2901", value: [0x41]), VirtualDescriptor("2904", value: [4, 0, 0, 0, 1, 0, 0]),
            ])
        maker = VirtualCharacteristic(
            "2A29", properties: [.read], permissions: [.readable, .readEncryptionRequired], value: [0x41])
        strap = VirtualPeripheral(
            name: "Strap",
            advertising: VirtualAdvertising(
                data: PeripheralAdvertisements(
                    localName: "Strap", manufacturerData: [0x59: [7]], serviceUUIDs: ["180F", "180A"])),
            services: [
                VirtualService("180F", characteristics: [level]), VirtualService("180A", characteristics: [maker]),
            ])
        radio.add(strap)
    }
}
