// SPDX-License-Identifier: MIT

/// The behaviour of a virtual peripheral when a central wants to encrypt the link.
public enum VirtualPairing: Sendable, Hashable {
    /// It pairs without a question to its own user. The central asks its app.
    case justWorks
    /// It shows six digits for comparison with those that the central shows, if the central can show them; otherwise it
    /// pairs as ``justWorks``. Its own user always agrees.
    case comparing
    /// It shows a passkey (``VirtualPeripheral/shownPasskey``) to be typed at the central, if the central can have one
    /// typed; otherwise it pairs as ``justWorks``.
    case showing
    /// Its user types the passkey that the central shows (``VirtualPeripheral/typePasskey(_:)``), if the central can
    /// show one or have one typed, too; otherwise it pairs as ``justWorks``.
    case typing
    /// It refuses: operations on attributes that need encryption fail with 0x05.
    case refused
}
