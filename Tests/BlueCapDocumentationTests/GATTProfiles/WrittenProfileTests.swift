// SPDX-License-Identifier: MIT

import BlueCap
import Foundation
import Testing

/// Profiles that are declared in Swift, as a file.
@Suite("Profiles in Swift become a file", .timeLimit(.minutes(60)))
struct WrittenProfileTests {
    private enum Lamp: ServiceConfigurable {
        static let uuid: BluetoothUUID = "F000AA80-0451-4000-B000-000000000000"
        static let name = "Lamp"
        static let tag = "My Services"
    }

    private enum Switch: UInt8, RawDeserializable, TextChoice, CharacteristicConfigurable {
        case off = 3
        case on = 7

        static let uuid: BluetoothUUID = "F000AA81-0451-4000-B000-000000000000"
        static let name = "Switch"
        static let properties: CharacteristicProperties = [.read, .write]
        static let permissions: AttributePermissions = [.readable, .writeEncryptionRequired]
        static let initialValue: Bytes = [3]

        var choice: String { self == .on ? "On" : "Off" }
    }

    /// Two numbers, of which one is scaled, and one byte that is a word.
    private struct Climate: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding {
        static let uuid: BluetoothUUID = "F000AA82-0451-4000-B000-000000000000"
        static let name = "Climate"
        static let properties: CharacteristicProperties = [.read, .notify]
        static let textFields: [TextField<Self>] = [
            TextField(
                "temperature", unit: "°C", text: { "\(Double($0.temperature) / 10)" },
                parse: { value, text in
                    guard let number = Double(text), abs(number) < 3276 else { return false }
                    value.temperature = Int16((number * 10).rounded())
                    return true
                }), TextField("count", \.count),
        ]

        var temperature: Int16 = 0
        var count: UInt32 = 0

        init() {}

        init(from reader: inout ByteReader) throws(SerDeError) {
            temperature = try Int16(from: &reader)
            count = try UInt32(from: &reader)
        }

        var encodedByteCount: Int { 6 }

        func encode(into output: inout OutputRawSpan) {
            temperature.encode(into: &output)
            count.encode(into: &output)
        }
    }

    private enum Owner: CharacteristicConfigurable {
        static let uuid: BluetoothUUID = "F000AA83-0451-4000-B000-000000000000"
        static let name = "Owner"
    }

    private static let lamp = ConfiguredServiceProfile<Lamp>(characteristics: [
        RawCharacteristicProfile<Switch>(), ValueCharacteristicProfile<Climate>(), StringCharacteristicProfile<Owner>(),
        CharacteristicProfile(uuid: "FFF9", name: "Blob", properties: .read, initialValue: [1, 2]),
    ])

    @Test func `with names, operations, first values and fields, by which values are read`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let lamp = Self.lamp
        let profiles = ProfileManager(services: [lamp])
        try Data(profiles.json.utf8).write(to: file)
        let read = try ProfileManager(json: Data(contentsOf: file))
        let service = try #require(read.services.first)
        #expect(service.uuid == Lamp.uuid && service.name == "Lamp" && service.tag == "My Services")
        for (found, declared) in zip(service.characteristics, lamp.characteristics) {
            #expect(found.uuid == declared.uuid && found.name == declared.name)
            #expect(found.properties == declared.properties && found.permissions == declared.permissions)
            #expect(found.initialValue == declared.initialValue)
        }
        let all = service.characteristics
        #expect(all.count == 4)
        #expect(all[0].stringValues == ["Off", "On"] && all[0].stringValue([7]) == ["Switch": "On"])
        #expect(all[0].bytes(fromString: ["Switch": "Off"]) == [3])
        #expect(all[1].stringValue([0xEB, 0xFF, 5, 0, 0, 1]) == ["temperature": "-2.1", "count": "16777221"])
        #expect(all[1].units == ["temperature": "°C"])
        #expect(all[1].bytes(fromString: ["temperature": "25.5", "count": "1"]) == [0xFF, 0, 1, 0, 0, 0])
        #expect(all[2].stringValue(Bytes("Anna".utf8)) == ["Owner": "Anna"])
        #expect(all[3].stringValue([1, 2]) == ["Blob": "0102"])
    }

    @Test(arguments: ProfileManager.all.services)
    func `the file of each service of the library is read again, and says nothing else than its types`(
        service: ServiceProfile
    ) throws {
        let json = ProfileManager(services: [service]).json
        let read = try #require(try ProfileManager(json: json.utf8).services.first)
        #expect(read.characteristics.map(\.uuid) == service.characteristics.map(\.uuid))
        var chance = SeededGenerator(seed: 1)
        for (found, declared) in zip(read.characteristics, service.characteristics) where !found.units.isEmpty {
            #expect(found.units == declared.units)
            for _ in 0..<50 {
                let count = declared.initialValue?.count ?? 4
                let bytes = Bytes((0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) })
                guard let texts = declared.stringValue(bytes) else { continue }
                for (name, text) in texts {
                    let other = found.stringValue(bytes)?[name]
                    let isSame =
                        other == text
                        || Double(text).map { number in abs((other.flatMap { Double($0) } ?? .nan) - number) < 1e-3 }
                            ?? false
                    #expect(isSame, "\(declared) \(bytes.hex): \(text), and \(other ?? "-") by the file")
                }
            }
        }
    }

    @Test func `most values of the library have fields in the file`() throws {
        let json = ProfileManager.all.json
        let read = try ProfileManager(json: json.utf8)
        let all = read.services.flatMap(\.characteristics)
        // Those in hexadecimal are one field under the name of the characteristic.
        let found = json.components(separatedBy: #""fields" : ["#).count - 1
        #expect(found * 2 > all.count, "\(found) of \(all.count)")
    }
}
