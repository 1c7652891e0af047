// SPDX-License-Identifier: MIT

/// An iBeacon that is advertised.
struct BeaconAdvertisingEvent: Encodable, Sendable {
    var event = "advertising"
    var family: String
    /// Nil for an address.
    var uuid: String?
    var major: Int?
    var minor: Int?
    /// dBm at one metre.
    var power: Int
    var url: String?
    /// The manufacturer or service data behind its identifier, in hexadecimal digits.
    var data: String
}
