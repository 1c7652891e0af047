// SPDX-License-Identifier: MIT

extension Int {
    /// A length from a message. One that no message may have stays one, and can be added to others on machines of 32
    /// bits, too.
    @inline(__always)
    init(length: UInt32) { self.init(Swift.min(length, 1 << 28)) }
}
