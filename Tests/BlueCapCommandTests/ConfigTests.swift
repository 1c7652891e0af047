// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
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

    @Test func `a file that is a link stays one, and what it leads to keeps who may read it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try lines(ConfigSession.Plan(setting: "adapter", values: ["hci1"]))
        let real = folder + "/dotfile.json"
        let files = FileManager.default
        try files.moveItem(atPath: file.path, toPath: real)
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: real)
        try files.createSymbolicLink(atPath: file.path, withDestinationPath: real)
        try lines(ConfigSession.Plan(setting: "adapter", values: ["hci2"]))
        #expect(try files.destinationOfSymbolicLink(atPath: file.path) == real)
        #expect(try files.attributesOfItem(atPath: real)[.posixPermissions] as? Int == 0o600)
        #expect(try file.read().text(.adapter) == "hci2")
    }

    @Test func `a name in the file that is none is removed, and the error says how`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try lines(ConfigSession.Plan(setting: "adapter", values: ["hci1"]))
        try #"{"adapter": "hci1", "foo": 3}"#.write(toFile: file.path, atomically: true, encoding: .utf8)
        let error = #expect(throws: CommandFailure.self) { try lines(ConfigSession.Plan()) }
        #expect(error?.status == .usage && error?.message.hasSuffix("or edit or delete \(file.path)") == true)
        #expect(error?.message.contains("'bluecap config foo --unset'") == true, "\(error as Any)")
        let removed = try lines(ConfigSession.Plan(setting: "foo", unsets: true))
        #expect(removed == ["removed 'foo' from \(file.path)"])
        #expect(try file.read().text(.adapter) == "hci1")
        #expect(throws: CommandFailure.self) { try lines(ConfigSession.Plan(setting: "foo", unsets: true)) }
    }

    @Test func `a value in the file that cannot be is unset`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try lines(ConfigSession.Plan(setting: "adapter", values: ["hci1"]))
        try #"{"scan.limit": "many"}"#.write(toFile: file.path, atomically: true, encoding: .utf8)
        #expect(try lines(ConfigSession.Plan(setting: "Scan.Limit", unsets: true)) == ["scan.limit  [off]"])
    }

    @Test func `a name in capitals in the file is no setting, and is removed as it is written`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try lines(ConfigSession.Plan(setting: "adapter", values: ["hci1"]))
        try #"{"Scan.Limit": 3}"#.write(toFile: file.path, atomically: true, encoding: .utf8)
        let removed = try lines(ConfigSession.Plan(setting: "Scan.Limit", unsets: true))
        #expect(removed == ["removed 'Scan.Limit' from \(file.path)"])
        #expect(try file.read() == Settings())
    }

    @Test func `a world's file is kept by its path from the root, and a shipped one by its name`() {
        let here = FileManager.default.currentDirectoryPath
        #expect(SettingForm.backend.canonical("virtual:town.json") == "virtual:\(here)/town.json")
        #expect(SettingForm.backend.canonical("virtual:/town.json") == "virtual:/town.json")
        #expect(SettingForm.backend.canonical("virtual:shop") == "virtual:shop")
    }

    @Test func `a file that cannot be written is refused in words`() {
        let plan = ConfigSession.Plan(setting: "adapter", values: ["hci1"])
        let file = SettingsFile { $0 == "BLUECAP_CONFIG" ? "/dev/null/x.json" : nil }
        let error = #expect(throws: CommandFailure.self) {
            try ConfigSession(file: file, plan: plan, output: RecordedOutput()).run()
        }
        #expect(error?.status == .failed && error?.message == "/dev/null/x.json: Not a directory", "\(error as Any)")
    }

    @Test(arguments: [
        ("profiles", "/nonexistent.json", "/nonexistent.json: No such file or directory"),
        ("backend", "virtual:nope", "there is no virtual world 'nope': "),
    ])
    func `a file or a world that is not there is no value`(name: String, value: String, problem: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let error = #expect(throws: CommandFailure.self) {
            try lines(ConfigSession.Plan(setting: name, values: [value]))
        }
        #expect(error?.status == .usage && error?.message.hasPrefix(problem) == true, "\(error as Any)")
        #expect(try file.read() == Settings())
        let there = ConfigSession.Plan(setting: "backend", values: ["virtual:shop"])
        #expect(try lines(there) == ["backend  virtual:shop"])
    }

    @Test func `a number that the file could not keep is refused`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for limit in ["9223372036854775807", "1000000001"] {
            let plan = ConfigSession.Plan(setting: "scan.limit", values: [limit])
            let error = #expect(throws: CommandFailure.self) { try lines(plan) }
            #expect(error?.status == .usage)
        }
        try lines(ConfigSession.Plan(setting: "scan.limit", values: ["1000000000"]))
        #expect(try file.read().text(.scanLimit) == "1000000000")
    }

    @Test func `in JSON a setting has its name, values, default and form`() throws {
        let line = try #require(lines(ConfigSession.Plan(setting: "color", isJSON: true)).first)
        #expect(
            line
                == #"{"event":"config","path":"\#(folder)/bluecap/config.json","settings":[{"default":"auto","form":"auto or never","name":"color","set":false,"summary":"Whether live views use colours.","values":[]}]}"#
        )
    }

    @Test(arguments: [
        ("scan", "'scan.mode'"), ("tmieout", "did you mean 'timeout'?"),
        ("speed", "'bluecap config' lists those"),
    ])
    func `a name that is none is refused with similar ones`(name: String, advice: String) {
        let error = #expect(throws: CommandFailure.self) { try lines(ConfigSession.Plan(setting: name)) }
        #expect(error?.status == .usage && error?.message.contains(advice) == true)
    }

    @Test(arguments: [["-62"], ["--", "-62"]])
    func `a negative number is a value`(arguments: [String]) throws {
        #expect(try ConfigCommand.parse(["beacon.power"] + arguments).values == ["-62"])
    }

    @Test(arguments: [
        (["--unset"], "--unset takes the name of a setting"),
        (["color", "never", "--unset"], "either set or unset: leave one out"),
        (["color", "--unst"], "Unknown option '--unst'"),
        (["adapter", "-x"], "Unknown option '-x'"),
    ])
    func `what cannot be is refused`(arguments: [String], text: String) async {
        await expectRefusal(of: arguments, by: ConfigCommand.self, saying: text)
    }
}
