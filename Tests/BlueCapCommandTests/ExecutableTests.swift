// SPDX-License-Identifier: MIT

#if os(Linux)
import ArgumentParser
import Foundation
import Testing

@testable import BlueCapCommand

/// The built tool itself, as a process.
@Suite(.timeLimit(.minutes(60)))
struct ExecutableTests {
    /// Runs the tool to its end; a signal, if one is given, comes after the first output.
    private func bluecap(_ arguments: String..., signal: Int32? = nil) async throws -> PipedRun {
        try await bluecap(arguments, signal: signal)
    }

    private func bluecap(
        _ arguments: [String], signal: Int32? = nil, environment: [String: String] = [:]
    ) async throws -> PipedRun {
        try await PipedRun(arguments, signal: signal, environment: environment)
    }

    /// Runs a body with a file of some text, which is removed after it.
    private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID()).json")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    @Test func `profiles of a file are known beside the library's, and win over them`() async throws {
        let text = """
            {"schema": "bluecap-profiles", "version": 1, "services": [
                {"uuid": "180F", "name": "Cells", "tag": "Mine", "characteristics": [
                    {"uuid": "2A19", "name": "Charge", "properties": ["read"],
                     "fields": [{"name": "charge", "type": "uint8", "scale": 0.01, "unit": "C"}]}]}]}
            """
        try await withFile(text) { file in
            let listed = try await bluecap("profiles", "--profiles", file, "--tag", "mine")
            #expect(listed.output == ["Cells  180F", "Mine", "  2A19  Charge  read"])
            let shown = try await bluecap("profiles", "--profiles", file, "charge")
            #expect(
                shown.output == ["Charge  2A19", "in          Cells", "properties  read", "parts       charge (C)"])
            let read = try await bluecap("read", "Heart Strap", "charge", "--backend", "virtual", "--profiles", file)
            #expect(read.status == 0, "\(read.errors)")
            // 97 % and the like become 0.97.
            #expect(read.output.joined().contains("."))
            #expect(read.output.joined().contains(" C  "))
            #expect(!read.output.joined().contains("%"))
            let library = try await bluecap("read", "Heart Strap", "Battery Level", "--backend", "virtual")
            #expect(library.output.joined().contains(" %"))
        }
    }

    @Test func `profiles of the settings are known to every command, and those of the option win`() async throws {
        func profiles(_ name: String) -> String {
            """
            {"schema": "bluecap-profiles", "version": 1, "services": [
                {"uuid": "180F", "name": "\(name)", "tag": "Mine", "characteristics": [
                    {"uuid": "2A19", "name": "\(name) Charge", "properties": ["read"]}]}]}
            """
        }
        try await withFile(profiles("Cells")) { file in
            try await withFile(profiles("Piles")) { other in
                try await withFile("{}") { settings in
                    let environment = ["BLUECAP_CONFIG": settings]
                    let set = try await bluecap(["config", "profiles", file], environment: environment)
                    #expect(set.status == 0 && set.output == ["profiles  \(file)"], "\(set)")
                    let listed = try await bluecap(["profiles", "--tag", "mine"], environment: environment)
                    #expect(listed.output == ["Cells  180F", "Mine", "  2A19  Cells Charge  read"], "\(listed)")
                    let read = ["read", "Heart Strap", "cells charge", "--backend", "virtual"]
                    #expect(try await bluecap(read, environment: environment).status == 0)
                    #expect(try await bluecap(read).status == 76)
                    let named = try await bluecap(
                        ["config", "scan.services", "cells"], environment: environment)
                    #expect(named.output == ["scan.services  180F"], "\(named)")
                    let wins = try await bluecap(
                        ["profiles", "--tag", "mine", "--profiles", other], environment: environment)
                    #expect(wins.output.first == "Piles  180F", "\(wins)")
                    // It was there when it was set.
                    try #"{"profiles": ["/nonexistent.json"]}"#.write(
                        toFile: settings, atomically: true, encoding: .utf8)
                    let refused = try await bluecap(["profiles"], environment: environment)
                    #expect(refused.status == 64 && refused.errors.contains("'bluecap config profiles'"), "\(refused)")
                }
            }
        }
    }

    @Test func `a file that has no profiles is refused with its name and the place in it`() async throws {
        try await withFile(#"{"schema": "bluecap-profiles", "version": 1, "services": [{"uuid": "x"}]}"#) { file in
            for command in [["profiles"], ["scan", "--backend", "virtual"], ["twin", "/nonexistent"]] {
                let run = try await bluecap(command + ["--profiles", file])
                #expect(run.status == 64)
                #expect(run.errors.contains("\(file): services[0].uuid: 'x' is no UUID"))
                #expect(run.output == [])
            }
        }
        let missing = try await bluecap("profiles", "--profiles", "/dev/null/profiles")
        #expect(missing.status == 64)
        #expect(missing.errors.contains("/dev/null/profiles: Not a directory"))
    }

    @Test func `a terminal that can do nothing gets what is waited for once, in plain text`() async throws {
        let terminal = try PseudoTerminal(
            ["read", "Nobody", "2A19", "--backend", "virtual", "--timeout", "10"], environment: ["TERM": "dumb"])
        try await terminal.wait(for: "scanning for Nobody …")
        #expect(try await terminal.end() == 75)
        let lines = terminal.screen.lines.filter { $0.hasPrefix("scanning for Nobody") }
        #expect(lines == ["scanning for Nobody", "scanning for Nobody …"], "\(terminal.screen.lines)")
    }

    @Test(arguments: [
        (["scna"], "did you mean 'scan'?"), (["beacon", "advertsie"], "did you mean 'advertise'?"),
        (["watch"], "did you mean 'notify'?"),
        (["help", "scna"], "did you mean 'scan'?"), (["nonsense"], "'bluecap --help' lists those that there are"),
        (["scan", "--service", "glucse"], "did you mean 'Glucose'?"),
        (["scan", "--backend", "virtual:hose"], "did you mean 'house'?"), (["profiles", "hart rate"], "'Heart Rate'"),
    ])
    func `a misspelt name is refused with 64, and with the one that is like it`(command: [String], advice: String)
        async throws
    {
        let run = try await bluecap(command)
        #expect(run.status == 64 && run.output.isEmpty && run.errors.contains(advice), "\(run)")
    }

    @Test func `what is wrong with a command line is said in lines that fit the terminal`() async throws {
        let terminal = try PseudoTerminal(["beacon", "advertsie"])
        #expect(try await terminal.end() == 64)
        let lines = terminal.screen.lines.filter { !$0.isEmpty }
        #expect(lines.contains("beacon --help' lists those that there are"), "\(lines)")
    }

    @Test(arguments: [("/nonexistent/lamp.json", "No such file"), ("/", "Is a directory")])
    func `a file that cannot be written ends record before it begins`(path: String, reason: String) async throws {
        let run = try await bluecap("record", "Heart Strap", "-o", path, "--backend", "virtual")
        #expect(run.status == 70 && run.errors.hasPrefix("bluecap: \(path): \(reason)"), "\(run)")
    }

    @Test func `a file that is there stays as it is until a record replaces it`() async throws {
        try await withFile("before") { file in
            let failed = try await bluecap("record", "Nobody", "-o", file, "--backend", "virtual", "--timeout", "1")
            #expect(failed.status == 75)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
            try FileManager.default.removeItem(atPath: file)
            _ = try await bluecap("record", "Nobody", "-o", file, "--backend", "virtual", "--timeout", "1")
            #expect(!FileManager.default.fileExists(atPath: file))
            try Data().write(to: URL(fileURLWithPath: file))
        }
    }

    @Test func `the demo ends by itself with status 0 and shows twenty samples as JSON`() async throws {
        let run = try await bluecap("demo", "--json", "--samples", "20", "--period", "20")
        #expect(run.status == 0)
        #expect(run.output.filter { $0.contains(#""event":"sample""#) }.count == 20)
        #expect(run.errors.isEmpty)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends it in an orderly way, and by its default action then`(signal: Int32) async throws {
        let run = try await bluecap("demo", "--forever", "--period", "20", signal: signal)
        #expect(run.signal == signal)
        #expect(run.errors.isEmpty)
    }

    @Test(arguments: [["emulate", "sensortag"], ["beacon", "advertise"]])
    func `Ctrl-C ends what serves until Ctrl-C by its signal, as everything else`(command: [String]) async throws {
        let run = try await bluecap(command + ["--backend", "virtual", "--duration", "60", "--json"], signal: SIGINT)
        #expect(run.signal == SIGINT)
        #expect(run.output.last?.hasPrefix(#"{"event":"stopped""#) == true, "\(run)")
        #expect(run.errors.isEmpty)
    }

    @Test(arguments: [
        (["scan", "--limit", "5"], "Heart Rate"), (["info", "Heart Strap"], "Heart Rate Measurement  2A37"),
        (["read", "Heart Strap", "Body Sensor Location"], "Chest  01"),
        (["write", "SensorTag", "Accelerometer Enabled", "no"], "wrote Accelerometer Enabled: No  00"),
        (["notify", "Heart Strap", "2A37", "--count", "1"], "heartRate"), (["doctor"], "ok       radio"),
        (["pair", "Heart Strap"], "paired: Heart Strap"), (["bonds"], "C0:DE:00:00:00:03  Dog Collar"),
        (["forget", "Dog Collar"], "forgot C0:DE:00:00:00:03"), (["rssi", "Dog Collar", "--count", "1"], " dBm"),
        (["emulate", "Battery", "--duration", "8"], "central     read Battery Level"),
        (["emulate", "SensorTag", "--samples", "1"], "Advertising as SensorTag"),
        (["beacon", "monitor", "--duration", "8"], "inside      region"),
        (["scan", "--inspect", "--limit", "1"], "inspected"),
        (["adapters"], "virtual  00:00:5E:00:53:01  on"),
    ])
    func `what a new user does first works in the virtual world, and ends with 0`(command: [String], output: String)
        async throws
    {
        let run = try await bluecap(command + ["--backend", "virtual"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains { $0.contains(output) }, "\(run.output)")
    }

    @Test func `a file takes the values, and a full disk ends it with 70 and says so`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID()).csv").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let command = ["notify", "Heart Strap", "2A19", "--count", "1", "--csv", "--backend", "virtual", "--output"]
        let kept = try await bluecap(command + [path])
        #expect(kept.status == 0 && kept.output.isEmpty, "\(kept.errors)")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("date,index,characteristic") == true)
        let full = try await bluecap(command + ["/dev/full"])
        #expect(full.status == 70)
        #expect(full.errors.contains("bluecap: /dev/full: No space left on device"), "\(full.errors)")
    }

    @Test(
        arguments: [(["Nobody", "2A37", "--timeout", "1"], 75), (["Heart Strap", "2A38x"], 76)] as [([String], Int32)])
    func `a file stays as it is when nothing is found to write to it`(arguments: [String], status: Int32) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID()).csv").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "yesterday".write(toFile: path, atomically: true, encoding: .utf8)
        let run = try await bluecap(["notify"] + arguments + ["--backend", "virtual", "--output", path])
        #expect(run.status == status, "\(run.errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "yesterday")
    }

    @Test func `a reader of a file's output that goes away is no failure`() async throws {
        let run = try await PipedRun(
            ["notify", "Heart Strap", "2A37", "--backend", "virtual", "--output", "-"], closesOutput: true)
        #expect(run.status == 0 && run.errors.isEmpty == false, "\(run.errors)")
    }

    @Test func `what a file of a world has put into a message is made printable`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try #"{"world": 1, "devices": [], "\u001b]0;x\u0007": 1}"#.write(
            toFile: path, atomically: true, encoding: .utf8)
        let run = try await bluecap("scan", "--backend", "virtual:\(path)")
        #expect(run.status == 64)
        #expect(run.errors.contains("\u{FFFD}]0;x\u{FFFD}") && !run.errors.contains("\u{1B}"), "\(run.errors)")
    }

    @Test func `a recording and a capture in JSON say what is in their files`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let record = ["record", "Dog Collar", "--duration", "0", "--backend", "virtual", "--json", "-o", path]
        let recorded = try await bluecap(record)
        #expect(
            recorded.output == [
                #"{"characteristics":1,"event":"recorded","id":"C0:DE:00:00:00:03","name":"Dog Collar","notifications":0,"path":"\#(path)","services":1}"#
            ], "\(recorded.errors)")
        #expect(recorded.errors.contains("wrote \(path), which 'bluecap emulate' makes a device again\n"))
        let captured = try await bluecap("capture", "--duration", "0", "--json", "-o", path)
        let pattern = /\{"event":"captured","packets":\d\d+,"path":"[^"]*"\}/
        #expect(captured.output.first?.wholeMatch(of: pattern) != nil, "\(captured.errors)")
    }

    @Test func `a world by its name is where a command runs`() async throws {
        let run = try await bluecap("scan", "--backend", "virtual:house", "--name", "Front", "--limit", "1")
        #expect(run.status == 0 && run.output.contains { $0.contains("Front Door") }, "\(run.output)")
    }

    @Test func `a file of settings that cannot be read ends a command with 64, its path and what is wrong`()
        async throws
    {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try #"{"scan.limit": 0}"#.write(toFile: path, atomically: true, encoding: .utf8)
        let run = try await bluecap(["scan", "--backend", "virtual"], environment: ["BLUECAP_CONFIG": path])
        #expect(run.status == 64)
        #expect(run.errors.contains("\(path): scan.limit cannot be '0'"), "\(run.errors)")
    }

    @Test func `the profiles are browsed without a radio`() async throws {
        let run = try await bluecap("profiles", "180D")
        #expect(run.status == 0 && run.output.first == "Heart Rate  180D")
        #expect(run.errors.isEmpty)
    }

    @Test func `a value that a device does not take ends it with 64, and what it refuses with 76`() async throws {
        let misfit = try await bluecap("write", "SensorTag", "Accelerometer Enabled", "maybe", "--backend", "virtual")
        #expect(misfit.status == 64)
        #expect(misfit.errors.contains("write 'No' or 'Yes'"))
        let refused = try await bluecap("write", "Heart Strap", "2A39", "02", "--backend", "virtual")
        #expect(refused.status == 76)
    }

    @Test(arguments: ["--samples=0", "--period=5", "--nonsense"])
    func `a wrong command line ends it with 64 and the usage`(argument: String) async throws {
        let run = try await bluecap("demo", argument)
        #expect(run.status == 64)
        #expect(run.errors.contains("Usage: bluecap demo"))
    }

    @Test func `nobody in sight ends a scan with 75 and a sentence that says what to check`() async throws {
        let run = try await bluecap(
            "scan", "--backend", "virtual", "--service", "1234", "--duration", "0.2", "--json")
        #expect(run.status == 75)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("bluecap: "))
    }

    @Test func `a scan that finds nothing names what it looked for`() async throws {
        let filters = ["--service", "180F", "--name", "Foo", "--minimum-rssi", "-40"]
        let run = try await bluecap(["scan", "--backend", "virtual", "--duration", "0.2"] + filters)
        let text =
            "no device that advertises Battery and whose name starts with 'Foo' and of at least -40 dBm was heard"
        #expect(run.status == 75 && run.errors.contains(text), "\(run.errors)")
    }

    @Test(arguments: [
        (["scan", "--duration", "-3"], "'-3' is invalid for '--duration"),
        (["scan", "--name", ""], "--name is empty"), (["info", ""], "the name of the device is empty"),
        (["notify", " ", "2A37"], "the name of the device is empty"),
        (["pair", ""], "the name of the device is empty"), (["forget", ""], "the name of the device is empty"),
        (["shell", ""], "the name of the device is empty"),
    ])
    func `a time below zero and a name that is empty are refused by name`(command: [String], text: String)
        async throws
    {
        let run = try await bluecap(command + ["--backend", "virtual"])
        #expect(run.status == 64 && run.errors.contains(text), "\(run.errors)")
    }

    @Test func `alone it is one screen, with each command`() async throws {
        let run = try await bluecap()
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.count <= 22 && run.output.allSatisfy { $0.count < 80 }, "\(run.output)")
        let words = Set(run.output.flatMap { $0.split(separator: " ").map(String.init) })
        for command in BlueCapCommand.configuration.subcommands {
            let name = command.configuration.commandName ?? ""
            #expect(words.contains(name), "no \(name)")
        }
    }

    @Test func `the version stands alone on a line`() async throws {
        let run = try await bluecap("--version")
        #expect(run.status == 0)
        #expect(run.output.count == 1)
    }
}
#endif
