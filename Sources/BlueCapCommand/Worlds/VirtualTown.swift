// SPDX-License-Identifier: MIT

import BlueCap

/// A small virtual world to scan in: devices near and far, one that moves, one that comes and goes.
struct VirtualTown: DemoWorld {
    let radio: VirtualRadio
    private let tag: VirtualSensorTag
    private let strap: VirtualHeartStrap
    private let walker: VirtualPeripheral
    private let visitor: VirtualPeripheral

    init(radio: VirtualRadio) {
        self.radio = radio
        tag = VirtualSensorTag(seed: radio.seed, isEnabled: true)
        strap = VirtualHeartStrap(
            seed: radio.seed, name: "Heart Strap", address: "C0:DE:00:00:00:02", proximity: .metres(4),
            pairing: .justWorks)
        walker = VirtualPeripheral(
            name: "Dog Collar", address: "C0:DE:00:00:00:03", proximity: .metres(2),
            services: [
                VirtualService(BatteryService.uuid) { VirtualCharacteristic(BatteryService.Level.uuid, value: [64]) }
            ])
        visitor = VirtualPeripheral(
            name: "Visitor's Bracelet ⌚️", address: "C0:DE:00:00:00:04", proximity: .near,
            advertising: VirtualAdvertising(
                interval: .milliseconds(250),
                data: PeripheralAdvertisements(localName: "Visitor's Bracelet ⌚️", serviceUUIDs: ["1805"])))
        for peripheral in [tag.peripheral, strap.peripheral, walker, visitor] { radio.add(peripheral) }
        // Paired in an earlier run.
        walker.bond(with: radio.adapter())
        // A beacon has no name and takes no connection; 0xFFFF is the company identifier for tests.
        radio.add(
            VirtualPeripheral(
                name: "", address: "C0:DE:00:00:00:05", proximity: .metres(30),
                advertising: VirtualAdvertising(
                    interval: .milliseconds(400),
                    data: PeripheralAdvertisements(manufacturerData: [0xFFFF: [0xBE, 0xAC, 0x01, 0x02]], txPower: -12),
                    isConnectable: false)))
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await tag.run(on: radio.clock) }
            group.addTask { await strap.run(on: radio.clock) }
            group.addTask { await live() }
        }
    }

    private func live() async {
        for second in 1... {
            do { try await radio.clock.sleep(for: .seconds(1)) } catch { return }
            // Out to 20 metres and back.
            walker.move(to: .metres(2 + Double(abs(second % 36 - 18))))
            if second % 60 == 8 { visitor.vanish() }
            if second % 60 == 50 { visitor.reappear() }
        }
    }
}

/// The devices in the air of a virtual radio.
protocol DemoWorld: Sendable {
    /// Lets the devices live until the task is cancelled.
    func run() async
}
