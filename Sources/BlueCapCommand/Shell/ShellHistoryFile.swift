// SPDX-License-Identifier: MIT

import BlueCapTerminal

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The lines that were typed in earlier shells, in a file of the user's alone.
///
/// It is a convenience: where it cannot be read or written, the shell works without.
struct ShellHistoryFile: Sendable {
    /// Nil where there is no folder to put it in.
    let path: String?

    /// - Parameter environment: Gives the variables of the environment (XDG Base Directory Specification 0.8).
    init(environment: (String) -> String? = { Environment.value($0) }) {
        func folder(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let state = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
        path = state.map { $0 + "/bluecap/history" }
    }

    /// The lines, the newest of them where there are many.
    func read() -> LineHistory {
        guard let path, let bytes = try? ToolFile.read(path, maximum: 16 << 20) else { return LineHistory() }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return LineHistory(lines.map { TerminalText.printable(String($0)) })
    }

    /// Adds lines at the end. Lines that other shells have added meanwhile stay.
    func add(_ lines: [String]) {
        guard let path, !lines.isEmpty else { return }
        let text = (read().lines + lines).suffix(LineHistory().maximumCount).joined(separator: "\n") + "\n"
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try ToolFile.replace(path, with: Data(text.utf8), permissions: 0o600)
        } catch {}
    }
}
