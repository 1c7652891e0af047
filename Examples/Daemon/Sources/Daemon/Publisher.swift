// SPDX-License-Identifier: MIT

import BlueCap

/// The peripheral half: offers the mean temperature to centrals.
struct Publisher: Sendable {
    typealias Temperature = EnvironmentalSensingService.Temperature

    /// The gateway's own service. With the UUID of the sensors' service, two gateways would collect each other's means.
    static let uuid: BluetoothUUID = "7D9C0001-5C8A-4B37-9E05-0C0A3D9B7E21"

    let manager: PeripheralManager
    private let service: MutableService
    private let temperature: MutableCharacteristic
    /// Whether the manager offers and advertises the service by itself, as a run before this one did.
    private let isRestored: Bool

    init(manager: PeripheralManager) async {
        self.manager = manager
        var restored: RestoredPeripheralState?
        do { restored = try await manager.restoredState() } catch { log("\(error)") }
        let service = restored?.services.first { $0.uuid == Self.uuid }
        if let service, let temperature = service.characteristics.first, restored?.advertisement != nil {
            (self.service, self.temperature, isRestored) = (service, temperature, true)
        } else {
            // The run before this one was killed before it was done.
            await manager.reset()
            temperature = MutableCharacteristic(
                uuid: Temperature.uuid, properties: [.read, .notify], permissions: .readable)
            self.service = MutableService(uuid: Self.uuid)
            self.service.characteristics = [temperature]
            isRestored = false
        }
        // A central that subscribes is interested in the present.
        temperature.updatePolicy = .none
    }

    /// Offers and advertises the service until the task is cancelled.
    func run() async {
        var isOffered = isRestored
        while !Task.isCancelled {
            // Failures of this attempt alone: the refusals of an earlier one do not count.
            let failures = manager.registrationFailures()
            do {
                try await manager.whenPoweredOn()
                if !isOffered {
                    try await manager.add(service, timeout: .seconds(10))
                    try await manager.startAdvertising("Gateway", serviceUUIDs: [Self.uuid], timeout: .seconds(10))
                }
                isOffered = false
                log("advertising")
                // The manager brings both back after the radio was off or bluetoothd was restarted. It reports here the
                // registrations that it could not bring back.
                for await failure in failures {
                    log("\(failure)")
                    break
                }
            } catch {
                log("publishing: \(error)")
            }
            if Task.isCancelled { return }
            await manager.reset()
            try? await Task.sleep(for: .seconds(10))
        }
    }

    /// Gives a new value to readers and subscribers.
    func publish(_ value: Temperature) {
        do {
            try temperature.update(value)
        } catch {
            // The service is not added at the moment: a reader gets the value later.
            temperature.value = SerDe.serialize(value)
        }
    }

    /// Says, once, that the temperature is not known any more.
    func withdraw() {
        let unknown = Temperature(rawValue: .min)
        if temperature.value != nil, temperature.value != SerDe.serialize(unknown) { publish(unknown) }
    }
}
