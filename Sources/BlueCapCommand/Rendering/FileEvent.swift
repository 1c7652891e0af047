// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture

/// A file that a command wrote, as `record` and `capture` print it.
struct FileEvent: Encodable, Sendable {
    /// `"recorded"` or `"captured"`.
    var event: String
    /// The path as it was given.
    var path: String
    var id: String?
    var name: String?
    var services: Int?
    var characteristics: Int?
    var notifications: Int?
    var packets: Int?

    init(_ twin: Twin, path: String) {
        let all = twin.services.flatMap(\.characteristics)
        (event, self.path) = ("recorded", path)
        (id, name) = (twin.address?.text, twin.displayName)
        (services, characteristics) = (twin.services.count, all.count)
        notifications = all.reduce(0) { $0 + $1.notifications.count }
    }

    init(packets: Int, path: String) { (event, self.path, self.packets) = ("captured", path, packets) }
}
