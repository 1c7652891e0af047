// SPDX-License-Identifier: MIT

/// What the app can show and take while pairing; it decides how the two sides pair (Core Specification, Vol 3, Part H,
/// 2.3.5.1).
public enum PairingCapability: Sendable, Hashable, CaseIterable {
    /// It can show a passkey.
    case displayOnly
    /// It can show a passkey and take yes or no.
    case displayYesNo
    /// It can take a passkey.
    case keyboardOnly
    /// It can show a passkey and take one.
    case keyboardDisplay
    /// It can do neither: pairing is Just Works, which authenticates neither side.
    case noInputNoOutput
}
