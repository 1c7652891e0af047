// SPDX-License-Identifier: MIT

/// A device that is heard for the first time.
struct GatewayDeviceEvent: Encodable, Sendable {
    var event = "device"
    var id: String
    var name: String
    var date: String

    /// For people.
    var line: String { "device  \(id)  \(TextLayout.printable(name))" }
}
