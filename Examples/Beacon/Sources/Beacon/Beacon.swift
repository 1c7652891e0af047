// SPDX-License-Identifier: MIT

import BlueCap

/// Is an iBeacon until Ctrl-C. With `--virtual` it is one on a virtual radio, until a central has ranged it five times.
@main
struct Beacon {
    static let region = BeaconRegion(
        proximityUUID: "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5", identifier: "example", major: 1, minor: 7)

    static func main() async throws {
        if CommandLine.arguments.contains("--virtual") {
            let radio = VirtualRadio()
            let manager = PeripheralManager(
                backend: radio.peripheral(configuration: VirtualAdapter.Configuration(proximity: .metres(2))))
            try await advertise(with: manager)
            await range(CentralManager(backend: radio.central()))
            try await manager.stopAdvertising()
        } else {
            let manager = PeripheralManager()
            try await advertise(with: manager)
            // It stays on the air for as long as the manager lives, over the end of the radio's power too.
            for await failure in manager.registrationFailures() { print(failure) }
        }
    }

    static func advertise(with manager: PeripheralManager) async throws {
        try await manager.whenPoweredOn(timeout: .seconds(5))
        // Measured once for each device: the signal strength that a receiver sees at a distance of one metre.
        try await manager.startAdvertising(region, measuredPower: -59, timeout: .seconds(10))
        print("advertising")
    }

    static func range(_ central: CentralManager) async {
        var count = 0
        for await beacons in BeaconManager(central: central).ranging(region, every: .milliseconds(200)) {
            for beacon in beacons {
                print("beacon \(beacon.major).\(beacon.minor) \(beacon.proximity) \(beacon.accuracy ?? .nan) m")
            }
            count += 1
            if count == 5 { break }
        }
        await central.invalidate()
    }
}
