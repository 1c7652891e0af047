// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

/// The examples of the article "GATT profiles" with a peripheral.
@Suite("GATT profiles of a peripheral", .timeLimit(.minutes(60)))
struct PeripheralExamples {
    @Test func `characteristics are made of profiles, one by one, with their initial values`() {
        let service = MutableService(profile: ConfiguredServiceProfile<AccelerometerService>())
        let data = MutableCharacteristic(profile: RawArrayCharacteristicProfile<ArrayData>())
        let enabled = MutableCharacteristic(profile: RawCharacteristicProfile<Enabled>())
        service.characteristics = [data, enabled]
        #expect(service.uuid == AccelerometerService.uuid)
        #expect(service.characteristics.map(\.uuid) == [ArrayData.uuid, Enabled.uuid])
        #expect(data.stringValue == ["value1": "1", "value2": "2"])
        #expect(enabled.stringValue == ["Accelerometer Enabled": "No"])
    }

    @Test func `characteristics are made of the service's profile, all at once`() {
        let service = MutableService(
            profile: ConfiguredServiceProfile<AccelerometerService>(characteristics: [
                RawCharacteristicProfile<Enabled>(),
                RawArrayCharacteristicProfile<ArrayData>(),
            ]))
        service.characteristicsFromProfiles()
        #expect(service.characteristics.map(\.name) == ["Accelerometer Enabled", "Accelerometer Data"])
    }
}
