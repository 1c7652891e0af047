// SPDX-License-Identifier: MIT

import BlueCap

/// A thermometer, and a phone that reads its measurements.
struct VirtualOffice: Sendable {
    let radio = VirtualRadio()
    private let temperature = VirtualCharacteristic(Gateway.Temperature.uuid, properties: [.read, .notify])

    init() {
        radio.add(
            VirtualPeripheral(
                name: "Thermometer",
                services: [VirtualService(EnvironmentalSensingService.uuid, characteristics: [temperature])]))
    }

    /// Measures until the task is cancelled.
    func measure() async throws {
        for step in 0... as PartialRangeFrom<Int> {
            temperature.notify(try Gateway.Temperature(20 + Double(step % 50) / 10))
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Takes twenty values from a gateway.
    func readByPhone(_ gateway: String) async throws {
        let phone = CentralManager(backend: radio.central(address: "C0:DE:00:00:00:99"))
        try await phone.whenPoweredOn()
        for try await discovery in phone.scan(for: [EnvironmentalSensingService.uuid], timeout: .seconds(10))
        where discovery.peripheral.name == gateway {
            try await discovery.peripheral.stayConnected(discovering: [EnvironmentalSensingService.uuid]) { gateway in
                var count = 0
                for try await value in try await gateway.characteristic(Gateway.Temperature.self).notifications() {
                    print("\(gateway.displayName) says \(value.value ?? .nan) °C")
                    count += 1
                    if count == 20 { break }
                }
            }
            return
        }
    }
}
