// SPDX-License-Identifier: MIT

/// A device that is heard for the first time, that is not published any more, or that gave way to another one.
struct GatewayDeviceEvent: Encodable, Sendable {
    var event = "device"
    var id: String
    var name: String?
    var reason: String?
    var date: String

    /// For people.
    var line: String {
        let words = [event, id, name.map(TextLayout.printable), reason.map { "(\($0))" }]
        return words.compactMap(\.self).joined(separator: "  ")
    }
}
