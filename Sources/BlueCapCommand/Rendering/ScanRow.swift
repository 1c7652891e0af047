// SPDX-License-Identifier: MIT

import BlueCap

/// What the scan knows of one device, in the form that it is shown in.
struct ScanRow: Sendable, Hashable {
    var id: String
    var name: String
    var rssi: Int?
    var services: [BluetoothUUID]
    /// Time since the scan began.
    var discovered: Duration
    /// Time since the scan began.
    var lastSeen: Duration
    /// Frames of beacons and sensors, or the names of companies.
    var details: [String] = []
    /// How far `--inspect` is with it.
    var inspection: String?
}
