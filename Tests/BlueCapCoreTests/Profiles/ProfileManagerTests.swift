// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@Suite("Profiles of services", .timeLimit(.minutes(60)))
struct ProfileManagerTests {
    @Test func `a service has its type's configuration, and is tagged Miscellaneous without a tag`() {
        let battery = ConfiguredServiceProfile<Sample.Service>()
        #expect(battery.uuid == "180F")
        #expect(battery.name == "Battery")
        #expect(battery.tag == "Samples")
        #expect(ConfiguredServiceProfile<Sample.Untagged>().tag == "Miscellaneous")
        #expect(ServiceProfile(uuid: "180F", name: "Battery").tag == "Miscellaneous")
    }

    @Test
    func `characteristics stay in the order in which they were added, the last of one UUID in its first place`() {
        var service = ServiceProfile(uuid: "180F", name: "Battery")
        service.addCharacteristic(CharacteristicProfile(uuid: "2A19", name: "Old"))
        service.addCharacteristic(StringCharacteristicProfile<Sample.SerialNumber>())
        service.addCharacteristic(RawCharacteristicProfile<Sample.Enabled>())
        #expect(service.characteristics.map(\.name) == ["Level Enabled", "Serial Number"])
        #expect(service.characteristicProfile(withUUID: "2A19").stringValue([1]) == ["Level Enabled": "Yes"])
    }

    @Test func `characteristics may be given with the service`() {
        let service = ConfiguredServiceProfile<Sample.Service>(
            characteristics: [RawCharacteristicProfile<Sample.Enabled>(), RawPairCharacteristicProfile<Sample.Pair>()])
        #expect(service.characteristics.map(\.uuid) == ["2A19", "FFE2"])
    }

    @Test func `a characteristic that was not added gets an unknown profile with its own UUID`() {
        let profile = ServiceProfile(uuid: "180F", name: "Battery").characteristicProfile(withUUID: "2A00")
        #expect(profile.uuid == "2A00")
        #expect(profile.name == "Unknown")
    }

    @Test func `of two services with one UUID the last wins, in the first one's place`() {
        var profiles = ProfileManager(services: [ServiceProfile(uuid: "180F", name: "First")])
        profiles.addService(ServiceProfile(uuid: "180A", name: "Second"))
        profiles.addService(ConfiguredServiceProfile<Sample.Service>())
        #expect(profiles.services.map(\.name) == ["Battery", "Second"])
        #expect(profiles.service(withUUID: "180F")?.name == "Battery")
    }

    @Test func `a service that was not added has no profile, and its characteristics unknown ones`() {
        let profiles = ProfileManager()
        #expect(profiles.service(withUUID: "180F") == nil)
        #expect(profiles.characteristicProfile("2A19", in: "180F").name == "Unknown")
    }

    @Test func `a characteristic is looked up in its own service only`() {
        var profiles = ProfileManager()
        profiles.addService(
            ConfiguredServiceProfile<Sample.Service>(characteristics: [RawCharacteristicProfile<Sample.Enabled>()]))
        profiles.addService(ConfiguredServiceProfile<Sample.Untagged>())
        #expect(profiles.characteristicProfile("2A19", in: "180F").name == "Level Enabled")
        #expect(profiles.characteristicProfile("2A19", in: "FFE0").name == "Unknown")
    }

    @Test func `what is added to a service after it was handed over is not seen`() {
        var service = ConfiguredServiceProfile<Sample.Service>()
        var profiles = ProfileManager()
        profiles.addService(service)
        service.addCharacteristic(RawCharacteristicProfile<Sample.Enabled>())
        #expect(profiles.service(withUUID: "180F")?.characteristics.count == 0)
        #expect(service.characteristics.count == 1)
    }

    @Test func `of two managers added together the second one's profiles count, and neither changes`() {
        let first = ProfileManager(services: [ServiceProfile(uuid: "180F", name: "First")])
        let second = ProfileManager(services: [
            ServiceProfile(uuid: "180F", name: "Second"), ServiceProfile(uuid: "180D", name: "Other"),
        ])
        #expect(first.adding(second).services.map(\.name) == ["Second", "Other"])
        #expect(first.services.map(\.name) == ["First"])
    }

    @Test func `a manager is described by the names of its services`() {
        let services = [
            ServiceProfile(uuid: "180D", name: "Heart Rate"), ServiceProfile(uuid: "180F", name: "Battery"),
        ]
        #expect("\(ProfileManager(services: services))" == "ProfileManager(Heart Rate, Battery)")
    }
}
