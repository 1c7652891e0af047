// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// A source of bytes that go out over a channel.
protocol UnitInput: Sendable {
    /// Returns the next bytes, as soon as there are any; nil at the end, and for a cancelled task. Call it from one
    /// task at a time.
    ///
    /// - Parameter maximum: The maximum number of bytes, 1 at the least.
    func next(atMost maximum: Int) async -> Bytes?
}

/// A source that has nothing to say but its first bytes.
struct Greeting: UnitInput {
    private let rest: Locked<Bytes>

    init(_ text: String) { rest = Locked(Bytes(text.utf8)) }

    func next(atMost maximum: Int) async -> Bytes? {
        rest.withLock { rest in
            let piece = Bytes(rest.prefix(maximum))
            rest.removeFirst(piece.count)
            return piece.isEmpty ? nil : piece
        }
    }
}
