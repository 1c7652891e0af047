// SPDX-License-Identifier: MIT

/// The answer to a ``PairingPrompt``.
public enum PairingAnswer: Sendable, Hashable {
    /// Yes.
    case accept
    /// The passkey that the other side shows, 0 to 999999.
    case passkey(UInt32)
    /// No.
    case reject
}
