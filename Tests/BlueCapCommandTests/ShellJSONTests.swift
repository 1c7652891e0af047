// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import Testing

/// The built `bluecap shell --json`, with pipes and on a terminal.
@Suite(.timeLimit(.minutes(60)))
struct ShellJSONTests {
    private static let command = ["shell", "--backend", "virtual", "--json"]

    private func objects(_ lines: [String]) throws -> [[String: Any]] {
        try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    @Test func `every line is an object, and each command ends with done or failed`() async throws {
        let script = [
            "# a comment", "scan 5", "devices heart", "connect Heart Strap", #"read "Model Number String""#, "nonsense",
            "read 2A99", "descriptors 2A24", "descriptors 2A24 2901", "rssi", "subscribe 2A37", "wait 5",
            "values 2A24", "values 2A37", "tree model", "tree measurement", "log model", "help rssi", "quit",
            "read 2A24",
        ]
        let run = try await PipedRun(Self.command, input: script.joined(separator: "\n") + "\n")
        #expect(run.status == 64 && run.errors.isEmpty, "\(run.errors)")
        let events = try objects(run.output)
        func all(_ event: String) -> [[String: Any]] { events.filter { $0["event"] as? String == event } }
        let ends = events.filter { ["done", "failed"].contains($0["event"] as? String) }
        #expect(ends.compactMap { $0["line"] as? String } == Array(script.dropFirst().dropLast()))
        #expect(all("failed").compactMap { $0["status"] as? Int } == [64, 76])
        #expect(all("failed").allSatisfy { ($0["error"] as? String)?.isEmpty == false })
        func characteristics(_ tree: [String: Any]?) -> [[String: Any]] {
            let services = tree?["tree"] as? [[String: Any]]
            return services?.first?["characteristics"] as? [[String: Any]] ?? []
        }
        #expect(all("discovered").count == 5 && all("device").count == 1)
        #expect(all("device").first?["name"] as? String == "Heart Strap" && all("device").first?["number"] is Int)
        #expect(all("connected").first?["id"] as? String == "C0:DE:00:00:00:02")
        #expect(all("read").first?["text"] as? String == "Strap 1" && all("read").first?["handle"] is String)
        #expect((all("descriptors").first?["descriptors"] as? [[String: Any]])?.count == 1)
        #expect(all("descriptorRead").first?["text"] as? String == "Printed inside")
        #expect((all("signal").first?["rssi"] as? Int ?? 0) < 0)
        #expect(all("notified").count >= 2)
        let notified = all("notified").first
        #expect((notified?["numbers"] as? [String: Any])?["heartRate"] is Double)
        #expect((notified?["units"] as? [String: String])?["heartRate"] == "bpm")
        #expect(notified?["shortCharacteristic"] as? String == "2A37" && notified?["shortService"] as? String == "180D")
        #expect((all("values").first?["entries"] as? [[String: Any]])?.first?["how"] as? String == "read")
        let rates = try #require(all("values").last?["entries"] as? [[String: Any]])
        for rate in [rates.last, characteristics(all("tree").last).first] {
            #expect((rate?["fields"] as? [String: String])?["heartRate"] != nil, "\(rate as Any)")
            #expect((rate?["numbers"] as? [String: Any])?["heartRate"] is Double)
            #expect((rate?["units"] as? [String: String])?["heartRate"] == "bpm")
        }
        let services = all("tree").first?["tree"] as? [[String: Any]]
        let found = services?.first?["characteristics"] as? [[String: Any]]
        #expect(services?.count == 1 && found?.count == 1 && found?.first?["text"] as? String == "Strap 1")
        #expect((found?.first?["descriptors"] as? [[String: Any]])?.first?["text"] as? String == "Printed inside")
        #expect(all("log").first?["entries"] is [[String: Any]] && all("help").first?["entries"] is [[String: Any]])
        let times = events.compactMap { $0["time"] as? Double }
        #expect(times == times.sorted())
    }

    @Test func `on a terminal lines are taken as they are typed, and answered in JSON`() async throws {
        let terminal = try PseudoTerminal(Self.command, controls: true)
        terminal.type("help rssi\n")
        try await terminal.wait(for: #"{"event":"done","line":"help rssi"}"#)
        #expect(!terminal.isRaw && !terminal.screen.lines.contains { $0.hasPrefix("bluecap>") })
        terminal.type("quit\n")
        #expect(try await terminal.end() == 0)
    }
}
#endif
