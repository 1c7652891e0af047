// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation

/// The output of the built tool into pipes, and its end.
struct PipedRun: Sendable {
    /// Variables that a terminal with colours has, which a pipe is to leave without effect.
    static let colourful = ["TERM": "xterm-256color", "NO_COLOR": ""]

    /// 128 and the signal's number where a signal ended it, as shells count.
    var status: Int32
    /// The signal whose default action ended it, if one did.
    var signal: Int32?
    var output: [String]
    var errors: String

    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments, the command first.
    ///   - input: The text of its standard input; nil for none.
    ///   - signal: A signal that is sent once `text` was printed.
    ///   - text: The text that has to be printed before the signal; nil for any output.
    ///   - closesOutput: Whether its output is closed after the first of it.
    ///   - environment: Variables to set.
    init(
        _ arguments: [String], input: String? = nil, signal: Int32? = nil, after text: String? = nil,
        closesOutput: Bool = false, environment: [String: String] = [:]
    ) async throws {
        await Turns.shared.take()
        // On a thread of its own, because the call blocks.
        let result: Result<Self, any Error> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    returning: Result {
                        try PipedRun(blocking: arguments, input, signal, text, closesOutput, environment)
                    })
            }
        }
        await Turns.shared.giveBack()
        self = try result.get()
    }

    private init(
        blocking arguments: [String], _ input: String?, _ signal: Int32?, _ text: String?,
        _ closesOutput: Bool, _ environment: [String: String]
    ) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("bluecap")
        process.arguments = arguments
        // The tests do not use the settings of the user who runs them.
        process.environment = ProcessInfo.processInfo.environment.merging(["BLUECAP_CONFIG": "/nonexistent"]) { $1 }
            .merging(environment) { $1 }
        let (source, output, errors) = (Pipe(), Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        process.standardInput = input == nil ? FileHandle.nullDevice : source
        try process.run()
        if let input {
            try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try source.fileHandleForWriting.close()
        }
        var data = Data()
        if let signal {
            repeat {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                data += more
            } while text.map { !String(decoding: data, as: UTF8.self).contains($0) } ?? false
            kill(process.processIdentifier, signal)
        }
        if closesOutput {
            data = output.fileHandleForReading.availableData
            try output.fileHandleForReading.close()
        } else {
            data += try output.fileHandleForReading.readToEnd() ?? Data()
        }
        let errorData = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        self.signal = process.terminationReason == .exit ? nil : process.terminationStatus
        status = process.terminationStatus + (self.signal == nil ? 0 : 128)
        self.output = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        self.errors = String(decoding: errorData, as: UTF8.self)
    }
}

/// Lets eight tools run at a time. The runner begins all tests at once, and Foundation has trapped in a process with
/// more than a thousand threads and descriptors.
private actor Turns {
    static let shared = Turns()

    private var free = 8
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if free == 0 { await withCheckedContinuation { waiting.append($0) } } else { free -= 1 }
    }

    func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
#endif
