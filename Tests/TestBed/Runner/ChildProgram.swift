// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import Foundation

/// This executable as another process, and the lines that it writes.
final class ChildProgram {
    private let process = Process()
    private let lines: AsyncStream<String>

    init(_ arguments: [String]) throws {
        let output = Pipe()
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let rest = Locked(Data())
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                return continuation.finish()
            }
            let whole = rest.withLock { rest in
                rest.append(data)
                var whole: [String] = []
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    whole.append(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
                return whole
            }
            for line in whole { continuation.yield(line) }
        }
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// The descriptors and the memory of the process.
    var footprint: Footprint { Footprint(process: "\(process.processIdentifier)") }

    /// Reads lines up to one that begins with `text`.
    ///
    /// - Returns: The rest of that line.
    @discardableResult
    func expect(_ text: String) async throws -> String {
        for await line in lines {
            if line.hasPrefix("failed") { throw BedError(description: line) }
            if line.hasPrefix(text) { return String(line.dropFirst(text.count).drop { $0 == " " }) }
        }
        throw BedError(description: "the program ended before it said \(text)")
    }

    /// Ends the process as the kernel does that is out of memory.
    func kill() {
        guard process.isRunning else { return }
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
#endif
