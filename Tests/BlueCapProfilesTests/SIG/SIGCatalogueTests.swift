// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("The catalogue of the Bluetooth SIG's profiles", .timeLimit(.minutes(60)))
struct SIGCatalogueTests {
    @Test func `no two services share a UUID, nor two characteristics of one service`() {
        let services = BLESIGGATTProfiles.services
        #expect(Set(services.map(\.uuid)).count == services.count)
        for service in services {
            #expect(Set(service.characteristics.map(\.uuid)).count == service.characteristics.count)
            #expect(!service.characteristics.isEmpty, "\(service)")
        }
    }

    @Test func `a manager knows every service and characteristic by name`() {
        let manager = ProfileManager.standard
        #expect(manager.services.map(\.uuid) == BLESIGGATTProfiles.services.map(\.uuid))
        #expect(manager.service(withUUID: "180D")?.name == "Heart Rate")
        #expect(manager.characteristicProfile("2A37", in: "180D").name == "Heart Rate Measurement")
        #expect(manager.services.allSatisfy { $0.tag == BluetoothSIG.tag })
    }

    @Test func `every value that a peripheral offers first is one of its type`() {
        for service in BLESIGGATTProfiles.services {
            for characteristic in service.characteristics {
                guard let value = characteristic.initialValue else { continue }
                let text = characteristic.stringValue(value)
                #expect(text != nil, "\(characteristic)")
                #expect(text.flatMap { characteristic.bytes(fromString: $0) } == value, "\(characteristic)")
            }
        }
    }

    @Test
    func `what can be read can be read by permission, and what can be written by permission too`() {
        for characteristic in BLESIGGATTProfiles.services.flatMap(\.characteristics) {
            let properties = characteristic.properties
            let permissions = characteristic.permissions
            if properties.contains(.read) {
                #expect(!permissions.isDisjoint(with: [.readable, .readEncryptionRequired]), "\(characteristic)")
            }
            if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
                #expect(!permissions.isDisjoint(with: [.writeable, .writeEncryptionRequired]), "\(characteristic)")
            }
        }
    }
}
