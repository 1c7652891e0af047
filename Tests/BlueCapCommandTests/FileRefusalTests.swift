// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import Foundation
import Testing

@testable import BlueCapCommand

/// Files of the tool that are refused: with the place of the mistake, its reason, and the size.
@Suite(.timeLimit(.minutes(60)))
struct FileRefusalTests {
    /// The refusals of the three kinds of files, each of a text.
    enum Kind: CaseIterable {
        case twin, profiles, world

        func read(_ path: String) throws(CommandFailure) {
            switch self {
            case .twin: _ = try ToolFile.twin(path)
            case .profiles: _ = try ToolFile.profiles(path)
            case .world: _ = try WorldFile.read(path)
            }
        }

        var maximum: Int {
            switch self {
            case .twin: Twin.maximumByteCount
            case .profiles: ProfileManager.maximumJSONByteCount
            case .world: WorldFile.maximumByteCount
            }
        }

        /// A file with the members.
        func text(_ members: String) -> String {
            switch self {
            case .twin: #"{ "schema": "bluecap-twin", "version": 1, \#(members) }"#
            case .profiles: #"{ "schema": "bluecap-profiles", "version": 1, \#(members) }"#
            case .world: #"{ "world": 1, \#(members) }"#
            }
        }
    }

    private func refusal(_ kind: Kind, _ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: CommandFailure.self) { try kind.read(path) }
        #expect(error?.status == .usage)
        let message = error?.message ?? ""
        #expect(message.hasPrefix(path + ": "), "\(message)")
        return String(message.dropFirst(path.count + 2))
    }

    /// A refusal without the place at its end, which has to be there.
    private func placed(_ kind: Kind, _ text: String) throws -> String {
        let reason = try refusal(kind, text)
        let place = #/ \(line [0-9]+, column [0-9]+\)$/#
        let match = try #require(reason.firstMatch(of: place), "\(reason)")
        return String(reason[..<match.range.lowerBound])
    }

    // MARK: Numbers

    private static let whole = "this is a whole number from "
    private static let great = "this number is too great or too small"

    @Test(arguments: [
        (#""mtu": 247.5"#, "mtu: \(whole)23 to 517"), (#""mtu": 1e400"#, "mtu: \(whole)23 to 517"),
        (#""recorded": 1e400"#, "recorded: \(great)"), (#""recorded": -1e-400"#, "recorded: \(great)"),
        (#""advertisement": { "rssi": -60.5 }"#, "advertisement.rssi: \(whole)-127 to 20"),
        (#""advertisement": { "interval": 1e999 }"#, "advertisement.interval: \(great)"),
        (#""advertisement": { "data": { "flags": 0.5 } }"#, "advertisement.data.flags: \(whole)0 to 255"),
        (
            #""advertisement": { "data": { "structures": [{ "type": 99999999999999999999 }] } }"#,
            "advertisement.data.structures[0].type: \(whole)0 to 255"
        ),
        (#""services": [{ "uuid": "180F", "handle": 4.5 }]"#, "services[0].handle: \(whole)1 to 65535"),
        (
            #""services": [{ "uuid": "180F", "includes": [0, 1.5] }]"#,
            "services[0].includes[1]: \(whole)-9223372036854775808 to 9223372036854775807"
        ),
        (
            #""services": [{ "uuid": "180F", "characteristics": [{ "uuid": "2A19", "properties": [], "notifications": [{ "value": "", "after": 1e400 }] }] }]"#,
            "services[0].characteristics[0].notifications[0].after: \(great)"
        ),
    ])
    func `a number of a twin that does not fit has its place`(members: String, fault: String) throws {
        #expect(try placed(.twin, Kind.twin.text(members)) == fault)
    }

    private static func field(_ members: String) -> String {
        #""services": [{ "uuid": "FFF0", "name": "S", "characteristics": [{ "uuid": "FFF1", "name": "C", "fields": [{ "name": "F", "type": "uint8", \#(members) }] }] }]"#
    }

    @Test(arguments: [
        ("\"scale\": 1e400", "scale: \(great)"), ("\"scale\": 1, \"offset\": -1e400", "offset: \(great)"),
        ("\"flag\": 0.5", "flag: \(whole)-9223372036854775808 to 9223372036854775807"),
        ("\"unknown\": 1e30", "unknown: \(whole)-9223372036854775808 to 9223372036854775807"),
        ("\"bits\": [0, 1.5]", "bits[1]: \(whole)-9223372036854775808 to 9223372036854775807"),
        ("\"values\": { \"on\": 0.5 }", "values.on: \(whole)-9223372036854775808 to 9223372036854775807"),
    ])
    func `a number of a profile that does not fit has its place`(members: String, fault: String) throws {
        let place = "services[0].characteristics[0].fields[0]."
        #expect(try placed(.profiles, Kind.profiles.text(Self.field(members))) == place + fault)
    }

    private static func device(_ members: String) -> String {
        #""devices": [{ "services": ["Battery"] }, { "services": ["Battery"], \#(members) }]"#
    }

    @Test(arguments: [
        (device("\"metres\": 1e400"), "devices[1].metres: \(great)"),
        (device("\"period\": 1e400"), "devices[1].period: \(great)"),
        (
            device(#""path": [{ "at": 0, "metres": 1 }, { "at": 1e999, "metres": 1 }]"#),
            "devices[1].path[1].at: \(great)"
        ),
        (device(#""faults": [{ "at": 0, "do": "lose", "value": 1e-999 }]"#), "devices[1].faults[0].value: \(great)"),
        (#""seed": 1.5, "devices": []"#, "seed: \(whole)0 to 18446744073709551615"),
        (
            #""devices": [{ "iBeacon": { "uuid": "x", "major": 1.5 } }]"#,
            "devices[0].iBeacon.major: \(whole)0 to 65535"
        ),
        (
            #""devices": [{ "twin": { "schema": "bluecap-twin", "version": 1, "mtu": 1.5 } }]"#,
            "devices[0].twin.mtu: \(whole)23 to 517"
        ),
    ])
    func `a number of a world that does not fit has its place`(members: String, fault: String) throws {
        #expect(try placed(.world, Kind.world.text(members)) == fault)
    }

    @Test(arguments: [(Kind.twin, "bluecap-twin"), (.profiles, "bluecap-profiles")])
    func `a version that is no whole number has its place`(kind: Kind, schema: String) throws {
        let reason = try placed(kind, #"{ "schema": "\#(schema)", "version": 1.5 }"#)
        #expect(reason.hasPrefix("version: \(Self.whole)"), "\(reason)")
        #expect(try placed(kind, #"{ "schema": "\#(schema)" }"#) == "version: it is missing")
    }

    // MARK: Keys

    @Test(arguments: [
        (Kind.twin, #""adress": "C0:DE:00:00:00:01""#, "the twin: there is no 'adress' here: choose 'address', "),
        (.twin, #""advertisement": { "rsi": 1 }"#, "advertisement: there is no 'rsi' here: "),
        (.twin, #""advertisement": { "data": { "name": "x" } }"#, "advertisement.data: there is no 'name' here: "),
        (.twin, #""services": [{ "uuid": "180F", "hadle": 1 }]"#, "services[0]: there is no 'hadle' here: "),
        (
            .twin, #""services": [{ "uuid": "180F", "characteristics": [{ "uuid": "2A19", "propertys": [] }] }]"#,
            "services[0].characteristics[0]: there is no 'propertys' here: "
        ),
        (
            .twin,
            #""services": [{ "uuid": "180F", "characteristics": [{ "uuid": "2A19", "properties": [], "descriptors": [{ "uuid": "2901", "text": "" }] }] }]"#,
            "services[0].characteristics[0].descriptors[0]: there is no 'text' here: choose 'handle', 'uuid', 'value'"
        ),
        (.profiles, #""servces": []"#, "the file: there is no 'servces' here: choose 'schema', 'services', 'version'"),
        (
            .profiles, #""services": [{ "uuid": "FFF0", "name": "S", "tags": "" }]"#,
            "services[0]: there is no 'tags' here: "
        ),
        (
            .profiles, field("\"units\": \"s\""),
            "services[0].characteristics[0].fields[0]: there is no 'units' here: choose 'alternative', "
        ),
        (.world, device("\"meters\": 1"), "devices[1]: there is no 'meters' here: did you mean 'metres'?"),
    ])
    func `a key that there is not is refused with its place and with those that there are`(
        kind: Kind, members: String, fault: String
    ) throws {
        let reason = try placed(kind, kind.text(members))
        #expect(reason.hasPrefix(fault.replacing("'alternative'", with: "'bigEndian'")), "\(reason)")
    }

    @Test(
        arguments: Kind.allCases,
        [
            ("\n\"a\": 1,\n\"a\": 2", 3, "'a' stands in line 2 already: remove one of both"),
            ("\"a\": { \"b\": 1,\n  \"b\": 2 }", 2, "'b' stands in line 1 already: remove one of both"),
            (
                "\"é\": [{ \"\\u0065\\u0301\": 1,\n\"\\u00e9\": 1 }]", 2,
                "'é' stands in line 1 already: remove one of both"
            ),
            (
                "\"t\\tb\\/\\\"\": 1,\n\"t\\u0009b/\\u0022\": 1", 2,
                "'t\tb/\"' stands in line 1 already: remove one of both"
            ),
        ])
    func `a key that stands twice is refused with both lines`(
        kind: Kind, file: (members: String, line: Int, fault: String)
    ) throws {
        let reason = try refusal(kind, kind.text(file.members))
        #expect(reason.contains("line \(file.line), column "), "\(reason)")
        #expect(reason.hasSuffix(file.fault), "\(reason)")
    }

    @Test(arguments: [
        (#""advertisement": { "data": { "manufacturerData": { "00fF": "01", "00ff": "02" } } }"#, "there twice"),
        (
            #""advertisement": { "scanResponse": { "serviceData": { "180F": "", "0000180f-0000-1000-8000-00805f9b34fb": "" } } }"#,
            "there twice"
        ),
    ])
    func `a key that stands twice in two forms is refused`(members: String, fault: String) throws {
        #expect(try placed(.twin, Kind.twin.text(members)).hasSuffix(fault))
    }

    // MARK: Size

    @Test(arguments: Kind.allCases, [1, 70_000])
    func `a file that is too long is refused with its size`(kind: Kind, excess: Int) throws {
        let text = String(repeating: " ", count: kind.maximum + excess)
        let reason = try refusal(kind, text)
        #expect(
            reason.hasSuffix(" has at most \(kind.maximum) bytes, and this has \(kind.maximum + excess)"), "\(reason)")
    }

    @Test func `bytes that are too many are counted`() {
        let twin = #expect(throws: TwinError.self) {
            try Twin(json: [UInt8](repeating: 0x20, count: Twin.maximumByteCount + 5000))
        }
        #expect(twin == .tooLong(byteCount: Twin.maximumByteCount + 5000))
        let maximum = ProfileManager.maximumJSONByteCount
        let profiles = #expect(throws: ProfileFileError.self) {
            try ProfileManager(json: [UInt8](repeating: 0x20, count: maximum + 5000))
        }
        #expect(profiles == .tooLong(byteCount: maximum + 5000, maximum: maximum))
    }
}
