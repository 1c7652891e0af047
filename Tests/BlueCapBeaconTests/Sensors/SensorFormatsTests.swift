// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTestExecutor
import Foundation
import Testing

@testable import BlueCapBeacon

@Suite("Formats of sensors", .timeLimit(.minutes(60)))
struct SensorFormatsTests {
    private func formats(_ text: String) throws -> SensorFormats { try SensorFormats(json: text.utf8) }

    private static func file(_ formats: String) -> String {
        #"{"schema": "bluecap-sensors", "version": 1, "formats": [\#(formats)]}"#
    }

    // MARK: The formats of the library

    @Test func `all formats of the library are read, and none stands twice`() throws {
        for text in SensorFormats.texts { #expect(throws: Never.self) { try formats(text) } }
        let names = SensorFormats.shipped.names
        #expect(Set(names).count == names.count)
        // That no two of them are possible for one frame is a rule within a file.
        let all = SensorFormats.texts.map { text in
            text.replacing(#"{"schema": "bluecap-sensors", "version": 1, "formats": ["#, with: "").dropLast(3)
        }
        let ofData = try formats(Self.file(all.joined(separator: ","))).names
        #expect(ofData + SensorFormats.coded.map(\.name) == names)
    }

    /// A frame of each format of the library, by its name.
    private static let frames: [(format: String, advertisement: PeripheralAdvertisements)] = {
        func data(_ company: UInt16, _ hex: String, _ name: String? = nil) -> PeripheralAdvertisements {
            PeripheralAdvertisements(localName: name, manufacturerData: [company: (try? Bytes(hex: hex)) ?? []])
        }
        func service(_ uuid: BluetoothUUID, _ hex: String) -> PeripheralAdvertisements {
            PeripheralAdvertisements(serviceData: [uuid: (try? Bytes(hex: hex)) ?? []])
        }
        return [
            ("RuuviTag 3", data(0x0499, "03291A1ECE1EFC18F94202CA0B53")),
            ("RuuviTag 5", data(0x0499, "0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F")),
            ("ATC1441", service("181A", "A4C138112233001A2B1E0BB805")),
            ("pvvx", service("181A", "33221138C1A4F60A8D13B80B640500")),
            ("Govee H5072", data(0xEC88, "0003A5B46400")), ("Govee H5074", data(0xEC88, "00C40A8D136402")),
            ("Govee H5100", data(0x0001, "010103A5B464", "GVH5100_1234")),
            ("Govee H5106", data(0x0001, "01010F1A2B3C", "GVH5106_1234")),
            ("Govee H5108", data(0x0001, "010103A5B4640000", "GVH5108_1234")),
            ("Govee H5178", data(0x0001, "01000103A5B4640000", "B51782BC8")),
            ("Govee H5191", data(0xAC63, "0000000000000000" + "0A280FA000000898" + "00000000")),
            ("Govee H5055", data(0x04CF, "0400461B061700FFFF2C01067300FFFF2C010000", "GVH5055_5F2D")),
            ("Inkbird IBS-TH", data(0x0A41, "8D130000006408", "sps")),
            ("ThermoPro TP35x", data(0xF1C2, "001D022C", "TP357 (2142)")),
            ("SwitchBot Meter", service("FD3D", "540064059C2D")),
            ("Mi Smart Scale", service("181D", "22A838E4070A0F081E00")),
            ("Eddystone telemetry", service("FEAA", "20000BB81900000000640000012C")),
        ]
    }()

    @Test func `a frame is known by its length, its first bytes, and the name of its device`() {
        for (format, advertisement) in Self.frames {
            #expect(SensorReading(advertisement)?.format == format)
        }
        for name in [nil, "GVH5999", "H5100", "gvh5100"] {
            var advertisement = Self.frames[6].advertisement
            advertisement.localName = name
            #expect(SensorReading(advertisement) == nil, "\(name ?? "-")")
        }
    }

    @Test func `a frame that is cut or longer is not of the format`() throws {
        for (format, advertisement) in Self.frames where format != "ThermoPro TP35x" {
            for (company, frame) in advertisement.manufacturerData {
                for other in (0..<frame.count).map({ Bytes(frame.prefix($0)) }) + [frame + [0], frame + frame] {
                    var changed = advertisement
                    changed.manufacturerData = [company: other]
                    #expect(SensorReading(changed)?.format != format, "\(format) \(other)")
                }
            }
            for (service, frame) in advertisement.serviceData {
                for other in (0..<frame.count).map({ Bytes(frame.prefix($0)) }) + [frame + [0], frame + frame] {
                    var changed = advertisement
                    changed.serviceData = [service: other]
                    #expect(SensorReading(changed)?.format != format, "\(format) \(other)")
                }
            }
        }
    }

    @Test(arguments: [1 as UInt64])
    func `random bytes are read to numbers or to nothing`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for format in SensorFormats.texts.flatMap({ (try? SensorFormats(json: $0.utf8).all) ?? [] }) {
            for _ in 0..<200 {
                let count = Int.random(in: format.parts.lengths, using: &random)
                var frame = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                if let pattern = format.parts.patterns.first {
                    for index in pattern.bytes.indices where pattern.mask[index] != 0 {
                        frame[index] = pattern.bytes[index]
                    }
                }
                let name = format.parts.names.first?.replacing("*", with: "")
                let reading = format.reading(of: Bytes(frame), name: name)
                let isFinite = reading?.values.allSatisfy { $0.number?.isFinite ?? true }
                #expect(isFinite == true, "\(format.name) \(Bytes(frame))")
            }
        }
    }

    @Test func `the bytes of a company belong to a frame only where it is the only one`() {
        var advertisement = PeripheralAdvertisements(
            localName: "TP357 (2142)", manufacturerData: [0xF1C2: [0x00, 0x1D, 0x02, 0x2C]])
        #expect(SensorReading(advertisement)?.description == "temperature 24.1 °C, humidity 29 %, battery 100 %")
        advertisement.manufacturerData[0xF2C2] = [0x00, 0x1D, 0x02, 0x2C]
        #expect(SensorReading(advertisement) == nil)
    }

    @Test func `a unit and a number of a probe follow from the frame`() throws {
        func scale(_ hex: String) throws -> String? {
            SensorReading(PeripheralAdvertisements(serviceData: ["181D": try Bytes(hex: hex)])).map { "\($0)" }
        }
        #expect(try scale("22A838E4070A0F081E00") == "mass 72.52 kg")
        #expect(try scale("23A838E4070A0F081E00") == "mass 145.04 lb")
        // Still swinging, and nobody on it any more.
        #expect(try scale("02A838E4070A0F081E00") == "")
        #expect(try scale("A2A838E4070A0F081E00") == "")
        let probes = PeripheralAdvertisements(
            manufacturerData: [0x1B36: try Bytes(hex: "000000000000020009C4FFFF000A28FFFF")])
        #expect(
            SensorReading(probes).map { "\($0)" }
                == "temperature 3 25 °C, alarm temperature 3 unknown, temperature 4 26 °C, "
                + "alarm temperature 4 unknown")
    }

