// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation

/// What the built tool printed into pipes, and how it ended.
struct PipedRun: Sendable {
    var status: Int32
    var output: [String]
    var errors: String

    /// Runs the tool to its end, without input.
    init(_ arguments: [String]) async throws {
        // On a thread of its own: what follows blocks.
        self = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try PipedRun(blocking: arguments) }) }
        }
    }

    private init(blocking arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("bluecap")
        process.arguments = arguments
        let usual = ["BLUECAP_CONFIG": "/nonexistent", "TERM": "xterm-256color", "NO_COLOR": ""]
        process.environment = ProcessInfo.processInfo.environment.merging(usual) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        let errorData = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        status = process.terminationStatus
        self.output = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        self.errors = String(decoding: errorData, as: UTF8.self)
    }
}
#endif
