// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
package import BlueCapSerDe

/// The services of a peripheral that BlueZ's own plug-ins use.
///
/// From 5.80 on BlueZ shows them, lets every program read and subscribe, and refuses writes without asking the
/// peripheral, unless `ExportClaimedServices` in `main.conf` says `read-write`. Its refusal is worded as the
/// peripheral's 0x08 would be.
package enum KeptServices {
    /// Generic Access, Device Information, Battery, Human Interface Device, Scan Parameters, MIDI, the LE Audio
    /// services (volume, sets, media, telephony, microphone, streams, broadcasts, roles), hearing aids and ranging.
    package static let all: Set<BluetoothUUID> = [
        "1800", "180A", "180F", "1812", "1813", "03B80E5A-EDE8-4B33-A751-6CE34EC4C700", "1844", "1846", "1848", "1849",
        "184C", "184D", "184F", "1850", "1852", "1855", "1858", "FDF0", "185B",
    ]
}

extension BackendFailure {
    /// BlueZ refused a write to one of these services.
    package static func keptService(_ service: BluetoothUUID) -> BackendFailure {
        BackendFailure(
            name: BlueZError.notAuthorized,
            message: "BlueZ keeps the service \(service) to itself and did not ask the peripheral",
            advice: "to write to it, set ExportClaimedServices = read-write in the section GATT of main.conf")
    }
}
#endif
