// SPDX-License-Identifier: MIT

import BlueCapCore

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
