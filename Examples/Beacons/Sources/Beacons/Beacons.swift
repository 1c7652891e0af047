// SPDX-License-Identifier: MIT

import BlueCap

/// Ranges and monitors the iBeacons of a region. With `--virtual` those of a virtual radio, one of which goes away.
@main
struct Beacons {
    static let uuid: BluetoothUUID = "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5"

    static func main() async throws {
        var region = BeaconRegion(proximityUUID: uuid, identifier: "example")
        if CommandLine.arguments.contains("--virtual") {
            region.exitDelay = .seconds(2)
            let radio = VirtualRadio()
            let beacon = virtualBeacon()
            radio.add(beacon)
            let leaving = Task {
                try? await Task.sleep(for: .seconds(4))
                beacon.vanish()
            }
            try await watch(region, CentralManager(backend: radio.central()), untilOutside: true)
            leaving.cancel()
        } else {
            try await watch(region, CentralManager(), untilOutside: false)
        }
    }

    /// Prints the beacons and whether there are any, until Ctrl-C or until one is outside of the region again.
    static func watch(_ region: BeaconRegion, _ central: CentralManager, untilOutside: Bool) async throws {
        try await central.whenPoweredOn(timeout: .seconds(5))
        let manager = BeaconManager(central: central)
        await withTaskGroup { group in
            group.addTask {
                for await beacons in manager.ranging(region) {
                    for beacon in beacons {
                        print("beacon \(beacon.major).\(beacon.minor) \(beacon.proximity) \(beacon.accuracy ?? .nan) m")
                    }
                }
            }
            group.addTask {
                var wasInside = false
                for await state in manager.monitoring(region) {
                    print("region \(state)")
                    if state == .inside { wasInside = true }
                    if untilOutside, wasInside, state == .outside { return }
                }
            }
            await group.next()
            group.cancelAll()
        }
        await central.invalidate()
    }

    static func virtualBeacon() -> VirtualPeripheral {
        let frame = IBeacon(proximityUUID: uuid, major: 1, minor: 7, measuredPower: -59)
        return VirtualPeripheral(
            name: "Beacon", proximity: .metres(2),
            advertising: VirtualAdvertising(
                data: PeripheralAdvertisements(manufacturerData: [IBeacon.company: SerDe.serialize(frame)]),
                isConnectable: false))
    }
}
