// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@Suite("Declarations", .timeLimit(.minutes(60)))
struct DeclarationTests {
    @Test func `each property has a name of its own, by which it is found`() {
        for bit in 0..<10 {
            let property = CharacteristicProperties(rawValue: 1 << bit)
            #expect(property.names.count == 1)
            #expect(property.names.first.flatMap(CharacteristicProperties.init(name:)) == property)
        }
        #expect(CharacteristicProperties(name: "Read") == nil)
        #expect(CharacteristicProperties(name: "") == nil)
        #expect(CharacteristicProperties([.notify, .read]).description == "read, notify")
    }

    @Test func `each permission has a name of its own, by which it is found`() {
        for bit in 0..<8 {
            let permission = AttributePermissions(rawValue: 1 << bit)
            #expect(permission.names.count == 1)
            #expect(permission.names.first.flatMap(AttributePermissions.init(name:)) == permission)
        }
        #expect(AttributePermissions(name: "read") == nil)
        #expect(AttributePermissions([.writeable, .readable]).description == "readable, writeable")
    }

    private struct Sample: TextFieldCoding {
        var force: Int = 0
        var mark: Int?

        static let textFields: [TextField<Self>] = [
            TextField("force", unit: "N", \.force), TextField("mark", \.mark),
        ]
    }

    private struct Plain: StringDeserializable {
        var stringValue: [String: String] { [:] }
        init?(stringValue: [String: String]) { nil }
    }

    @Test func `a value has the units of its fields, and none where it declares none`() {
        #expect(Sample.units == ["force": "N"])
        #expect(Plain.units.isEmpty)
        #expect(Sample(stringValue: ["force": "3"])?.stringValue == ["force": "3"])
    }
}
