// SPDX-License-Identifier: MIT

/// The treatment of bytes that stand behind a value that was decoded in full.
@frozen
public enum SurplusBytes: Hashable, Sendable {
    /// Decoding throws ``SerDeError/trailingBytes(_:)``: the default, since surplus bytes mostly mean the wrong type.
    case reject
    /// They are left unread: for formats that newer peers may have extended.
    case ignore
}
