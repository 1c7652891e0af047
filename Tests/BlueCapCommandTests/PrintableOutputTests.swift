// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapRuntime
import BlueCapTerminal
import Foundation
import Logging
import Testing

@testable import BlueCapCommand

/// Texts of devices, of files and of the bus that a terminal would obey.
@Suite(.timeLimit(.minutes(60)))
struct PrintableOutputTests {
    /// ESC, DEL, a control of the second row, two marks of direction, a separator, a private character, and one that
    /// takes two units of UTF-16.
    static let hostile = "a\u{1B}b\u{7F}c\u{9B}d\u{202E}e\u{2066}f\u{2028}g\u{E000}h\u{E0001}i"

    private static func isPrintable(_ text: String) -> Bool { PrintableText.replacing(text) == text }

    /// Runs a body with a file of some text, which is removed after it.
    private static func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID()).json")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    // MARK: JSON

    @Test func `an event in JSON has nothing that a terminal obeys, and says the same`() throws {
        let line = JSONLine.text(["name": Self.hostile])
        #expect(Self.isPrintable(line) && line.contains(#"\u009b"#) && line.contains(#"\udb40\udc01"#), "\(line)")
        #expect(try JSONDecoder().decode([String: String].self, from: Data(line.utf8)) == ["name": Self.hostile])
    }

    @Test func `what is not ASCII and printable stands as it is in JSON`() {
        let text = "Kühlschrank 冷蔵庫 👩\u{200D}🔬"
        #expect(JSONLine.text([text]) == "[\"\(text)\"]")
    }

    @Test func `the JSON of a twin has nothing that a terminal obeys, and says the same`() throws {
        let twin = Twin(name: Self.hostile)
        #expect(twin.json.split(separator: "\n").allSatisfy { Self.isPrintable(String($0)) }, "\(twin.json)")
        #expect(try Twin(json: twin.json.utf8).name == Self.hostile)
    }

    @Test func `the file of the settings has nothing that a terminal obeys, and says the same`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var settings = Settings()
        try settings.set(.beaconRegions, to: ["\(Self.hostile)=7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70"])
        let file = SettingsFile(environment: { $0 == "BLUECAP_CONFIG" ? path : nil })
        try file.write(settings)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.split(separator: "\n").allSatisfy { Self.isPrintable(String($0)) }, "\(text)")
        #expect(try file.read().regions.map(\.name) == [Self.hostile])
    }

    // MARK: Lines

    @Test func `a drawing obeys nothing but its colour`() {
        let line = DrawnLine(lead: Self.hostile, text: Self.hostile, color: .red)
        let parts = line.output.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        #expect(parts.count == 3 && parts[1].hasPrefix("[31m") && parts[2] == "[0m")
        #expect(Self.isPrintable(line.output.replacing("\u{1B}", with: "")))
    }

    @Test func `the names of a profile's numbers are drawn without what a terminal obeys`() {
        var plot = NumberPlot(title: Self.hostile, total: nil)
        plot.add([(Self.hostile, Self.hostile, 1), (Self.hostile, Self.hostile, 2)])
        let drawn = plot.screen(ScreenSize(columns: 80, rows: 24)).map(\.output)
        #expect(drawn.count > 2 && drawn.allSatisfy { Self.isPrintable($0) }, "\(drawn)")
    }

    @Test func `what is waited for is shown without what a terminal obeys`() {
        let written = Locked("")
        let line = WaitingLine(columns: { nil }, write: { text in written.withLock { $0 += text } })
        line.begin("scanning for \(Self.hostile)", now: .now - .seconds(2))
        line.tick()
        #expect(Self.isPrintable(written.withLock { $0 }.replacing("\n", with: "")) && !written.withLock { $0.isEmpty })
    }

    @Test func `the log of the library goes where the messages of the tool go`() {
        let lines = Locked<[String]>([])
        var log = Logger(label: "bluecap.central") { label in
            ToolLog(label: label, write: { text in lines.withLock { $0.append(text) } })
        }
        log.logLevel = .debug
        log[metadataKey: "link"] = "2"
        log.debug("the radio is off", metadata: ["id": "1"])
        let line = lines.withLock { $0.first } ?? ""
        #expect(line.hasSuffix(" debug bluecap.central: id=1 link=2 the radio is off"), "\(line)")
        #expect(
            CentralManager.Configuration.tool(clock: .continuous).logger.handler is ToolLog
                && PeripheralManager.Configuration.tool(clock: .continuous).logger.handler is ToolLog)
    }

    @Test func `a shell offers no text that a terminal obeys`() {
        #expect(Completion.matches("", [Self.hostile, "Battery"]) == ["Battery"])
    }

    #if os(Linux)
    /// A profile and a device whose every text is hostile.
    private static let profiles = """
        {"schema": "bluecap-profiles", "version": 1, "services": [
            {"uuid": "FFF0", "name": "Service\(escaped)", "tag": "Tag\(escaped)", "characteristics": [
                {"uuid": "FFF1", "name": "Level\(escaped)", "properties": ["read", "write", "notify"],
                 "initialValue": "05",
                 "fields": [{"name": "part\(escaped)", "type": "uint8", "unit": "unit\(escaped)"}]}]}]}
        """
    private static let world = """
        {"world": 1, "devices": [
            {"name": "Device\(escaped)", "address": "C0:DE:00:00:00:77", "services": ["FFF0"],
             "values": {"FFF1": "07"}, "moves": {"FFF1": "wave:60..120"}}]}
        """
    private static let escaped = #"\u001b]0;x\u0007\u007f\u009b\u202e\u2066\u2028"#

    @Test(
        arguments: [
            ["profiles"], ["profiles", "FFF0"], ["profiles", "FFF1"], ["scan", "--limit", "1"],
            ["scan", "--inspect", "--limit", "1"], ["info", "ID"], ["read", "ID", "FFF1"],
            ["write", "ID", "FFF1", "09"], ["notify", "ID", "FFF1", "--count", "2"],
            ["notify", "ID", "FFF1", "--count", "1", "--csv"],
            ["notify", "ID", "FFF1", "--count", "1", "--csv", "--output", "-"], ["read", "ID", "nothing"],
            ["rssi", "ID", "--count", "1"], ["pair", "ID"], ["record", "ID", "--duration", "0", "-o", "-"],
            ["record", "ID", "--duration", "1", "-o", "/dev/null"], ["emulate", "FFF0", "--duration", "3"],
            ["info", "Nobody\u{9B}", "--timeout", "1"],
        ], [false, true])
    func `no command prints what a terminal obeys, of a profile, a world or a device`(
        command: [String], isJSON: Bool
    ) async throws {
        try await Self.withFile(Self.profiles) { profiles in
            try await Self.withFile(Self.world) { world in
                var arguments = command.map { $0 == "ID" ? "C0:DE:00:00:00:77" : $0 } + ["--profiles", profiles]
                if command[0] != "profiles" {
                    arguments += ["--backend", command[0] == "emulate" ? "virtual" : "virtual:\(world)", "--verbose"]
                }
                if isJSON, !arguments.contains("--csv"), !arguments.contains("-") { arguments.append("--json") }
                let run = try await PipedRun(arguments)
                #expect(run.status == 0 || command.contains { $0.hasPrefix("no") || $0.hasPrefix("No") }, "\(run)")
                let lines = run.output + run.errors.split(separator: "\n").map(String.init)
                #expect(!lines.isEmpty)
                #expect(lines.filter { !Self.isPrintable($0) } == [])
            }
        }
    }

    @Test func `a shell prints nothing that a terminal obeys`() async throws {
        try await Self.withFile(Self.profiles) { profiles in
            try await Self.withFile(Self.world) { world in
                let run = try await PipedRun(
                    ["shell", "C0:DE:00:00:00:77", "--profiles", profiles, "--backend", "virtual:\(world)"],
                    input: "tree\nread FFF1\nsubscribe FFF1\nwait 2\nvalues FFF1\nlog\nread nothing\u{9B}\n")
                let lines = run.output + run.errors.split(separator: "\n").map(String.init)
                #expect(run.output.contains { $0.contains("Level") } && lines.allSatisfy(Self.isPrintable), "\(lines)")
            }
        }
    }
    #endif
}
