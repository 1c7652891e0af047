// SPDX-License-Identifier: MIT

/// A device that is heard for the first time, or that is not published any more.
struct GatewayDeviceEvent: Encodable, Sendable {
    var event = "device"
    var id: String
    var name: String?
    var date: String

    /// For people.
    var line: String { name.map { "\(event)  \(id)  \(TextLayout.printable($0))" } ?? "\(event)  \(id)" }
}
