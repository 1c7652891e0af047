// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCore

@testable import BlueCapCommand

/// Keeps what a command prints.
final class RecordedOutput: LineOutput {
    let screen: ScreenSize?
    private let printed = Locked<[String]>([])
    private let frames = Locked<[[String]]>([])
    private let limit: Int?

    /// - Parameter limit: After how many lines the reader goes away.
    init(screen: ScreenSize? = nil, limit: Int? = nil) {
        self.screen = screen
        self.limit = limit
    }

    var lines: [String] { printed.withLock { $0 } }
    var drawings: [[String]] { frames.withLock { $0 } }

    func line(_ text: String) throws(OutputClosed) {
        let count = printed.withLock { lines in
            lines.append(text)
            return lines.count
        }
        if let limit, count >= limit { throw OutputClosed() }
    }

    func draw(_ lines: [String]) throws(OutputClosed) { frames.withLock { $0.append(lines) } }
}
