// SPDX-License-Identifier: MIT

import BlueCapCore

/// The central backend's record of a device.
struct RemoteDevice {
    /// Its wire; nil while it is out of range.
    var wire: Wire?
    /// The number of the device's wire: a device that comes back has another one.
    var wireNumber: UInt64 = 0
    /// The bytes of its wire, up to the next message.
    var reader = LineReader()
    /// The device's advertisement; nil while it does not advertise.
    var sighting: Sighting?
    /// Whether the manager waits for a connection.
    var isWanted = false
    /// The link that stands or is asked for.
    var link: Link?
}