    @Test func `a sensor known by its name, whose first bytes are those of another company, is read as itself`() throws
    {
        let data = try Bytes(hex: "E5D99147B41DE85DD7002C01FFFFFFFFFFFFFFFF")
        let advertisement = PeripheralAdvertisements(localName: "iBBQ", manufacturerData: [0xAC63: data])
        #expect(SensorReading(advertisement)?.format == "Inkbird iBBQ-6")
        #expect(SensorFormats.shipped.readings(in: advertisement).map(\.format) == ["Inkbird iBBQ-6"])
        let unnamed = PeripheralAdvertisements(manufacturerData: [0xAC63: data])
        #expect(SensorReading(unnamed)?.format == "Govee H5191")
    }

    @Test func `data of a company that its lamps send, too, are known by the name of the device alone`() throws {
        func reading(_ name: String?) throws -> String? {
            SensorReading(
                PeripheralAdvertisements(
                    localName: name, manufacturerData: [0x0969: try Bytes(hex: "C0DE0000001700B8069B2D00")])
            ).map { "\($0.format): \($0)" }
        }
        #expect(try reading("WoSensorTH") == "SwitchBot Meter of its company: temperature 27.6 °C, humidity 45 %")
        #expect(
            try reading("WoPresence") == "SwitchBot Motion Sensor of its company: motion none, light detected")
        for name in [nil, "WoBulb", "WoContact"] { #expect(try reading(name) == nil, "\(name ?? "-")") }
    }

