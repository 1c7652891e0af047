// SPDX-License-Identifier: MIT

/// A step of pairing, as `pair` prints it.
struct PairingEvent: Encodable, Sendable {
    /// `"passkey"`, `"question"` or `"paired"`.
    var event: String
    var id: String
    var name: String?
    /// The six digits that are shown or compared.
    var passkey: String?
    /// The question in words.
    var text: String?
    /// Whether the device was paired before.
    var already: Bool?
}
