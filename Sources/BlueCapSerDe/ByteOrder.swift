// SPDX-License-Identifier: MIT

/// The order of the bytes of a number that spans several.
@frozen
public enum ByteOrder: Hashable, Sendable {
    /// Least significant byte first: what Bluetooth uses nearly everywhere, and the default.
    case littleEndian
    /// Most significant byte first, as in iBeacon frames.
    case bigEndian
}

/// What is done with bytes that stand behind a value that was decoded in full.
@frozen
public enum SurplusBytes: Hashable, Sendable {
    /// Decoding throws ``SerDeError/trailingBytes(_:)``: the default, since surplus bytes mostly mean the wrong type.
    case reject
    /// They are left unread: for formats that newer peers may have extended.
    case ignore
}