    @Test func `a frame of two of six probes has their numbers`() throws {
        func probes(_ hex: String) throws -> String? {
            SensorReading(
                PeripheralAdvertisements(localName: "GVH5055_5F2D", manufacturerData: [0x04CF: try Bytes(hex: hex)])
            )
            .map { "\($0)" }
        }
        // Recorded frames, as the tests of a decoder of others have them.
        #expect(
            try probes("0400461B061700FFFF2C01067300FFFF2C010000")
                == "temperature 23 °C, alarm temperature 300 °C, temperature 2 115 °C, alarm temperature 2 300 °C, "
                + "battery 70 %")
        #expect(
            try probes("0400467F061700FFFF2C01067300FFFF2C010000")
                == "temperature 3 23 °C, alarm temperature 3 300 °C, temperature 4 115 °C, "
                + "alarm temperature 4 300 °C, battery 70 %")
        #expect(try probes("04004680061700FFFF2C01067300FFFF2C010000") == "battery 70 %")
    }

    @Test func `a value has one number in all frames, whichever of the others these have`() throws {
        let formats = try formats(
            Self.file(
                """
                {"name": "Cellar", "company": "FFFF", "length": 4, "fields": [
                  {"kind": "temperature", "at": 1, "type": "int8", "if": {"at": 0, "mask": "01", "is": "01"}},
                  {"kind": "temperature", "at": 2, "type": "int8", "if": {"at": 0, "mask": "02", "is": "02"}},
                  {"kind": "temperature", "at": 3, "type": "int8"},
                  {"kind": "humidity", "at": 1, "type": "uint8", "if": {"at": 0, "mask": "01", "is": "01"}},
                  {"kind": "humidity", "at": 2, "type": "uint8", "if": {"at": 0, "mask": "02", "is": "02"}},
                  {"kind": "humidity", "at": 3, "type": "uint8", "if": {"at": 0, "mask": "01", "is": "00"}}]}
                """))
        let texts = [
            0: "temperature 3 30 °C, humidity 30 %",
            1: "temperature 10 °C, temperature 3 30 °C, humidity 10 %",
            2: "temperature 2 20 °C, temperature 3 30 °C, humidity 2 20 %, humidity 30 %",
            3: "temperature 10 °C, temperature 2 20 °C, temperature 3 30 °C, humidity 10 %, humidity 2 20 %",
        ]
        for (flags, text) in texts {
            let frame = PeripheralAdvertisements(manufacturerData: [0xFFFF: [UInt8(flags), 10, 20, 30]])
            #expect(SensorReading(frame, formats: formats).map { "\($0)" } == text)
        }
        let values: [String: SensorSetting] = [
            "temperature": .number(10), "temperature 2": .number(20), "temperature 3": .number(30),
            "humidity": .number(10), "humidity 2": .number(20),
        ]
        #expect(try formats.frame(of: "Cellar", values, counter: 1).text == texts[3])
    }

    // MARK: Formats of others

    @Test func `the example of the documentation is read`() throws {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/BlueCapBeacon/Sensors/SensorFormats.swift")
        let lines = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
        let example = lines.drop { $0 != "/// ```json" }.dropFirst().prefix { $0 != "/// ```" }.map { $0.dropFirst(4) }
        let formats = try formats(example.joined(separator: "\n"))
        let frame = PeripheralAdvertisements(
            manufacturerData: [0xFFFF: [0x07, 0xD7, 0x00, 0x2D, 0xE1, 0x01, 0x02, 0xEF]])
        let reading = try #require(SensorReading(frame, formats: formats))
        #expect("\(reading)" == "temperature 21.5 °C, humidity 45 %, door open, battery 97 %")
        #expect(reading.counter == 258)
        #expect(reading.battery == 97)
    }

    private static let own = """
        {"name": "Cellar", "company": "FFFF", "length": 4, "prefix": "07",
          "fields": [{"kind": "temperature", "at": 1, "type": "int16", "factor": 0.1}],
          "check": {"type": "sum", "at": 3, "from": 0, "to": 2}}
        """

    @Test func `a format of a file is read, and counts where another fits, too`() throws {
        let own = try formats(Self.file(Self.own))
        let frame = PeripheralAdvertisements(manufacturerData: [0xFFFF: [0x07, 0xD7, 0x00, 0xDE]])
        #expect(SensorReading(frame, formats: .shipped.adding(own))?.description == "temperature 21.5 °C")
        #expect(SensorReading(frame) == nil)
        let other = try formats(Self.file(Self.own.replacing("Cellar", with: "Attic")))
        #expect(SensorReading(frame, formats: own.adding(other))?.format == "Attic")
        // The sum of the bytes is another one.
        #expect(
            SensorReading(
                PeripheralAdvertisements(manufacturerData: [0xFFFF: [0x07, 0xD7, 0x00, 0xDF]]), formats: own) == nil)
        let exclusive = try formats(Self.file(Self.own.replacing("sum", with: "xor")))
        #expect(
            SensorReading(
                PeripheralAdvertisements(manufacturerData: [0xFFFF: [0x07, 0xD7, 0x00, 0xD0]]), formats: exclusive)
                != nil)
    }

    @Test(
        arguments: [
            ("7", "line 1, column 1: the file is an object in braces: {…}"),
            ("{}", "line 1, column 1: the file has no \"schema\": \"bluecap-sensors\""),
            (
                #"{"schema": "bluecap-sensors", "version": 2, "else": 1}"#,
                "line 1, column 1: the version 2.0 of the file is newer than this program, which reads 1"
            ),
            (file(""), "line 1, column 45: 'formats' is empty"),
            (file("{"), "line 1, column 58: this is not JSON: a key in quotes is expected, not ']'"),
        ])
    func `a file that is none is refused with the place`(_ text: String, _ error: String) {
        #expect(throws: SensorFormatError.self) { try formats(text) }
        #expect(mistakes(text) == error)
    }

    private func mistakes(_ text: String) -> String {
        do throws(SensorFormatError) {
            _ = try SensorFormats(json: text.utf8)
            return ""
        } catch { return "\(error)" }
    }

    @Test(
        arguments: [
            (#""length": 4"#, #""length": 3"#, "'at' leads to byte 4, and the shortest frame has 3"),
            (#""length": 4"#, #""length": 0"#, "'length' is a number of bytes from 1 to 254"),
            (#""length": 4"#, #""length": [5, 4]"#, "'length' is a number of bytes from 1 to 254, or the least and"),
            (#""length": 4, "#, "", "'length' is missing"),
            (#""company": "FFFF""#, #""company": "Cellar""#, "'company' is no identifier"),
            (#""company": "FFFF""#, #""company": "any""#, "'company' is \"any\", and needs 'names'"),
            (#""company": "FFFF""#, #""service": "FFF""#, "'service' is no UUID"),
            (#""company": "FFFF""#, #""company": "FFFF", "service": "181A""#, "one of both is there"),
            (#""prefix": "07""#, #""prefix": "7""#, "'prefix' is not of pairs of hexadecimal digits"),
            (#""prefix": "07""#, #""prefix": "07", "mask": "FFFF""#, "'prefix' is not of pairs"),
            (#""prefix": "07""#, #""prefix": "0708090A0B""#, "'prefix' has 5 bytes, and a frame has 4: see 'length'"),
            (
                #""factor": 0.1"#, #""unknown": [-9223372036854775808]"#,
                "'unknown' is a list of at most 16 integers of at most 48 bits"
            ),
            (#""at": 1"#, #""at": 3"#, "'at' leads to byte 5"), (#""at": 1"#, #""at": -1"#, "from 0 to 255"),
            (#""at": 1"#, #""at": 1e300"#, "from 0 to 255"), (#""at": 1, "#, "", "'at' is missing"),
            (#""int16""#, #""float""#, "'type' is one of uint8, int8"),
            (#""temperature""#, #""warmth""#, "'kind' is none of CO2, NOx index"),
            (#""factor": 0.1"#, #""factor": 0"#, "'factor' is 0"),
            (#""factor": 0.1"#, #""factor": 1e400"#, "'factor' is a number from"),
            (#""factor": 0.1"#, #""factor": 1e-300"#, "'factor' has at most 15 digits"),
            (#""factor": 0.1"#, #""factor": 0.12345678901234567"#, "'factor' has at most 15 digits"),
            (#""factor": 0.1"#, #""base": 1000"#, "'base' is for a uint8 alone"),
            (#""factor": 0.1"#, #""unit": "K""#, "'unit' is not of the kind 'temperature', which has °C or °F"),
            (#""factor": 0.1"#, #""bits": [3, 16]"#, "'bits' is the number of one bit"),
            (#""factor": 0.1"#, #""modulo": 0"#, "'modulo' is a number from 2"),
            (#""factor": 0.1"#, #""divide": 0"#, "'divide' is a number from 1"),
            (#""factor": 0.1"#, #""minimum": 2, "maximum": 1"#, "'minimum' is greater than 'maximum'"),
            (#""factor": 0.1"#, #""if": {"at": 3, "is": "0000"}"#, "'at' leads to byte 5"),
            (#""factor": 0.1"#, #""if": {"at": 3, "is": "00", "mask": "0000"}"#, "'mask' has another number"),
            (#""factor": 0.1"#, #""plus": {"at": 4, "type": "uint8"}"#, "'at' leads to byte 5"),
            (#""factor": 0.1"#, #""unknown": [0.5]"#, "'unknown' is a list of at most 16 integers"),
            (#""factor": 0.1"#, #""values": []"#, "'values' is a list of at most 256 numbers"),
            (#""factor": 0.1"#, #""faktor": 0.1"#, "a field has no 'faktor'"),
            (#""kind": "temperature""#, #""state": "motion""#, "'factor' is for numbers"),
            (#""to": 2"#, #""to": 3"#, "the sum is a part of itself"),
            (#""sum""#, #""crc""#, "'type' is \"sum\" or \"xor\""),
            (#""check""#, #""address": {"at": 0}, "check""#, "'at' leads to byte 6"),
        ])
    func `a mistake in a format is refused with its line`(_ old: String, _ new: String, _ reason: String) {
        let text = Self.file("\n" + Self.own.replacing(old, with: new))
        let mistakes = mistakes(text)
        #expect(mistakes.contains(reason), "\(mistakes)")
        #expect(mistakes.hasPrefix("line "))
        #expect(!mistakes.hasPrefix("line 1, "))
    }

    @Test func `two formats of a file that are possible for one frame are refused`() {
        let twice = Self.file("\n" + Self.own + ",\n" + Self.own.replacing("Cellar", with: "Attic"))
        #expect(mistakes(twice).hasPrefix("line 5, column 1: a frame may be of this format and of 'Cellar' in line 2:"))
        #expect(mistakes(Self.file(Self.own + ",\n" + Self.own)).contains("is the name of the format in line 1, too"))
        for (old, new) in [(#""07""#, #""08""#), ("FFFF", "FFFE"), (#""length": 4"#, #""length": 5"#)] {
            let other = Self.own.replacing("Cellar", with: "Attic").replacing(old, with: new)
            #expect(mistakes(Self.file(Self.own + "," + other)) == "")
        }
        let named = Self.own.replacing(#""length""#, with: #""names": ["Attic*"], "length""#)
        let others = named.replacing("Cellar", with: "Attic").replacing("Attic*", with: "Attic 1")
        #expect(mistakes(Self.file(named + "," + others)).contains("a frame may be of this format"))
        #expect(mistakes(Self.file(named + "," + others.replacing("Attic 1", with: "Roof"))) == "")
    }

    @Test func `files without bounds are refused in little time`() {
        let many = (0..<10_000).map { Self.own.replacing("Cellar", with: "\($0)") }.joined(separator: ",")
        #expect(mistakes(Self.file(many)).contains("more than 1048576 bytes"))
        let fewer = (0..<1000).map { Self.own.replacing("Cellar", with: "\($0)") }.joined(separator: ",")
        #expect(mistakes(Self.file(fewer)).contains("'formats' has 1000 values, and at most 256 are read"))
        let field = #"{"kind": "temperature", "at": 1, "type": "int16"}"#
        let fields = Self.own.replacing(
            #""fields": ["#, with: #""fields": ["# + String(repeating: field + ",", count: 32))
        #expect(mistakes(Self.file(fields)).contains("'fields' has 33 values, and at most 32 are read"))
    }

    @Test func `a percentage above the whole is not known, unless the format has a greater maximum`() throws {
        let formats = try SensorFormats(
            json: #"""
                {"schema": "bluecap-sensors", "version": 1, "formats": [{"name": "Dam", "company": "FFFF", "length": 3,
                  "fields": [
                    {"kind": "humidity", "at": 0, "type": "uint8"},
                    {"kind": "moisture", "at": 1, "type": "uint8", "maximum": 120},
                    {"kind": "battery", "at": 2, "type": "uint8", "minimum": 10}
                  ]}]}
                """#.utf8)
        func text(_ frame: Bytes) -> String? {
            SensorReading(PeripheralAdvertisements(manufacturerData: [0xFFFF: frame]), formats: formats)?.description
        }
        #expect(text([100, 120, 100]) == "humidity 100 %, moisture 120 %, battery 100 %")
        #expect(text([101, 121, 101]) == "humidity unknown, moisture unknown, battery unknown")
        #expect(text([0, 0, 9]) == "humidity 0 %, moisture 0 %, battery unknown")
    }

    @Test func `of the formats that are shipped, those alone go above the whole whose maker says so`() {
        let above = SensorFormats.shipped.all.filter { format in
            format.parts.fields.contains { $0.parts.unit == "%" && $0.parts.range?.upperBound != 100 }
        }
        #expect(above.map(\.name) == ["RuuviTag 3", "RuuviTag 5", "RuuviTag C5"])
    }
}
