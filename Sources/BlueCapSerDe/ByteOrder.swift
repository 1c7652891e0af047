// SPDX-License-Identifier: MIT

/// The order of the bytes of a number that spans several.
@frozen
public enum ByteOrder: Hashable, Sendable {
    /// Least significant byte first, as Bluetooth has it nearly everywhere; the default.
    case littleEndian
    /// Most significant byte first, as in iBeacon frames.
    case bigEndian
}
