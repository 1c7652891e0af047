// SPDX-License-Identifier: MIT

import BlueCap

/// The frames of beacons and sensors that a device advertised in a capture.
struct CapturedFramesEvent: Encodable, Sendable {
    var event = "advertised"
    var id: String
    var frames: [AdvertisedFrame]
    var date: String?

    /// `"2026-01-01T00:00:01.000Z  advertised  C0:DE:00:00:00:01  BTHome temperature 21.50 °C"`.
    var line: String {
        [date ?? "-", TextLayout.pad(event, to: 8), id, frames.map(\.line).joined(separator: ", ")].joined(
            separator: "  ")
    }
}
