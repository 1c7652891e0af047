// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTestExecutor
import Testing

@testable import BlueCapBeacon

@Suite("Frames of sensors", .timeLimit(.minutes(60)))
struct SensorFrameTests {
    private func key(_ value: SensorValue) -> String {
        value.ordinal == 1 ? value.name : "\(value.name) \(value.ordinal)"
    }

    private func setting(_ value: SensorValue) -> SensorSetting {
        guard let number = value.number else { return .unknown }
        if value.isState { return .state(number == 1) }
        return value.unit.isEmpty ? .number(number) : .word("\(number) \(value.unit)")
    }

    private func received(_ frame: SensorFrame) -> PeripheralAdvertisements {
        PeripheralAdvertisements(
            localName: frame.advertisement.localName, manufacturerData: frame.advertisement.manufacturerData,
            serviceData: frame.advertisement.serviceData)
    }

    /// Random bytes that are a frame of a format.
    private func random(_ format: SensorFormat, _ random: inout SeededRandom) -> Bytes {
        let count = Int.random(in: format.parts.lengths, using: &random)
        var frame = Bytes(
            (0..<count).map { _ in
                [0, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
            })
        if let pattern = format.parts.patterns.randomElement(using: &random) {
            for index in pattern.bytes.indices {
                frame[index] = frame[index] & ~pattern.mask[index] | pattern.bytes[index]
            }
        }
        return frame
    }

    @Test(arguments: [1 as UInt64])
    func `a frame that is made of the values of a random frame is read as it was`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for format in SensorFormats.shipped.all where !format.parts.fields.isEmpty {
            let name = format.parts.names.randomElement(using: &random)?.replacing("*", with: "x")
            for _ in 0..<300 {
                let frame = self.random(format, &random)
                let reading = try #require(format.reading(of: frame, name: name))
                let values = Dictionary(uniqueKeysWithValues: reading.values.map { (key($0), setting($0)) })
                let made = try SensorFormats.shipped.frame(
                    of: format.name, values, counter: reading.counter ?? 7, name: name, address: reading.address)
                let again = try #require(SensorReading(received(made)))
                #expect(again.format == format.name)
                #expect(again.values.map(key) == reading.values.map(key), "\(frame)")
                #expect(again.values.map(\.number) == reading.values.map(\.number), "\(format.name) \(frame)")
                for (value, before) in zip(again.values, reading.values) where value.number != nil {
                    #expect(value.unit == before.unit)
                }
                #expect(again.counter == reading.counter ?? again.counter)
                #expect(again.address == reading.address)
                #expect(made.address == reading.address)
            }
        }
    }

    @Test func `a value that is left out is not known where the format can say so`() throws {
        for format in SensorFormats.shipped.names {
            var values = SensorFormats.shipped.exampleValues(of: format)
            // One that is code has no fields.
            if values.isEmpty { continue }
            let whole = try SensorFormats.shipped.frame(of: format, values, counter: 1)
            let reading = try #require(SensorReading(received(whole)), "\(format)")
            #expect(reading.format == format && !reading.values.contains { $0.number == nil }, "\(reading)")
            for key in values.keys.sorted() {
                let kept = values.removeValue(forKey: key)
                do {
                    let frame = try SensorFormats.shipped.frame(of: format, values, counter: 1)
                    let reading = try #require(SensorReading(received(frame)), "\(format) without \(key)")
                    let left = reading.values.filter { $0.number != nil }.map(self.key)
                    #expect(Set(left) == Set(values.keys), "\(format) without \(key): \(reading)")
                } catch let error as SensorFrameError {
                    #expect(error.reason.contains("cannot say that it is not known"), "\(error)")
                }
                values[key] = kept
            }
        }
    }

