// SPDX-License-Identifier: MIT

import BlueCapTerminal
import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ShellHistoryTests {
    /// Runs `body` with a folder that is removed afterwards.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func `lines of several shells come after each other, in a file of the user's alone`() throws {
        try withFolder { folder in
            let file = ShellHistoryFile(environment: { $0 == "XDG_STATE_HOME" ? folder : nil })
            #expect(file.read().lines.isEmpty)
            file.add(["scan", "connect 2"])
            file.add(["read \u{1B}x"])
            #expect(file.read().lines == ["scan", "connect 2", "read \u{FFFD}x"])
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/bluecap/history")
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test func `the newest thousand are kept`() throws {
        try withFolder { folder in
            let file = ShellHistoryFile(environment: { $0 == "XDG_STATE_HOME" ? folder : nil })
            file.add((0..<1500).map { "line \($0)" })
            #expect(file.read().lines.count == 1000 && file.read().lines.first == "line 500")
        }
    }

    @Test(
        arguments: [
            (["HOME": "/home/a"], "/home/a/.local/state/bluecap/history"),
            (["HOME": "/home/a", "XDG_STATE_HOME": "/state"], "/state/bluecap/history"),
            (["HOME": "/home/a", "XDG_STATE_HOME": "relative"], "/home/a/.local/state/bluecap/history"), ([:], nil),
        ] as [([String: String], String?)])
    func `it stands in the user's folder for state`(environment: [String: String], path: String?) {
        #expect(ShellHistoryFile(environment: { environment[$0] }).path == path)
    }
}
