// SPDX-License-Identifier: MIT

/// The numbers of a gateway, at its end.
struct GatewayEndEvent: Encodable, Sendable {
    var event = "gateway"
    var published: Int
    var replaced: Int
    var dropped: Int
    var refused: Int
    var lost: Int
    var connections: Int
    var encrypted: Int
    var date: String

    /// For people.
    var lines: [String] {
        let losses = [(dropped, "dropped as there was no room"), (refused, "refused"), (lost, "not answered")]
        let told = losses.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let messages = "published \(TextLayout.count(published, "message"))"
        let first = ([messages, "\(replaced) replaced by newer ones"] + told).joined(separator: ", ")
        return encrypted == 0 ? [first] : [first, "\(TextLayout.count(encrypted, "frame")) encrypted, and not read"]
    }
}
