// SPDX-License-Identifier: MIT

/// An iBeacon that is advertised.
struct BeaconAdvertisingEvent: Encodable, Sendable {
    var event = "advertising"
    var uuid: String
    var major: Int
    var minor: Int
    var power: Int
    /// The manufacturer data behind the company identifier, in hexadecimal digits.
    var data: String
}
