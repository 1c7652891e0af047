// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import Testing

/// The built tool itself, as a process.
@Suite(.timeLimit(.minutes(5)))
struct ExecutableTests {
    private struct Run: Sendable {
        var status: Int32
        var output: [String]
        var errors: String
    }

    /// Runs the tool to its end; a signal, if one is given, comes after the first output.
    private func bluecap(_ arguments: String..., signal: Int32? = nil) async throws -> Run {
        // On a thread of its own: what follows blocks.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try Self.run(arguments, signal: signal) })
            }
        }
    }

    private static func run(_ arguments: [String], signal: Int32?) throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("bluecap")
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var data = Data()
        if let signal {
            data = output.fileHandleForReading.availableData
            kill(process.processIdentifier, signal)
        }
        data += try output.fileHandleForReading.readToEnd() ?? Data()
        let errorData = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus,
            output: String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init),
            errors: String(decoding: errorData, as: UTF8.self))
    }

    @Test("the demo ends by itself with status 0 and shows twenty samples as JSON")
    func demo() async throws {
        let run = try await bluecap("demo", "--json", "--samples", "20", "--period", "20")
        #expect(run.status == 0)
        #expect(run.output.filter { $0.contains(#""event":"sample""#) }.count == 20)
        #expect(run.errors.isEmpty)
    }

    @Test("a signal ends it in an orderly way, with 128 and its number", arguments: [SIGINT, SIGTERM])
    func signals(signal: Int32) async throws {
        let run = try await bluecap("demo", "--forever", "--period", "20", signal: signal)
        #expect(run.status == 128 + signal)
        #expect(run.errors.isEmpty)
    }

    @Test("a wrong command line ends it with 64 and the usage", arguments: ["--samples=0", "--period=5", "--nonsense"])
    func usage(argument: String) async throws {
        let run = try await bluecap("demo", argument)
        #expect(run.status == 64)
        #expect(run.errors.contains("Usage: bluecap demo"))
    }

    @Test("nobody in sight ends a scan with 75 and a sentence that says what to check")
    func nobody() async throws {
        let run = try await bluecap(
            "scan", "--backend", "virtual", "--service", "1234", "--duration", "0.2", "--json")
        #expect(run.status == 75)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("bluecap: "))
    }

    @Test("the version stands alone on a line")
    func version() async throws {
        let run = try await bluecap("--version")
        #expect(run.status == 0)
        #expect(run.output.count == 1)
    }
}
#endif
