// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

/// The examples of the article "GATT profiles", each with its result.
@Suite("GATT profile definition", .timeLimit(.minutes(60)))
struct GATTProfileTests {
    @Test func `ServiceProfile: a service is declared by its parts`() {
        var serviceProfile = ServiceProfile(uuid: "F000AA10-0451-4000-B000-000000000000", name: "Cool Service")
        serviceProfile.addCharacteristic(RawCharacteristicProfile<Enabled>())
        #expect(serviceProfile.uuid == AccelerometerService.uuid)
        #expect(serviceProfile.name == "Cool Service")
        #expect(serviceProfile.tag == "Miscellaneous")
        #expect(serviceProfile.characteristics.map(\.name) == ["Accelerometer Enabled"])
    }

    @Test func `ConfiguredServiceProfile: a service is declared by a type`() {
        let serviceProfile = ConfiguredServiceProfile<AccelerometerService>()
        #expect(serviceProfile.uuid == "F000AA10-0451-4000-B000-000000000000")
        #expect(serviceProfile.name == "TI Accelerometer")
        #expect(serviceProfile.tag == "TI Sensor Tag")
    }

    @Test func `CharacteristicProfile: without a type the text is hexadecimal`() {
        let profile = CharacteristicProfile(
            uuid: "F000AA12-0451-4000-B000-000000000000", name: "Accelerometer Enabled", properties: [.read, .write])
        let text = profile.stringValue([0x01])  // ["Accelerometer Enabled": "01"]
        let bytes = profile.bytes(fromString: ["Accelerometer Enabled": "00"])  // 00
        let canNotify = profile.propertyEnabled(.notify)  // false
        #expect(text == ["Accelerometer Enabled": "01"])
        #expect(bytes == [0])
        #expect(!canNotify)
        #expect(profile.permissionEnabled(.writeable))
        #expect(CharacteristicProfile(uuid: "F000AA12-0451-4000-B000-000000000000").name == "Unknown")
    }

    @Test func `RawCharacteristicProfile: an enum has a text for each case`() throws {
        let profile = RawCharacteristicProfile<Enabled>()
        let text = profile.stringValue([0x01])  // ["Accelerometer Enabled": "Yes"]
        let bytes = profile.bytes(fromString: ["Accelerometer Enabled": "No"])  // 00
        let value = try profile.decode([0x01])  // .yes
        #expect(text == ["Accelerometer Enabled": "Yes"])
        #expect(bytes == [0])
        #expect(value == .yes)
        #expect(profile.stringValues == ["No", "Yes"])
        #expect(profile.initialValue == [0])
    }

    @Test func `RawCharacteristicProfile: a value from text gives the text back`() {
        if let value = Enabled(stringValue: [Enabled.name: "Yes"]) {
            #expect(value.stringValue == [Enabled.name: "Yes"])
        } else {
            Issue.record("Yes is a value")
        }
        #expect(Enabled(stringValue: [Enabled.name: "yes"]) == nil)
    }

    @Test func `RawArrayCharacteristicProfile: an array has a text for each number`() throws {
        let profile = RawArrayCharacteristicProfile<ArrayData>()
        let text = profile.stringValue([1, 100])  // ["value1": "1", "value2": "100"]
        #expect(text == ["value1": "1", "value2": "100"])
        #expect(ArrayData(rawValue: [1, 100])?.rawValue == [1, 100])
        #expect(ArrayData(stringValue: ["value1": "1", "value2": "100"])?.stringValue == text)
        #expect(profile.initialValue == [1, 2])
    }

    @Test func `RawPairCharacteristicProfile: a pair has a text for each number`() {
        let profile = RawPairCharacteristicProfile<PairData>()
        let bytes = profile.bytes(fromString: ["value1": "1", "value2": "-2"])  // 01fe
        #expect(bytes == [1, 0xfe])
        #expect(
            PairData(stringValue: ["value1": "1", "value2": "-2"])?.stringValue == ["value1": "1", "value2": "-2"])
        #expect(profile.initialValue == [10, 0xf6])
    }

    @Test func `RawArrayPairCharacteristicProfile: a pair of arrays has a text for each number`() {
        let profile = RawArrayPairCharacteristicProfile<ArrayPairData>()
        let text = ["value11": "1", "value12": "2", "value21": "-1", "value22": "-2"]
        let bytes = profile.bytes(fromString: text)  // 0102fffe
        #expect(bytes == [1, 2, 0xff, 0xfe])
        #expect(ArrayPairData(stringValue: text)?.stringValue == text)
        #expect(profile.initialValue == [1, 2, 0xff, 0xfe])
    }

    @Test
    func `StringCharacteristicProfile: a text needs a configuration only, and keeps its initial value`() {
        let profile = StringCharacteristicProfile<SerialNumber>()
        let text = profile.stringValue(SerDe.serialize("BBB22"))  // ["Device Serial Number": "BBB22"]
        #expect(text == ["Device Serial Number": "BBB22"])
        #expect(profile.uuid == "2A25")
        #expect(profile.initialValue == SerDe.serialize("AAA11"))
    }

    @Test func `ProfileManager: services are found by their UUIDs, and their characteristics in them`() {
        var profileManager = ProfileManager()

        // The profile of the service.
        var serviceProfile = ConfiguredServiceProfile<AccelerometerService>()

        // The profiles of its characteristics.
        let enabledProfile = RawCharacteristicProfile<Enabled>()
        let rawArrayProfile = RawArrayCharacteristicProfile<ArrayData>()

        // Characteristics go into the service, the service into the manager.
        serviceProfile.addCharacteristic(enabledProfile)
        serviceProfile.addCharacteristic(rawArrayProfile)
        profileManager.addService(serviceProfile)
        #expect(profileManager.services.map(\.name) == ["TI Accelerometer"])
        let found = profileManager.characteristicProfile(Enabled.uuid, in: AccelerometerService.uuid)
        #expect(found.name == "Accelerometer Enabled")
    }

    @Test func `ProfileManager: the same in one expression`() {
        let profiles = ProfileManager(services: [
            ConfiguredServiceProfile<AccelerometerService>(characteristics: [
                RawCharacteristicProfile<Enabled>(),
                RawArrayCharacteristicProfile<ArrayData>(),
            ])
        ])
        #expect(profiles.service(withUUID: AccelerometerService.uuid)?.characteristics.count == 2)
    }

    @Test func `Add a profile of your own: it is added to whichever manager is given`() {
        var profiles = ProfileManager()
        MyServices.create(profileManager: &profiles)
        let profile = profiles.characteristicProfile(MyServices.Number.uuid, in: MyServices.NumberService.uuid)
        #expect(profiles.services.map(\.tag) == ["My Services"])
        #expect(profile.name == "Number")
        #expect(profile.stringValue([22, 0]) == ["Number": "22"])
        #expect(profile.initialValue == [22, 0])
    }
}
