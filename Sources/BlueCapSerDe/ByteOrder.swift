// SPDX-License-Identifier: MIT

/// The order of the bytes of a number that spans several.
@frozen
public enum ByteOrder: Hashable, Sendable {
    /// Least significant byte first: what Bluetooth uses nearly everywhere, and the default.
    case littleEndian
    /// Most significant byte first, as in iBeacon frames.
    case bigEndian
}
