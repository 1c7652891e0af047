// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
extension Int {
    /// A length from a message. A length beyond D-Bus's limits stays beyond them, and can be added to others on
    /// machines of 32 bits, too.
    @inline(__always)
    init(length: UInt32) { self.init(Swift.min(length, 1 << 28)) }
}
#endif
