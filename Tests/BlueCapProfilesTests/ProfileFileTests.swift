// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import Foundation
import Testing

@Suite("Profiles from a file", .timeLimit(.minutes(60)))
struct ProfileFileTests {
    /// The profile of a characteristic whose layout is some JSON.
    func profile(_ layout: String) throws -> CharacteristicProfile {
        let file = try decode(
            """
            {"schema": "bluecap-profiles", "version": 1, "services": [{"uuid": "FFF0", "name": "S", "characteristics": [
                {"uuid": "FFF1", "name": "C", \(layout)}
            ]}]}
            """)
        return try #require(file.services.first?.characteristics.first)
    }

    private func decode(_ json: String) throws -> ProfileFile {
        try JSONDecoder().decode(ProfileFile.self, from: Data(json.utf8))
    }

    /// Expects that bytes and texts stand for each other.
    func expect(
        _ layout: String, _ hex: String, _ texts: [String: String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let profile = try profile(layout)
        #expect(profile.stringValue(try Bytes(hex: hex)) == texts, sourceLocation: sourceLocation)
        #expect(profile.bytes(fromString: texts)?.hex == hex, sourceLocation: sourceLocation)
    }

    @Test func `services and characteristics have names, tags, properties and initial values`() throws {
        let file = try decode(
            """
            {"schema": "bluecap-profiles", "version": 1, "services": [
                {"uuid": "F000AA10-0451-4000-B000-000000000000", "name": "Lamp", "tag": "Home", "characteristics": [
                    {"uuid": "FFF1", "name": "Level", "properties": ["read", "notify"], "initialValue": "0a",
                     "fields": [{"name": "Level", "type": "uint8"}]},
                    {"uuid": "FFF2", "name": "Key"}
                ]},
                {"uuid": "180F", "name": "Mine"}
            ]}
            """)
        #expect(file.services.map(\.name) == ["Lamp", "Mine"])
        #expect(file.services.map(\.tag) == ["Home", "Miscellaneous"])
        let (level, key) = (file.services[0].characteristics[0], file.services[0].characteristics[1])
        #expect(level.properties == [.read, .notify])
        #expect(level.initialValue == [10])
        #expect(level.stringValue([10]) == ["Level": "10"])
        #expect(key.properties == [.read, .write, .notify])
        #expect(key.stringValue([10]) == ["Key": "0a"])
    }

    @Test func `a type that there is not is named, beside those that there are`() {
        let error = #expect(throws: DecodingError.self) {
            try profile(#""fields": [{"name": "A", "type": "u16"}]"#)
        }
        guard case .dataCorrupted(let context)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(context.debugDescription.contains("\"u16\" is none of uint8, int8, uint16,"))
    }

    @Test func `of a type that there is not no more than 64 characters are named`() {
        let error = #expect(throws: DecodingError.self) {
            try profile("\"fields\": [{\"name\": \"A\", \"type\": \"\(String(repeating: "u", count: 1000))\"}]")
        }
        guard case .dataCorrupted(let context)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(context.debugDescription.hasPrefix("\"\(String(repeating: "u", count: 64))\" is none of uint8,"))
    }

    @Test func `a characteristic has the permissions of the file, and else can be read and written`() throws {
        #expect(try profile(#""fields": []"#).permissions == [.readable, .writeable])
        #expect(try profile(#""permissions": []"#).permissions == [])
        let layout = #""permissions": ["readable", "writeEncryptionRequired"]"#
        #expect(try profile(layout).permissions == [.readable, .writeEncryptionRequired])
        let fields = #", "fields": [{"name": "v", "type": "uint8"}]"#
        #expect(try profile(layout + fields).permissions == [.readable, .writeEncryptionRequired])
    }

    @Test func `a file can name every property and every permission`() throws {
        let properties = CharacteristicProperties(rawValue: 0x3FF)
        #expect(try profile("\"properties\": \(properties.names)").properties == properties)
        let permissions = AttributePermissions(rawValue: 0xFF)
        #expect(try profile("\"permissions\": \(permissions.names)").permissions == permissions)
    }

