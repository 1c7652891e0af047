// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@Suite("Profiles of characteristics", .timeLimit(.minutes(60)))
struct CharacteristicProfileTests {
    @Test func `a profile of a UUID alone is unknown, for everybody, and without a value`() {
        let profile = CharacteristicProfile(uuid: "2A19")
        #expect(profile.uuid == "2A19")
        #expect(profile.name == "Unknown")
        #expect(profile.permissions == [.readable, .writeable])
        #expect(profile.properties == [.read, .write, .notify])
        #expect(profile.initialValue == nil)
        #expect(profile.stringValues == [])
    }

    @Test func `a profile keeps what it is made of`() {
        let profile = CharacteristicProfile(
            uuid: "2A19", name: "Level", permissions: .readEncryptionRequired, properties: .indicate, initialValue: [7])
        #expect(profile.name == "Level")
        #expect(profile.permissions == .readEncryptionRequired)
        #expect(profile.properties == .indicate)
        #expect(profile.initialValue == [7])
    }

    @Test func `a property or permission is enabled when all of it is there`() {
        let profile = CharacteristicProfile(uuid: "2A19", name: "Level", permissions: .readable, properties: [.read])
        #expect(profile.propertyEnabled(.read))
        #expect(!profile.propertyEnabled([.read, .notify]))
        #expect(profile.permissionEnabled(.readable))
        #expect(!profile.permissionEnabled(.writeable))
    }

    @Test func `without a type the text is hexadecimal, under the name`() {
        let profile = CharacteristicProfile(uuid: "2A19", name: "Level")
        #expect(profile.stringValue([0x01, 0xff]) == ["Level": "01ff"])
        #expect(profile.bytes(fromString: ["Level": "01FF"]) == [0x01, 0xff])
    }

    @Test(arguments: ["Other", "Level"])
    func `text under another name, or that is not hexadecimal, means nothing`(name: String) {
        #expect(CharacteristicProfile(uuid: "2A19", name: "Level").bytes(fromString: [name: "0g"]) == nil)
    }

    @Test func `a profile of a type has the type's configuration`() {
        let profile = RawCharacteristicProfile<Sample.Enabled>()
        #expect(profile.uuid == "2A19")
        #expect(profile.name == "Level Enabled")
        #expect(profile.properties == [.read, .write])
        #expect(profile.permissions == [.readable])
        #expect(profile.initialValue == [1])
        #expect(profile.stringValues == ["No", "Yes"])
    }

    @Test func `a raw value goes both ways`() throws {
        let profile = RawCharacteristicProfile<Sample.Enabled>()
        #expect(try profile.decode(profile.encode(.yes)) == .yes)
        #expect(profile.stringValue([0]) == ["Level Enabled": "No"])
        #expect(profile.bytes(fromString: ["Level Enabled": "Yes"]) == [1])
    }

    @Test func `an array goes both ways`() throws {
        let profile = RawArrayCharacteristicProfile<Sample.Axes>()
        let value = try #require(Sample.Axes(rawValue: [1, -2]))
        #expect(try profile.decode(profile.encode(value)) == value)
        #expect(profile.stringValue([1, 0, 0xfe, 0xff]) == ["x": "1", "y": "-2"])
        #expect(profile.bytes(fromString: ["x": "1", "y": "-2"]) == [1, 0, 0xfe, 0xff])
    }

    @Test func `a pair goes both ways`() throws {
        let profile = RawPairCharacteristicProfile<Sample.Pair>()
        let value = Sample.Pair(rawValue1: 200, rawValue2: -2)
        #expect(try profile.decode(profile.encode(value)) == value)
        #expect(profile.stringValue([200, 0xfe, 0xff]) == ["first": "200", "second": "-2"])
        #expect(profile.bytes(fromString: ["first": "200", "second": "-2"]) == [200, 0xfe, 0xff])
    }

    @Test func `a pair of arrays goes both ways`() throws {
        let profile = RawArrayPairCharacteristicProfile<Sample.Table>()
        let value = try #require(Sample.Table(rawValue1: [258], rawValue2: [-1]))
        #expect(try profile.decode(profile.encode(value)) == value)
        #expect(profile.stringValue([2, 1, 0xff]) == ["c": "258", "d": "-1"])
        #expect(profile.bytes(fromString: ["c": "258", "d": "-1"]) == [2, 1, 0xff])
    }

    @Test(arguments: [[], [2], [0, 0]] as [Bytes])
    func `bytes that are no value of the type have no text`(bytes: Bytes) {
        #expect(RawCharacteristicProfile<Sample.Enabled>().stringValue(bytes) == nil)
    }

    @Test(arguments: [[:], ["Level Enabled": "Maybe"], ["": "Yes"]])
    func `text that is no value of the type has no bytes`(text: [String: String]) {
        #expect(RawCharacteristicProfile<Sample.Enabled>().bytes(fromString: text) == nil)
    }

    @Test func `a profile in a list keeps the text of its type`() {
        let profiles: [any CharacteristicProfileProtocol] = [
            CharacteristicProfile(uuid: "2A00"), RawCharacteristicProfile<Sample.Enabled>(),
            StringCharacteristicProfile<Sample.SerialNumber>(),
        ]
        #expect(profiles.map(\.name) == ["Unknown", "Level Enabled", "Serial Number"])
        #expect(profiles.map { $0.profile.stringValue([0x31]) } == [["Unknown": "31"], nil, ["Serial Number": "1"]])
    }

    @Test func `a text is UTF-8 unless another encoding is asked for, and its initial value is kept`() {
        let profile = StringCharacteristicProfile<Sample.SerialNumber>()
        #expect(profile.initialValue == [0x41, 0x41, 0x41, 0x31, 0x31])
        #expect(profile.stringValue([0xc3, 0xa9]) == ["Serial Number": "é"])
        #expect(profile.bytes(fromString: ["Serial Number": "é"]) == [0xc3, 0xa9])
        #expect(profile.stringValue([0xe9]) == nil)
        let latin = StringCharacteristicProfile<Sample.SerialNumber>(encoding: .latin1)
        #expect(latin.stringValue([0xe9]) == ["Serial Number": "é"])
        #expect(latin.encode("é") == [0xe9])
        #expect(latin.encode("€") == nil)
    }

    @Test func `bytes that are no text say where`() {
        #expect(throws: SerDeError.invalidText(offset: 0)) {
            try StringCharacteristicProfile<Sample.SerialNumber>().decode([0xff])
        }
    }
}
