// SPDX-License-Identifier: MIT

import Foundation

/// The lines of standard input.
enum StandardInput {
    /// Returns the lines as they come. The stream ends at the end of the input. Make one for each process.
    static func lines() -> AsyncStream<String> {
        // A process in the background would be stopped for reading the terminal.
        if isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) != getpgrp() { return AsyncStream { $0.finish() } }
        return lines { readLine() }
    }

    /// Returns the lines that a function gives, which may block, until it gives none.
    static func lines(from next: @escaping @Sendable () -> String?) -> AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingOldest(1024)) { continuation in
            // Reading blocks, so it has a thread of its own, which ends with the process.
            Thread.detachNewThread {
                while let line = next() {
                    // A writer that is faster than the program is held up, as at any pipe.
                    while case .dropped = continuation.yield(line) { Thread.sleep(forTimeInterval: 0.001) }
                }
                continuation.finish()
            }
        }
    }
}