    @Test func `a field has the unit of the file, which is no part of its text`() throws {
        let layout = #"""
            "flags": "uint8", "fields": [
                {"name": "temperature", "type": "int16", "scale": 0.1, "unit": "°C"}, {"name": "count", "type": "uint8"},
                {"name": "zone", "type": "bits", "bits": [0, 1], "unit": "zones"}
            ]
            """#
        #expect(try profile(layout).units == ["temperature": "°C", "zone": "zones"])
        try expect(layout, "02e60005", ["temperature": "23.0", "count": "5", "zone": "2"])
        #expect(try profile(#""fields": []"#).units.isEmpty)
    }

    @Test(arguments: [
        ("uint8", "ff", "255"), ("int8", "ff", "-1"), ("uint16", "0201", "258"), ("int16", "feff", "-2"),
        ("uint24", "010203", "197121"), ("int24", "ffffff", "-1"), ("uint32", "ffffffff", "4294967295"),
        ("int32", "00000080", "-2147483648"), ("uint40", "0000000001", "4294967296"), ("int48", "ffffffffffff", "-1"),
        ("uint48", "ffffffffffff", "281474976710655"), ("uint64", "ffffffffffffffff", "18446744073709551615"),
        ("int64", "0000000000000080", "-9223372036854775808"), ("float", "0000003f", "0.5"),
        ("double", "000000000000e03f", "0.5"), ("sfloat", "6df1", "36.5"), ("medfloat", "6d0100ff", "36.5"),
        ("utf8", "6869", "hi"), ("bytes", "00ff", "00ff"),
    ])
    func `every type of field goes both ways`(type: String, hex: String, text: String) throws {
        try expect("\"fields\": [{\"name\": \"v\", \"type\": \"\(type)\"}]", hex, ["v": text])
    }

    @Test func `a number is big-endian where the file says so`() throws {
        try expect(#""fields": [{"name": "v", "type": "int16", "bigEndian": true}]"#, "fffe", ["v": "-2"])
    }

    @Test(arguments: [
        (#""scale": 0.01"#, "c409", "25.00"), (#""scale": 0.015625"#, "0100", "0.015625"),
        (#""scale": 10"#, "0500", "50"), (#""offset": -40"#, "0000", "-40"),
        (#""scale": 0.5, "offset": 0.25"#, "0100", "0.75"), (#""scale": 1e-9"#, "0300", "0.000000003"),
        (#""scale": 1e-10"#, "0300", "0.0000000003"), (#""scale": 2.5e-12"#, "0300", "0.0000000000075"),
    ])
    func `a scaled number has the decimals of its scale`(scale: String, hex: String, text: String) throws {
        try expect("\"fields\": [{\"name\": \"v\", \"type\": \"int16\", \(scale)}]", hex, ["v": text])
    }

    @Test func `an enumeration has words, which the profile lists, and numbers for what has none`() throws {
        let layout = #""fields": [{"name": "v", "type": "uint8", "values": {"Yes": 1, "No": 0}}]"#
        #expect(try profile(layout).stringValues == ["No", "Yes"])
        try expect(layout, "01", ["v": "Yes"])
        try expect(layout, "07", ["v": "7"])
        try expect(#""fields": [{"name": "v", "type": "uint8", "values": {"half open": 1}}]"#, "01", ["v": "half open"])
        #expect(try profile(layout).bytes(fromString: ["v": "Maybe"]) == nil)
    }

    @Test func `a number that says that there is no value has no text`() throws {
        let layout = #""fields": [{"name": "a", "type": "int16", "unknown": -32768}, {"name": "b", "type": "uint8"}]"#
        try expect(layout, "008001", ["b": "1"])
        try expect(layout, "050001", ["a": "5", "b": "1"])
    }

    /// The layout of the Heart Rate Measurement (Heart Rate Service 1.0, 3.1).
    private static let heartRate = """
        "flags": "uint8", "fields": [
            {"name": "contact", "type": "bits", "bits": [1, 2], "values": {"none": 2, "good": 3}},
            {"name": "rate", "type": "uint16", "flag": 0, "else": "uint8"},
            {"name": "energy", "type": "uint16", "flag": 3},
            {"name": "RR", "type": "uint16", "flag": 4, "repeats": true}
        ]
        """

    @Test(arguments: [
        ("0648", ["contact": "good", "rate": "72"]), ("05 2c01", ["contact": "none", "rate": "300"]),
        ("0e48 0500", ["contact": "good", "rate": "72", "energy": "5"]),
        ("1848 0500 00040104", ["contact": "0", "rate": "72", "energy": "5", "RR": "1024 1025"]),
    ])
    func `flags say which fields are there and which form they have`(hex: String, texts: [String: String]) throws {
        try expect(Self.heartRate, hex.replacingOccurrences(of: " ", with: ""), texts)
    }

    @Test func `lists and texts are counted where the file says so`() throws {
        let layout = """
            "fields": [{"name": "n", "type": "int16", "counted": "uint8", "unknown": -1},
                       {"name": "t", "type": "utf8", "counted": "uint16"}, {"name": "rest", "type": "bytes"}]
            """
        try expect(layout, "02 0100 ffff 0200 6869 07".filter { $0 != " " }, ["n": "1 -", "t": "hi", "rest": "07"])
        try expect(layout, "000000", ["n": "", "t": "", "rest": ""])
        #expect(try profile(layout).bytes(fromString: ["t": "hi", "rest": "07"])?.hex == "000200686907")
        for hex in ["", "02", "0201", "ff0100", "000500", "0000ffff61"] {
            #expect(try profile(layout).stringValue(try Bytes(hex: hex)) == nil)
        }
    }

    @Test func `a text ends with its first zero, counted or not`() throws {
        try expectText(#"{"name": "t", "type": "utf8"}"#, ["4869": "Hi", "486900": "Hi", "48690000": "Hi", "00": ""])
        let counted = #"{"name": "t", "type": "utf8", "counted": "uint8"}"#
        try expectText(counted, ["024869": "Hi", "0448690000": "Hi", "0448690048": "Hi", "0100": ""])
    }

    private func expectText(_ field: String, _ texts: [String: String]) throws {
        let profile = try profile("\"fields\": [\(field)]")
        for (hex, text) in texts { #expect(profile.stringValue(try Bytes(hex: hex))?["t"] == text, "\(hex)") }
    }

    @Test(arguments: ["", "01", "010203"])
    func `bytes of another length are no value`(hex: String) throws {
        let profile = try profile(#""fields": [{"name": "v", "type": "uint16"}]"#)
        #expect(profile.stringValue(try Bytes(hex: hex)) == nil)
    }

    @Test(arguments: [[:], ["v": ""], ["v": "x"], ["v": "256"], ["v": "-1"]] as [[String: String]])
    func `a text that is missing, means nothing or is out of range is no value`(texts: [String: String]) throws {
        #expect(try profile(#""fields": [{"name": "v", "type": "uint8"}]"#).bytes(fromString: texts) == nil)
        #expect(try profile(#""fields": [{"name": "v", "type": "uint8", "scale": 1}]"#).bytes(fromString: texts) == nil)
    }

    @Test(arguments: [
        #""fields": [{"name": "v", "type": "uint7"}]"#, #""fields": [{"type": "uint8"}]"#,
        #""fields": [{"name": "", "type": "uint8"}]"#, #""fields": [{"name": "v", "type": "uint8", "scale": 0}]"#,
        #""fields": [{"name": "v", "type": "uint8"}, {"name": "v", "type": "uint8"}]"#,
        #""fields": [{"name": "v", "type": "utf8"}, {"name": "w", "type": "uint8"}]"#,
        #""fields": [{"name": "v", "type": "uint8", "flag": 0}]"#,
        #""flags": "uint8", "fields": [{"name": "v", "type": "uint8", "flag": 8}]"#,
        #""flags": "uint8", "fields": [{"name": "v", "type": "uint8", "flag": -1}]"#,
        #""flags": "int8", "fields": []"#, #""flags": "uint8", "fields": [{"name": "v", "type": "bits"}]"#,
        #""flags": "uint8", "fields": [{"name": "v", "type": "bits", "bits": [3, 2]}]"#,
        #""flags": "uint8", "fields": [{"name": "v", "type": "bits", "bits": [0, 64]}]"#,
        #""fields": [{"name": "v", "type": "uint16", "else": "uint8"}]"#,
        #""fields": [{"name": "v", "type": "float", "scale": 2}]"#,
        #""fields": [{"name": "v", "type": "utf8", "repeats": true}]"#,
        #""fields": [{"name": "v", "type": "uint8", "counted": "float"}]"#,
        #""fields": [{"name": "v", "type": "uint8", "unknown": 256}]"#,
        #""fields": [{"name": "v", "type": "uint8", "repeats": true, "values": {"half open": 1}}]"#,
        #""fields": [{"name": "v", "type": "uint8", "counted": "uint8", "values": {"-": 1}}]"#,
        #""fields": [{"name": "v", "type": "uint8", "repeats": true, "values": {"": 1}}]"#,
        #""properties": ["fly"]"#, #""permissions": ["read"]"#, #""properties": ["read, write"]"#,
        #""fields": [{"name": "v", "type": "uint8", "unit": ""}]"#,
        #""fields": [{"name": "v", "type": "uint8", "unit": "a unit with much more text than a unit has"}]"#,
        #""fields": [{"name": "v", "type": "utf8", "unit": "m"}]"#, #""initialValue": "0""#,
        #""initialValue": "0102", "fields": [{"name": "v", "type": "uint8"}]"#,
    ])
    func `a layout that cannot be is refused with the place in the file`(layout: String) throws {
        let error = #expect(throws: DecodingError.self) { try profile(layout) }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.first?.stringValue == "services")
    }

    @Test func `another schema and a newer version are refused as such`() {
        #expect(throws: ProfileFileError.notProfiles) { try decode(#"{"schema": "other", "version": 1}"#) }
        #expect(throws: ProfileFileError.notProfiles) { try decode("{}") }
        let newer = #"{"schema": "bluecap-profiles", "version": 2}"#
        #expect(throws: ProfileFileError.newerVersion(2)) { try decode(newer) }
    }

    @Test func `no bytes at all trap any layout`() throws {
        // A linear congruential generator, the same in every run.
        var state: UInt64 = 7
        func byte() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let layouts = [
            Self.heartRate, #""fields": [{"name": "n", "type": "uint48", "counted": "uint64"}]"#,
            #""fields": [{"name": "n", "type": "bytes", "counted": "uint64", "bigEndian": true}]"#,
        ]
        for layout in layouts {
            let profile = try profile(layout)
            for count in 0..<40 {
                let bytes = Bytes((0..<count).map { _ in byte() })
                if let texts = profile.stringValue(bytes) { _ = profile.bytes(fromString: texts) }
                _ = profile.stringValue(Bytes([UInt8](repeating: 0xFF, count: count)))
            }
        }
    }
}
