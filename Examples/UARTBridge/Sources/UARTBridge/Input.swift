// SPDX-License-Identifier: MIT

import Foundation

/// Standard input, line by line.
enum Input {
    /// The lines to come. Reading blocks, so it has a thread of its own.
    static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            let thread = Thread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
            thread.start()
        }
    }
}
