// SPDX-License-Identifier: MIT

import Foundation

/// The lines of standard input.
enum StandardInput {
    /// Returns the lines as they come. The stream ends at the end of the input. Make one for each process.
    static func lines() -> AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingOldest(1024)) { continuation in
            // Reading blocks, so it has a thread of its own, which ends with the process.
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
