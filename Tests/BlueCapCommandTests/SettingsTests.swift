// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct SettingsTests {
    /// Runs `body` with a file of settings in a folder of its own that does not exist yet.
    private func withFile<Result>(_ body: (SettingsFile) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(SettingsFile { $0 == "XDG_CONFIG_HOME" ? folder : nil })
    }

    @Test(arguments: [
        (["BLUECAP_CONFIG": "/a.json", "XDG_CONFIG_HOME": "/b"], "/a.json"),
        (["XDG_CONFIG_HOME": "/b", "HOME": "/c"], "/b/bluecap/config.json"),
        (["XDG_CONFIG_HOME": "", "HOME": "/c"], "/c/.config/bluecap/config.json"),
    ])
    func `the file is where the environment says`(environment: [String: String], path: String) {
        #expect(SettingsFile { environment[$0] }.path == path)
    }

    @Test(arguments: [
        (String(repeating: " ", count: 1 << 20) + "{}", "has at most 1048576 bytes"),
        (#"{"timeout": "# + String(repeating: "[", count: 33), "too deep in each other"),
        ("[" + repeatElement("0", count: 70_000).joined(separator: ",") + "]", "more than 65536 values"),
    ])
    func `a file of more than settings is refused before it is decoded`(text: String, reason: String) throws {
        let file = try TemporaryFile(text.utf8)
        let error = #expect(throws: CommandFailure.self) {
            try SettingsFile { $0 == "BLUECAP_CONFIG" ? file.path : nil }.read()
        }
        #expect(error?.message.hasPrefix(file.path) == true)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func `without a file nothing is set`() throws {
        #expect(try withFile { try $0.read() } == Settings())
    }

    /// A value that each setting can have, and the form in which it is kept.
    private static let values: [SettingKey: ([String], [String])] = [
        .backend: (["virtual"], ["virtual"]), .adapter: (["hci1"], ["hci1"]), .color: (["Never"], ["never"]),
        .timeout: (["2.50"], ["2.5"]), .profiles: (["/a/b.json"], ["/a/b.json"]),
        .scanMode: (["services"], ["services"]),
        .scanServices: (["Pulse=180d", "180F"], ["Pulse=180D", "180F"]), .scanDuration: (["OFF"], ["off"]),
        .scanLimit: (["020"], ["20"]), .scanSort: (["name"], ["name"]), .inspectConnections: (["3"], ["3"]),
        .inspectTimeouts: (["off"], ["off"]), .inspectDisconnections: (["0"], ["0"]), .inspectWait: (["2"], ["2"]),
        .beaconRegions: (
            ["a=B9407F30-F5F8-466E-AFF9-25556B57FE6D/1/2"], ["a=b9407f30-f5f8-466e-aff9-25556b57fe6d/1/2"]
        ),
        .beaconUUID: (["B9407F30-F5F8-466E-AFF9-25556B57FE6D"], ["b9407f30-f5f8-466e-aff9-25556b57fe6d"]),
        .beaconMajor: (["65535"], ["65535"]), .beaconMinor: (["0"], ["0"]), .beaconPower: (["-128"], ["-128"]),
    ]

    @Test func `every setting is read from the file as it was written`() throws {
        var settings = Settings()
        for key in SettingKey.allCases {
            let (written, kept) = try #require(Self.values[key], "\(key)")
            try settings.set(key, to: written)
            #expect(settings.list(key) == kept)
        }
        let read = try withFile { file in
            try file.write(settings)
            return try file.read()
        }
        #expect(read == settings)
    }

    @Test(arguments: [
        (SettingKey.backend, ["usb"]), (.color, ["red"]), (.timeout, ["0"]), (.timeout, ["off"]), (.scanLimit, ["0"]),
        (.scanServices, ["=180D"]), (.scanServices, ["x"]), (.inspectConnections, ["33"]), (.beaconMajor, ["65536"]),
        (.beaconUUID, ["180D"]), (.beaconRegions, ["office"]), (.beaconPower, ["1.5"]), (.scanSort, ["rssi", "name"]),
        (.beaconRegions, ["a=B9407F30-F5F8-466E-AFF9-25556B57FE6D/x"]), (.adapter, [""]), (.profiles, [""]),
    ])
    func `a value that cannot be is refused with what can`(key: SettingKey, texts: [String]) {
        var settings = Settings()
        let error = #expect(throws: CommandFailure.self) { try settings.set(key, to: texts) }
        #expect(error?.status == .usage && error?.message.contains(key.form.description) == true)
        #expect(settings == Settings())
    }

    @Test func `of two regions with one name the last counts`() throws {
        var settings = Settings()
        let uuid = "b9407f30-f5f8-466e-aff9-25556b57fe6d"
        try settings.set(.beaconRegions, to: ["a=\(uuid)", "b=\(uuid)", "a=\(uuid)/2"])
        #expect(settings.list(.beaconRegions) == ["b=\(uuid)", "a=\(uuid)/2"])
    }

    @Test(arguments: [
        ("[]", "this is no object"), ("{\n", "not JSON: line 2, column 1: a key"),
        (#"{"scan.limits": 3}"#, "'scan.limits'"),
        (#"{"scan.limit": "many"}"#, "scan.limit cannot be 'many'"),
        (#"{"timeout": {}}"#, "timeout: a setting is a number, a text or"),
    ])
    func `a file that is none is refused with its path and what is wrong`(text: String, problem: String) throws {
        try withFile { file in
            try file.write(Settings())
            try text.write(toFile: file.path, atomically: true, encoding: .utf8)
            let error = #expect(throws: CommandFailure.self) { try file.read() }
            #expect(error?.status == .usage)
            #expect(error?.message.hasPrefix(file.path + ": ") == true)
            #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `the command line wins over the settings, and these over what is usual`() throws {
        var settings = Settings()
        try settings.set(.scanLimit, to: ["7"])
        try settings.set(.scanSort, to: ["name"])
        try settings.set(.scanMode, to: ["services"])
        try settings.set(.scanServices, to: ["Pulse=180D", "180F"])
        try settings.set(.inspectTimeouts, to: ["off"])
        let usual = try ScanCommand.parse([]).plan(Settings())
        #expect(usual.limit == nil && usual.order == .rssi && usual.services.isEmpty && usual.inspection == nil)
        let set = try ScanCommand.parse(["--inspect"]).plan(settings)
        #expect(set.limit == 7 && set.order == .name && set.services == ["180D", "180F"])
        #expect(set.inspection?.maximumTimeouts == nil && set.inspection?.maximumDisconnections == 5)
        let given = try ScanCommand.parse(["--limit", "2", "--sort", "seen", "--all", "--inspect", "--retries", "1"])
            .plan(settings)
        #expect(given.limit == 2 && given.order == .seen && given.services.isEmpty)
        #expect(given.inspection?.maximumTimeouts == 1)
        #expect(try ScanCommand.parse(["--minimum-rssi", "-80"]).minimumRssi == -80)
        #expect(try BeaconAdvertiseCommand.parse(["--power", "-62", "--generate"]).power == -62)
        #expect(try ScanCommand.parse(["--service", "1809"]).plan(settings).services == ["1809"])
    }

    @Test func `the radio is that of the settings where none is given`() throws {
        var settings = Settings()
        try settings.set(.backend, to: ["virtual"])
        try settings.set(.adapter, to: ["hci1"])
        let set = try RadioOptions.parse([]).resolved(settings)
        #expect(set.backend == .virtual(nil) && set.adapter == nil)
        let given = try RadioOptions.parse(["--adapter", "hci2"]).resolved(settings)
        #expect(given.backend == nil && given.adapter == "hci2")
        let bluez = try RadioOptions.parse(["--backend", "bluez"]).resolved(settings)
        #expect(bluez.backend == .bluez && bluez.adapter == "hci1")
    }
}
