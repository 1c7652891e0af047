// SPDX-License-Identifier: MIT

/// A change of a region of beacons, as `beacon monitor` prints it.
struct RegionEvent: Encodable, Sendable {
    var event = "region"
    var region: String
    var uuid: String
    var major: Int?
    var minor: Int?
    /// `"start"`, `"inside"`, `"outside"` or `"unknown"`.
    var state: String
    var date: String
}