    @Test func `values of one integer, with a sign apart, and of a unit are in a frame together`() throws {
        func text(_ format: String, _ values: [String: SensorSetting], address: Bytes? = nil) throws -> String {
            try SensorFormats.shipped.frame(of: format, values, counter: 3, address: address).text
        }
        let cold: [String: SensorSetting] = [
            "temperature": .number(-7.2), "humidity": .number(81.4), "battery": .number(55),
        ]
        #expect(try text("Govee H5072", cold) == "temperature -7.2 °C, humidity 81.4 %, battery 55 %")
        #expect(
            try text("SwitchBot Meter", ["temperature": .number(-0.5), "humidity": .number(40), "battery": .number(9)])
                == "temperature -0.5 °C, humidity 40 %, battery 9 %")
        #expect(try text("Mi Smart Scale", ["mass": .word("160 lb")]) == "mass 160 lb")
        #expect(try text("Mi Smart Scale", ["mass": .number(72.5)]) == "mass 72.5 kg")
        #expect(try text("Mi Smart Scale", [:]) == "")
        #expect(
            try text("Govee H5184", ["temperature 3": .number(60), "alarm temperature 4": .number(70)])
                == "temperature 3 60 °C, alarm temperature 3 unknown, temperature 4 unknown, alarm temperature 4 70 °C")
        let door: [String: SensorSetting] = [
            "opening": .word("open"), "motion": .state(false), "light": .state(true), "battery": .number(100),
        ]
        #expect(
            try text("SwitchBot Contact Sensor", door) == "opening open, motion none, light detected, battery 100 %")
    }

    @Test func `a frame has the name and the first bytes of the address that its format demands`() throws {
        let values = SensorFormats.shipped.exampleValues(of: "ATC1441")
        let frame = try SensorFormats.shipped.frame(
            of: "ATC1441", values, counter: 255, address: [0xC0, 0xDE, 0x00, 0x00, 0x00, 0x07])
        #expect(frame.address?.hex == "a4c138000007")
        let other = try SensorFormats.shipped.frame(
            of: "ATC1441", values, counter: 0, address: [0x58, 0x2D, 0x34, 0x00, 0x00, 0x07])
        #expect(other.address?.hex == "582d34000007")
        let thermometer = SensorFormats.shipped.exampleValues(of: "Govee H5106")
        #expect(
            try SensorFormats.shipped.frame(of: "Govee H5106", thermometer, counter: 0).advertisement.localName
                == "GVH5106")
        let error = #expect(throws: SensorFrameError.self) {
            try SensorFormats.shipped.frame(of: "Govee H5106", thermometer, counter: 0, name: "Attic")
        }
        #expect(error?.part == .name)
    }

    @Test func `a counter begins anew, without the numbers that mean something else`() throws {
        let values = SensorFormats.shipped.exampleValues(of: "RuuviTag 5")
        let counters = try [65_534, 65_535, 65_536, .max].map { (counter: UInt64) in
            SensorReading(
                received(try SensorFormats.shipped.frame(of: "RuuviTag 5", values, counter: counter)))?.counter
        }
        #expect(counters == [65_534, 0, 0, 0])
    }

    @Test(
        arguments: [
            ("RuuviTag 7", [:], SensorFrameError.Part.format),
            ("RuuviTag 5", ["temprature": .number(1)], .value("temprature")),
            ("RuuviTag 5", ["temperature 2": .number(1)], .value("temperature 2")),
            ("RuuviTag 5", ["temperature": .number(500)], .value("temperature")),
            ("RuuviTag 5", ["temperature": .number(.infinity)], .value("temperature")),
            ("RuuviTag 5", ["temperature": .number(1e300)], .value("temperature")),
            ("RuuviTag 5", ["temperature": .state(true)], .value("temperature")),
            ("RuuviTag 5", ["temperature": .word("21 K")], .value("temperature")),
            ("RuuviTag 5", ["acceleration 4": .number(1)], .value("acceleration 4")),
            ("ATC1441", ["temperature": .number(1), "humidity": .number(40), "battery": .number(1)], .values),
            (
                "ATC1441", ["temperature": .number(1), "humidity": .unknown, "voltage": .unknown],
                .value("voltage")
            ),
            ("SwitchBot Motion Sensor", ["motion": .number(1)], .value("motion")),
            ("BTHome", ["temprature": .number(1)], .value("temprature")),
            ("BTHome", ["temperature": .number(1e9)], .value("temperature")),
            ("BTHome", ["temperature": .unknown], .value("temperature")),
            ("BTHome", ["temperature 2": .number(1)], .value("temperature 2")),
        ] as [(String, [String: SensorSetting], SensorFrameError.Part)])
    func `values that no frame can have are refused`(
        format: String, values: [String: SensorSetting], part: SensorFrameError.Part
    ) {
        let error = #expect(throws: SensorFrameError.self) {
            try SensorFormats.shipped.frame(of: format, values, counter: 0)
        }
        #expect(error?.part == part, "\(error?.reason ?? "")")
    }

    @Test func `values of BTHome are the nearest objects, with a number of the packet`() throws {
        let values: [String: SensorSetting] = [
            "temperature": .number(21.53), "temperature 2": .number(-3000), "humidity": .number(45),
            "door": .word("open"),
            "mass": .word("160 lb"), "battery": .number(97), "button": .number(1),
        ]
        let frame = try SensorFormats.shipped.frame(of: "BTHome", values, counter: 258, name: "Hall")
        let read = try #require(BTHome(received(frame)))
        #expect(read.packetNumber == 2 && read.unread.isEmpty && frame.advertisement.localName == "Hall")
        #expect(read.objects.map(\.id) == read.objects.map(\.id).sorted())
        #expect(
            Set(frame.text.split(separator: ", ")) == [
                "battery 97 %", "mass 160.00 lb", "door open", "humidity 45.00 %", "button 1", "temperature 21.5 °C",
                "temperature -3000.0 °C",
            ])
    }

    @Test func `a check byte, a list and a power of a user's format are written`() throws {
        let formats = try SensorFormats(
            json: #"""
                {"schema": "bluecap-sensors", "version": 1, "formats": [
                  {"name": "Cellar", "company": "FFFF", "length": 6, "prefix": "07",
                    "fields": [
                      {"kind": "battery", "at": 1, "type": "uint8", "values": [1, 50, 100]},
                      {"kind": "illuminance", "at": 2, "type": "uint8", "base": 1.1, "offset": -1, "unknown": [255]},
                      {"kind": "mass", "at": 3, "type": "uint16", "greatest": 1000, "factor": 0.5, "offset": 10}
                    ],
                    "check": {"type": "xor", "at": 5, "from": 0, "to": 4}}]}
                """#.utf8)
        let frame = try formats.frame(
            of: "Cellar", ["battery": .number(60), "illuminance": .number(100)], counter: 0)
        let reading = try #require(SensorReading(received(frame), formats: formats))
        #expect("\(reading)" == "battery 50 %, illuminance 96.02 lx, mass unknown")
    }
}
