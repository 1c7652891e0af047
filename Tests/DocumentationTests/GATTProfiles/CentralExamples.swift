import BlueCapCore
import BlueCapSerDe

// What the article "GATT profiles" does with a central; compiled, so that it stays true.

func makeCentral(_ backend: some CentralBackend, _ profiles: ProfileManager) -> CentralManager {
    let central = CentralManager(backend: backend, configuration: .init(profiles: profiles))
    return central
}

func useTexts(_ peripheral: Peripheral) async throws {
    let enabled = try peripheral.characteristic(Enabled.uuid)
    print(enabled.name, enabled.stringValues)  // Accelerometer Enabled ["No", "Yes"]
    try await enabled.write(stringValue: ["Accelerometer Enabled": "Yes"])
    print(try await enabled.readStringValue())  // ["Accelerometer Enabled": "Yes"]

    let data = try peripheral.characteristic(ArrayData.uuid)
    for try await text in try await data.stringNotifications() {
        print(text["value1"] ?? "", text["value2"] ?? "")
    }
}

func switchOn(_ central: CentralManager) async throws {
    let profile = RawCharacteristicProfile<Enabled>()
    for await characteristic in await profile.afterDiscovered(by: central, capacity: .newest(10)) {
        try await characteristic.write(profile.encode(.yes))
    }
}
