// SPDX-License-Identifier: MIT

/// The input and output capability of the app for pairing, which determines the pairing method of the two sides (Core
/// Specification, Vol 3, Part H, 2.3.5.1).
public enum PairingCapability: Sendable, Hashable, CaseIterable {
    /// The app can show a passkey.
    case displayOnly
    /// The app can show a passkey and accept yes or no.
    case displayYesNo
    /// The app can accept a passkey.
    case keyboardOnly
    /// The app can show a passkey and accept one.
    case keyboardDisplay
    /// The app can do neither: pairing is Just Works, which authenticates neither side.
    case noInputNoOutput
}
