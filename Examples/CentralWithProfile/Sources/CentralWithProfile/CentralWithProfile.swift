// SPDX-License-Identifier: MIT

import BlueCap

/// Shows the contents of a device, with the names and the texts of the library's profiles: each service, each
/// characteristic, and each value that can be read. The device is the first with the name given, or the first at all;
/// with `--virtual` it is a virtual one.
@main
struct CentralWithProfile {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        // The manager knows only the profiles that it is given.
        let configuration = CentralManager.Configuration(profiles: .all)
        if arguments.contains("--virtual") {
            let radio = VirtualRadio()
            radio.add(.watch)
            try await show(CentralManager(backend: radio.central(), configuration: configuration), name: nil)
        } else {
            try await show(CentralManager(configuration: configuration), name: arguments.first)
        }
    }

    static func show(_ central: CentralManager, name: String?) async throws {
        try await central.whenPoweredOn(timeout: .seconds(5))
        var isShown = false
        for try await discovery in central.scan(timeout: .seconds(30))
        where name == nil || discovery.peripheral.name == name {
            // One visit, without a policy; the scope ends the connection.
            try await discovery.peripheral.stayConnected(.never, timeout: .seconds(10), discovering: nil) { device in
                print(device.displayName)
                for service in device.services { await show(service) }
            }
            isShown = true
            break
        }
        await central.invalidate()
        // The scan throws this by itself where it has sighted nothing at all.
        if !isShown { throw CentralManagerError.serviceScanTimeout }
    }

    private static func show(_ service: Service) async {
        print("  \(service.name)")
        for characteristic in service.characteristics {
            print("    \(characteristic.name)")
            guard characteristic.properties.contains(.read) else { continue }
            do throws(CharacteristicError) {
                let parts = try await characteristic.readStringValue(timeout: .seconds(5))
                for (part, text) in parts.sorted(by: { $0.key < $1.key }) { print("      \(part): \(text)") }
            } catch {
                print("      \(error)")
            }
        }
    }
}

extension VirtualPeripheral {
    /// A watch with three services, one value of which needs a key to be read.
    static var watch: VirtualPeripheral {
        VirtualPeripheral(name: "Watch") {
            VirtualService(BatteryService.uuid) { VirtualCharacteristic(BatteryService.Level.uuid, value: [87]) }
            VirtualService(HeartRateService.uuid) {
                VirtualCharacteristic(HeartRateService.Measurement.uuid, properties: [.notify])
                VirtualCharacteristic(HeartRateService.BodySensorLocation.uuid, value: [2])
            }
            VirtualService(DeviceInformationService.uuid) {
                VirtualCharacteristic(DeviceInformationService.ManufacturerName.uuid, value: Bytes("Acme".utf8))
                VirtualCharacteristic(DeviceInformationService.ModelNumber.uuid, value: Bytes("W1".utf8))
            }
        }
    }
}
