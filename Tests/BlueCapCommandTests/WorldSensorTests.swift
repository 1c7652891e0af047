// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct WorldSensorTests {
    private func world(_ devices: String...) -> String {
        #"{"world": 1, "devices": [\#(devices.joined(separator: ", "))]}"#
    }

    /// The frames that a scan shows, by the identifier of the device.
    private func scan(_ text: String, for duration: Duration = .seconds(3)) async throws -> [String] {
        let output = RecordedOutput()
        try await inWorld(text) { radio, central in
            let plan = ScanSession.Plan(duration: duration, isJSON: true)
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
        }
        return output.lines
    }

    @Test func `a sensor of each format that is shipped is scanned with its values`() async throws {
        let lines = try await scan(try #require(ShippedWorlds.text("sensors")))
        let formats = ([SensorFrame.btHome] + SensorFormats.shipped.names).filter {
            // One that is code has no fields.
            !SensorFormats.shipped.exampleValues(of: $0).isEmpty
        }
        #expect(formats.count >= 33)
        for format in formats {
            // Eddystone has a type of its own, which reads its telemetry.
            let kind = format.hasPrefix("Eddystone") ? "Eddystone" : format
            let line = lines.first { $0.contains(#""kind":"\#(kind)""#) }
            #expect(
                line?.contains(#""numbers":{"#) ?? false || line?.contains(#""motion":["detected"]"#) ?? false,
                "\(format)")
            #expect(line?.contains("null") == false, "\(format): \(line ?? "")")
        }
    }

    @Test func `values are of kinds, words and units, and what is left out is not known`() async throws {
        let lines = try await scan(
            world(
                #"{"address": "C0:DE:00:00:00:01", "sensor": {"format": "RuuviTag 5", "values": {"temperature": 21.5, "humidity": 40}}}"#,
                #"{"sensor": {"format": "BTHome", "values": {"temperature": 19.25, "door": "open", "motion": false}}, "name": "Hall"}"#,
                #"{"sensor": {"format": "Mi Smart Scale", "values": {"mass": "160 lb"}}}"#))
        let tag = try #require(lines.first { $0.contains("RuuviTag 5") })
        #expect(tag.contains("temperature 21.5 °C, humidity 40 %, pressure unknown"), "\(tag)")
        #expect(tag.contains(#""address":["c0de00000001"]"#), "\(tag)")
        let hall = try #require(lines.first { $0.contains("Hall") })
        #expect(
            hall.contains("BTHome temperature 19.25 °C, door open, motion none") || hall.contains("19.25"), "\(hall)")
        #expect(hall.contains(#""door":["open"]"#) && hall.contains(#""temperature":[19.25]"#), "\(hall)")
        #expect(lines.contains { $0.contains("mass 160 lb") })
    }

    @Test func `values move, each step with the next counter`() async throws {
        let text = world(
            #"{"sensor": {"format": "RuuviTag C5", "values": {"humidity": 40}, "moves": {"temperature": "ramp:0..60:1", "count": "ramp:0..60:2"}}}"#
        )
        let lines = try await scan(text, for: .milliseconds(6500))
        let temperatures = lines.compactMap { $0.firstMatch(of: /temperature (\d+) °C/)?.1 }.map(String.init)
        #expect(temperatures == ["0", "1", "2", "3", "4", "5", "6"], "\(lines)")
        let counts = lines.compactMap { $0.firstMatch(of: /count (\d+)/)?.1 }.map(String.init)
        #expect(counts == ["0", "0", "1", "1", "2", "2", "3"], "\(lines)")
        let counters = lines.compactMap { $0.firstMatch(of: /"counter":\[(\d+)\]/)?.1 }.map(String.init)
        #expect(counters == ["0", "1", "2", "3", "4", "5", "6"], "\(lines)")
    }

    @Test func `a sensor has the address that its frame demands`() async throws {
        let lines = try await scan(
            world(
                #"{"sensor": {"format": "ATC1441", "values": {"temperature": 20, "humidity": 50, "battery": 90, "voltage": 3}}}"#
            ))
        #expect(lines.contains { $0.contains(#""id":"A4:C1:38:FF:00:00""#) && $0.contains("a4c138ff0000") }, "\(lines)")
    }

    /// Sensors with `§` at the place of the fault, and a part of the reason.
    @Test(arguments: [
        (#""sensor": {"format": §"RuuviTag 55", "values": {}}"#, "there is no format 'RuuviTag 55': did you mean"),
        (#""sensor": {"format": "RuuviTag 5", "values": {"temprature": §1}}"#, "did you mean 'temperature'?"),
        (#""sensor": {"format": "RuuviTag 5", "values": {"temperature": §500}}"#, "cannot have this value"),
        (#""sensor": {"format": "RuuviTag 5", "values": {"temperature": §true}}"#, "this is a number in °C"),
        (#""sensor": {"format": "RuuviTag 5", "values": {"temperature": §"warm"}}"#, "this is a number in °C"),
        (#""sensor": {"format": "RuuviTag 5", "values": {"temperature": §[1]}}"#, "the value is not a number"),
        (#""sensor": {"format": "RuuviTag 5", "values": {"temperature": §1e400}}"#, "too great or too small"),
        (#""sensor": {"format": "RuuviTag 5", "values": {"PM2.5": §1}}"#, "'RuuviTag 5' has no such value: it has "),
        (#""sensor": {"format": "RuuviTag 5", "moves": {"temperature": §"wave"}}"#, "is no FORM:FIRST..LAST"),
        (#""sensor": {"format": "BTHome", "values": {"temperature": 1}, "key": §"0123"}"#, "a key has 32 digits"),
        (
            #""sensor": {"format": "RuuviTag 5", "key": §"231d39c1d7cc1ab1aee224cd096db932"}"#,
            "a frame of 'RuuviTag 5' is not encrypted"
        ),
        (
            #""sensor": §{"format": "pvvx encrypted", "values": {"temperature": 1, "humidity": 2, "battery": 3}}"#,
            "it needs a 'key'"
        ),
        (#""sensor": {"format": "MiBeacon", "values": {"temperature": §4000}}"#, "cannot have this value"),
        (#""sensor": {"format": "RuuviTag 5", "moves": {"temperature": §"wave:0..900"}}"#, "cannot have this value"),
        (
            #""sensor": {"format": "RuuviTag 5", "values": {"temperature": 1}, "moves": {"temperature": §"wave:0..9"}}"#,
            "it has a value, too"
        ),
        (#""sensor": {"format": "RuuviTag 5", §"value": {}}"#, "there is no 'value' here: did you mean 'values'?"),
        (
            #""sensor": {"format": "ATC1441", "values": §{"temperature": 1, "humidity": 40}}"#,
            "'voltage' is missing"
        ),
        (#""sensor": §"RuuviTag 5""#, #"write { "format": "RuuviTag 5", "values": { "temperature": 21.5 } }"#),
        (
            #""name": §"Attic", "sensor": {"format": "Govee H5106", "values": {"temperature": 1, "humidity": 1, "PM2.5": 1}}"#,
            "'Attic' is no name of a 'Govee H5106'"
        ),
        (
            #""address": §"C0:DE:00:00:00:01", "sensor": {"format": "ATC1441", "values": {"temperature": 20, "humidity": 50, "battery": 90, "voltage": 3}}"#,
            "a frame of 'ATC1441' cannot have this address"
        ),
    ])
    func `a sensor that cannot be is refused with line and column`(device: String, reason: String) throws {
        let parts = "{ \"world\": 1,\n\n  \"devices\": [{ \(device) }] }".split(
            separator: "§", omittingEmptySubsequences: false)
        let text = parts.joined()
        let error = #expect(throws: CommandFailure.self) { try WorldFile.parse(Array(text.utf8), name: "world.json") }
        let column = (parts[0].split(separator: "\n").last?.count ?? 0) + 1
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(error?.message.hasSuffix("(line 3, column \(column))") == true, "\(error?.message ?? "")")
    }

    @Test func `the article's format, world and scan belong together`() async throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/BlueCapCommand/Documentation.docc/BlueCapCommand.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let blocks = text.components(separatedBy: "```json\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        try #require(blocks.count == 3)
        #expect(try WorldFile.parse(Array(blocks[0].utf8), name: "world.json").devices.count == 3)
        KnownFormats.add(try SensorFormats(json: blocks[1].utf8))
        let line = try #require(try await scan(blocks[2]).first { $0.contains("Aquarium") })
        #expect(
            line.contains(#""id":"C0:DE:00:00:00:11""#) && line.contains(#""numbers":{"temperature":[24]}"#), "\(line)")
        let shown = "Aquarium temperature 24 °C, light detected"
        #expect(line.contains("temperature 24 °C, light detected") && text.contains("`\(shown)`"), "\(line)")
    }

    // MARK: Emulation

    private static let cellar =
        #"{"name": "Cellar", "sensor": {"format": "BTHome", "moves": {"temperature": "ramp:0..60"}}}"#
    private static let tag =
        #"{"address": "C0:DE:00:00:00:07", "sensor": {"format": "RuuviTag 5", "values": {"temperature": 7}}}"#

    @Test func `a sensor of a world is emulated, and a central on the same radio reads it`() async throws {
        let output = RecordedOutput()
        let file = try WorldFile.parse(Array(world(Self.cellar).utf8), name: "cellar.json")
        let (device, sensor) = try file.sensor(nil, in: "cellar.json")
        let played = try PlayedSensor(sensor, name: device.name, address: device.address)
        try await VirtualRadio.run { radio in
            try await EmulateSensorSession.run(
                on: radio, plan: .init(sensor: played, duration: .seconds(4)), output: output)
        }
        #expect(output.lines.contains("peripheral  Advertising as BTHome: temperature 0.00 °C"), "\(output.lines)")
        #expect(output.lines.contains("peripheral  Changed BTHome: temperature 2.00 °C"))
        #expect(output.lines.contains { $0.hasPrefix("central") && $0.contains("BTHome temperature 2.00 °C") })
        #expect(output.lines.last?.contains("Took") == true)
    }

    @Test func `one of several sensors is chosen by its name, its address or its format`() throws {
        let file = try WorldFile.parse(
            Array(world(Self.cellar, Self.tag, #"{"services": ["Battery"]}"#).utf8), name: "w")
        #expect(try file.sensor("cellar", in: "w").sensor.format == "BTHome")
        #expect(try file.sensor("bthome", in: "w").device.name == "Cellar")
        #expect(try file.sensor("c0:de:00:00:00:07", in: "w").sensor.format == "RuuviTag 5")
        for chosen in [nil, "Attic"] {
            let error = #expect(throws: CommandFailure.self) { try file.sensor(chosen, in: "w") }
            #expect(error?.status == .usage && error?.message.contains("RuuviTag 5  C0:DE:00:00:00:07") == true)
        }
        let other = try WorldFile.parse(Array(world(#"{"services": ["Battery"]}"#).utf8), name: "w")
        #expect(throws: CommandFailure.self) { try other.sensor(nil, in: "w") }
    }

    @Test func `a file is a world by its key`() throws {
        #expect(WorldFile.isWorld(Array(world(Self.tag).utf8)))
        for text in [Twin(name: "Lamp").json, "{}", "", #"["world"]"#] { #expect(!WorldFile.isWorld(Array(text.utf8))) }
    }
}
