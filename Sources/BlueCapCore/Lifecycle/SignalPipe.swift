// SPDX-License-Identifier: MIT

#if !os(Windows) && !os(WASI)
import BlueCapPlatform

/// A pipe from a signal handler, which may call few functions, to code without that limit. It is never closed.
struct SignalPipe: Sendable {
    static let shared = SignalPipe()

    let readEnd: Int32
    private let writeEnd: Int32

    private init?() {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// Safe in a signal handler.
    func put(_ number: Int32) {
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe systemWrite(writeEnd, &byte, 1)
    }

    /// The number of the next signal that was caught; nil if there is none.
    func next() -> Int32? {
        var byte: UInt8 = 0
        return unsafe systemRead(readEnd, &byte, 1) == 1 ? Int32(byte) : nil
    }
}
#endif
