// SPDX-License-Identifier: MIT

#if os(Linux) && BlueZ
import BlueCap
import BlueCapDBus
import BlueCapFakeBlueZ
import BlueCapPrivateBus
import BlueCapTesting

@testable import BlueCapCommand

/// A bus with a scripted bluetoothd, and a device in the air.
struct ScriptedMachine: Sendable {
    let bus: PrivateBus
    let fake: FakeBlueZ

    /// The environment that the tool's process needs.
    var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": bus.address] }

    /// - Parameter configuration: Text for the configuration of the bus.
    init(configuration: String = "") async throws {
        bus = try PrivateBus(configuration: configuration)
        fake = try FakeBlueZ(on: BusAddress(bus.address))
        try await fake.start()
        let value = TwinCharacteristic("FFF1", properties: [.read, .write, .notify], value: [1])
        // It is a beacon, too.
        let frame = IBeacon(proximityUUID: BeaconCommand.defaultUUID, major: 1, minor: 7, measuredPower: -59)
        let device = Twin(
            name: "Peer",
            advertisement: TwinAdvertisement(
                data: PeripheralAdvertisements(
                    localName: "Peer", manufacturerData: [IBeacon.company: SerDe.serialize(frame)])),
            services: [TwinService("FFF0", characteristics: [value])])
        _ = await fake.withAir { $0.configure(0, device) }
        try await fake.withAir { try $0.device(0).advertise(true) }
    }

    /// Has bluetoothd stand still for good: it is on the bus, and answers nothing.
    func standStill() async { await fake.begin(.standsStill) }

    func stop() async { await fake.stop() }
}
#endif
