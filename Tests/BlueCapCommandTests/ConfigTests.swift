// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(5)))
struct ConfigTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID())").path
    private var file: SettingsFile { SettingsFile { [folder] in $0 == "XDG_CONFIG_HOME" ? folder : nil } }

    @discardableResult
    private func lines(_ plan: ConfigSession.Plan) throws -> [String] {
        let output = RecordedOutput()
        try ConfigSession(file: file, plan: plan, output: output).run()
        return output.lines
    }

    @Test func `all settings are listed, those that are not set in brackets, within 80 columns`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try lines(ConfigSession.Plan(setting: "scan.limit", values: ["20"]))
        let all = try lines(ConfigSession.Plan())
        #expect(all.first == folder + "/bluecap/config.json")
        #expect(all.count == SettingKey.allCases.count + 1)
        #expect(all.contains("scan.limit              20"), "\(all)")
        #expect(all.contains("scan.sort               [rssi]"))
        #expect(all.dropFirst().allSatisfy { TextLayout.width(of: $0) <= 80 })
    }

    @Test func `one setting is shown with what it governs and can be`() throws {
        let lines = try lines(ConfigSession.Plan(setting: "Scan.Sort"))
        #expect(lines.first == "scan.sort  [rssi]")
        #expect(lines.dropFirst().joined(separator: " ").contains("rssi or discovery or name or seen"))
    }

    @Test func `a setting is set, shown, and unset`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try lines(ConfigSession.Plan(setting: "adapter", values: ["hci1"])) == ["adapter  hci1"])
        #expect(try file.read().text(.adapter) == "hci1")
        #expect(
            try lines(ConfigSession.Plan(setting: "adapter", unsets: true)) == ["adapter  [the first that is on]"])
        #expect(try file.read() == Settings())
    }

    @Test func `in JSON a setting has its name, values, default and form`() throws {
        let line = try #require(lines(ConfigSession.Plan(setting: "color", isJSON: true)).first)
        #expect(
            line
                == #"{"event":"config","path":"\#(folder)/bluecap/config.json","settings":[{"default":"auto","form":"auto or never","name":"color","set":false,"summary":"Whether live views use colours.","values":[]}]}"#
        )
    }

    @Test(arguments: [("scan", "'scan.mode'"), ("speed", "'bluecap config' lists them")])
    func `a name that is none is refused with similar ones`(name: String, advice: String) {
        let error = #expect(throws: CommandFailure.self) { try lines(ConfigSession.Plan(setting: name)) }
        #expect(error?.status == .usage && error?.message.contains(advice) == true)
    }

    @Test(arguments: [["--unset"], ["color", "never", "--unset"]])
    func `what cannot be is refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try ConfigCommand.parse(arguments) }
    }
}
