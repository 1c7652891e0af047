// SPDX-License-Identifier: MIT

#if os(Linux)
import ArgumentParser
import Foundation
import Testing

@testable import BlueCapCommand

/// The output of `--json`, compared with its description in the help of the command.
@Suite(.timeLimit(.minutes(60)))
struct JSONHelpTests {
    /// A command line, and the page of the command that it runs.
    struct Run: Sendable, CustomTestStringConvertible {
        var page: String
        var arguments: [String]
        var input: String?
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ page: String, _ arguments: [String], input: String? = nil) {
            (self.page, self.arguments, self.input) = (page, arguments, input)
        }
    }

    private static let virtual = ["--backend", "virtual"]

    /// The commands with their whole output in a virtual world.
    static let runs: [Run] = [
        Run("demo", ["demo", "--samples", "2"]),
        Run("scan", ["scan", "--limit", "5"] + virtual), Run("scan", ["scan", "--inspect", "--limit", "2"] + virtual),
        Run("info", ["info", "Heart Strap"] + virtual), Run("read", ["read", "Heart Strap", "2A38"] + virtual),
        Run("write", ["write", "SensorTag", "Accelerometer Enabled", "no"] + virtual),
        Run("notify", ["notify", "Heart Strap", "2A37", "--count", "1"] + virtual),
        Run("open", ["channel", "open", "Heart Strap", "--psm", "128", "--wait", "1"] + virtual, input: "hello"),
        Run("listen", ["channel", "listen", "--duration", "3"] + virtual, input: "page"),
        Run("channel", ["channel", "listen", "--duration", "1"] + virtual),
        Run("rssi", ["rssi", "Dog Collar", "--count", "1"] + virtual), Run("pair", ["pair", "Heart Strap"] + virtual),
        Run("bonds", ["bonds"] + virtual), Run("forget", ["forget", "Dog Collar"] + virtual),
        Run("device", ["emulate", "Battery", "--duration", "8"] + virtual),
        Run("emulate", ["emulate", "Battery", "--duration", "2"] + virtual),
        Run("sensortag", ["emulate", "sensortag", "--samples", "1"] + virtual),
        Run("advertise", ["beacon", "advertise", "--duration", "1"] + virtual),
        Run("range", ["beacon", "range", "--duration", "3"] + virtual),
        Run("range", ["beacon", "range", "--all", "--duration", "3"] + virtual),
        Run("monitor", ["beacon", "monitor", "--duration", "4"] + virtual),
        Run("beacon", ["beacon", "monitor", "--duration", "4"] + virtual),
        Run("record", ["record", "Dog Collar", "--duration", "0", "-o", "/dev/null"] + virtual),
        Run("capture", ["capture", "--duration", "0", "-o", "/dev/null"]),
        Run("profiles", ["profiles", "180D"]), Run("profiles", ["profiles", "Heart Rate Measurement"]),
        Run("profiles", ["profiles", "--company", "0x004C"]), Run("adapters", ["adapters"] + virtual),
        Run("config", ["config"]), Run("doctor", ["doctor"] + virtual),
        Run(
            "shell", ["shell", "Heart Strap"] + virtual,
            input: "devices\ntree\nread 2A38\nsubscribe 2A37\nwait 2\nvalues 2A37\nlog\nrssi\nhelp\nnonsense\nquit\n"),
    ]

    /// The commands that there are, by their names. `twin` reads a file, and is tried below; `gateway` needs a broker,
    /// and is tried by Tests/Tool/gateway; `proxy` needs a trait, and is tried by Tests/Tool/proxy.
    private static func pages(of command: any ParsableCommand.Type) -> [String] {
        [command.configuration.commandName ?? ""] + command.configuration.subcommands.flatMap { pages(of: $0) }
    }

    private static func help(_ name: String, of command: any ParsableCommand.Type = BlueCapCommand.self) -> String? {
        if command.configuration.commandName == name { return BlueCapCommand.helpMessage(for: command, columns: 200) }
        return command.configuration.subcommands.lazy.compactMap { help(name, of: $0) }.first
    }

    /// The part of the help about JSON: from that heading to the exit statuses.
    private static func section(of page: String) throws -> Substring {
        let page = try #require(help(page))
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let section = lines.drop { !$0.hasPrefix("JSON") }.prefix { !$0.hasPrefix("EXIT STATUS") }
        return Substring(section.joined(separator: "\n"))
    }

    @Test func `every command is tried`() {
        let tried = Set(Self.runs.map(\.page) + ["bluecap", "twin", "gateway", "proxy"])
        #expect(Set(Self.pages(of: BlueCapCommand.self)).subtracting(tried).isEmpty)
    }

    @Test(arguments: pages(of: BlueCapCommand.self))
    func `the help of each command has a section about its JSON`(page: String) throws {
        #expect(try !Self.section(of: page).isEmpty)
    }

    @Test(arguments: runs)
    func `the help names each event and each key that a command prints`(run: Run) async throws {
        let result = try await PipedRun(run.arguments + ["--json"], input: run.input)
        let section = try Self.section(of: run.page)
        // A group leaves the keys to the help of its commands.
        let isGroup = ["emulate", "beacon", "channel"].contains(run.page)
        try Self.expect(result.output, explainedBy: section, withKeys: !isGroup)
    }

    @Test func `the help of twin names each event and each key of the devices and the values of a capture`()
        async throws
    {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID()).btsnoop").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try await PipedRun(["capture", "--duration", "1", "-o", path])
        for options in [[], ["--values"]] {
            let result = try await PipedRun(["twin", path, "--json"] + options)
            try Self.expect(result.output, explainedBy: Self.section(of: "twin"))
        }
    }

    private static func expect(_ output: [String], explainedBy section: Substring, withKeys: Bool = true) throws {
        #expect(!output.isEmpty)
        let words = Set(section.split { !$0.isLetter }.map(String.init))
        for line in output {
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let object = try #require(json as? [String: Any], "\(line)")
            let event = try #require(object["event"] as? String, "\(line)")
            #expect(section.contains("\"\(event)\""), "no word of \(event)")
            for key in object.keys where withKeys { #expect(words.contains(key), "no word of \(key) in \(event)") }
        }
    }
}
#endif
