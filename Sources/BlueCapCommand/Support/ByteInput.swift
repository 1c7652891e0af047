// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapPlatform
import BlueCapRuntime
import Foundation

/// The bytes that a function reads, which may block: it is called when bytes are asked for and not before, so that a
/// writer that is faster than the radio is held up, as at any pipe.
final class ByteInput: UnitInput {
    private struct State {
        /// The most bytes to read; 0 at the end of the input's use.
        var maximum = 0
        /// Whether a call of the function is under way, or its bytes were not taken.
        var isReading = false
        /// The bytes that were read for a caller who has gone, where the next one takes fewer.
        var rest = Bytes()

        mutating func takeRest(_ maximum: Int) -> Bytes? {
            if rest.isEmpty { return nil }
            let piece = Bytes(rest.prefix(maximum))
            rest.removeFirst(piece.count)
            return piece
        }
    }

    private let pieces = Mailbox<Bytes, Never>(capacity: .unbounded)
    // SAFETY: only the thread that is made for reading waits for it, never a task; `next` and `deinit` signal, which
    // blocks nothing.
    private let asked = DispatchSemaphore(value: 0)
    private let state = Locked(State())

    /// - Parameter read: Returns from 1 byte to as many as it is asked for; nil or none at the end.
    init(_ read: @escaping @Sendable (Int) -> Bytes?) {
        // Reading blocks, so it has a thread of its own. One that is in the middle of it ends with the process.
        Thread.detachNewThread { [pieces, asked, state] in
            while true {
                asked.wait()
                let maximum = state.withLock { $0.maximum }
                guard maximum > 0, let piece = read(maximum), !piece.isEmpty else { return pieces.finish() }
                pieces.push(piece)
            }
        }
    }

    deinit {
        state.withLock { $0.maximum = 0 }
        asked.signal()
    }

    /// The bytes of standard input. Make one for each process.
    static func standard() -> ByteInput {
        // A process in the background would be stopped for reading the terminal.
        if isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) != getpgrp() { return ByteInput { _ in nil } }
        return ByteInput { read(STDIN_FILENO, atMost: $0) }
    }

    func next(atMost maximum: Int) async -> Bytes? {
        if Task.isCancelled { return nil }
        if let rest = state.withLock({ $0.takeRest(maximum) }) { return rest }
        let isNew = state.withLock { state in
            if state.isReading { return false }
            (state.isReading, state.maximum) = (true, maximum)
            return true
        }
        if isNew { asked.signal() }
        // Bytes that come after a cancellation wait for the next caller.
        guard let piece = await pieces.next() else { return nil }
        return state.withLock { state in
            (state.isReading, state.rest) = (false, piece)
            return state.takeRest(maximum)
        }
    }

    /// Reads from a descriptor once; nil at the end, and where it cannot be read.
    private static func read(_ descriptor: Int32, atMost maximum: Int) -> Bytes? {
        while true {
            var count = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: maximum) { buffer, used in
                unsafe count = systemRead(descriptor, buffer.baseAddress, maximum)
                used = max(count, 0)
            }
            if count >= 0 { return Bytes(piece) }
            if errno == EAGAIN {
                var news = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                unsafe poll(&news, 1, 1000)
            } else if errno != EINTR {
                return nil
            }
        }
    }
}
