// SPDX-License-Identifier: MIT

/// What a virtual peripheral does when a central wants to encrypt the link.
public enum VirtualPairing: Sendable, Hashable {
    /// It pairs without asking anybody. The central asks its app.
    case justWorks
    /// It shows six digits and has them compared with those that the central shows, where the central can; else as
    /// ``justWorks``. Its own user always agrees.
    case comparing
    /// It shows a passkey (``VirtualPeripheral/shownPasskey``) to be typed at the central, where the central can; else
    /// as ``justWorks``.
    case showing
    /// Its user types the passkey that the central shows (``VirtualPeripheral/typePasskey(_:)``), where the central can
    /// show one or has one typed, too; else as ``justWorks``.
    case typing
    /// It refuses: operations on attributes that need encryption fail with 0x05.
    case refused
}
