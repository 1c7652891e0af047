// SPDX-License-Identifier: MIT

import BlueCap

/// Two virtual thermometers, and a central that reads the gateway.
struct VirtualSensors: Sendable {
    typealias Temperature = EnvironmentalSensingService.Temperature

    let radio = VirtualRadio()
    /// The gateway's adapter, for both of its roles.
    let adapter: VirtualAdapter
    private let sensors: [VirtualPeripheral]

    init() {
        adapter = radio.adapter(address: "C0:DE:00:00:00:01")
        sensors = ["Kitchen", "Cellar"].map { name in
            VirtualPeripheral(
                name: name,
                services: [
                    VirtualService(EnvironmentalSensingService.uuid) {
                        VirtualCharacteristic(Temperature.uuid, properties: [.read, .notify], value: [0, 0])
                    }
                ])
        }
        for sensor in sensors { radio.add(sensor) }
    }

    /// Has the thermometers measure until `count` values are read from the gateway, or until the task is cancelled.
    func run(count: Int) async {
        await withTaskGroup { group in
            group.addTask { await measure() }
            await watch(count: count)
            group.cancelAll()
        }
    }

    /// Has the thermometers measure, and one of them lose its connection now and then, until the task is cancelled.
    private func measure() async {
        for step in 0... {
            if Task.isCancelled { return }
            for (index, sensor) in sensors.enumerated() {
                let value = Temperature(rawValue: Int16(2100 + 500 * index + step % 100))
                sensor.characteristic(Temperature.uuid)?.notify(value)
            }
            if step % 50 == 25 { sensors[0].disconnect() }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Prints the values that the gateway publishes, until there were `count` values or the gateway ends.
    private func watch(count: Int) async {
        let central = CentralManager(backend: radio.central())
        do { try await read(central, count: count) } catch { log("the watching central: \(error)") }
        await central.invalidate()
    }

    private func read(_ central: CentralManager, count: Int) async throws {
        try await central.whenPoweredOn(timeout: .seconds(5))
        let gateway = try await central.firstDiscovery(for: [Publisher.uuid], timeout: .seconds(20)).peripheral
        try await gateway.connect(timeout: .seconds(5))
        try await gateway.discover([Publisher.uuid], timeout: .seconds(5))
        let temperature = try gateway.characteristic(Temperature.self)
        var left = count
        for try await mean in try await temperature.notifications() {
            log("mean \(mean.value ?? .nan) °C")
            left -= 1
            if left == 0 { break }
        }
    }
}
