// SPDX-License-Identifier: MIT

/// The answer to a ``PairingPrompt``.
public enum PairingAnswer: Sendable, Hashable {
    /// Agrees to what was asked: the passkeys are equal, or the device may pair or use the service.
    case accept
    /// The passkey that the other side shows, 0 to 999999.
    case passkey(UInt32)
    /// Refuses what was asked; the pairing fails.
    case reject
}
