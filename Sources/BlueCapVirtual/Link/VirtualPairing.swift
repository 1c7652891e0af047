// SPDX-License-Identifier: MIT

import BlueCapCore

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

/// The way in which two devices authenticate each other. It follows from their input and output capabilities (Core
/// Specification, Vol 3, Part H, 2.3.5.1, table 2.8, for LE Secure Connections).
enum PairingMethod: Hashable {
    /// They do not.
    case justWorks
    /// Both show the same six digits, and both users say so.
    case comparison
    /// A passkey that one side shows is typed at the other, or the same one at both.
    case passkey(centralTypes: Bool, peripheralTypes: Bool)

    init(central: PairingCapability, peripheral: PairingCapability) {
        let comparing: Set<PairingCapability> = [.displayYesNo, .keyboardDisplay]
        switch (central, peripheral) {
        case (.noInputNoOutput, _), (_, .noInputNoOutput): self = .justWorks
        case _ where comparing.isSuperset(of: [central, peripheral]): self = .comparison
        case (.keyboardOnly, .keyboardOnly): self = .passkey(centralTypes: true, peripheralTypes: true)
        case (.keyboardOnly, _), (.keyboardDisplay, .displayOnly):
            self = .passkey(centralTypes: true, peripheralTypes: false)
        case (_, .keyboardOnly), (.displayOnly, .keyboardDisplay):
            self = .passkey(centralTypes: false, peripheralTypes: true)
        default: self = .justWorks
        }
    }
}
