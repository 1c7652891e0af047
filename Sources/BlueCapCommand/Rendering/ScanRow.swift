// SPDX-License-Identifier: MIT

import BlueCap

/// The scan's knowledge of one device, in the form in which it is shown.
struct ScanRow: Sendable, Hashable {
    var id: String
    var name: String
    var state = DeviceState.found
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

extension ScanRow {
    /// A sighting, in place of the row that its device has had.
    init(_ discovery: Discovery, before: ScanRow?, now: Duration) {
        self.init(
            id: discovery.peripheral.identifier.text, name: discovery.displayName ?? "",
            state: DeviceState(discovery.peripheral), rssi: discovery.rssi,
            services: discovery.advertisements.serviceUUIDs, discovered: before?.discovered ?? now, lastSeen: now,
            details: Self.details(discovery.advertisements), inspection: before?.inspection)
    }

    /// The frames in an advertisement, or the companies of its data where no frame is known.
    static func details(_ advertisements: PeripheralAdvertisements) -> [String] {
        let frames = AdvertisedFrame.frames(in: advertisements)
        return frames.isEmpty ? AdvertisedFrame.companies(in: advertisements) : frames.map(\.line)
    }
}

/// How a device stands to this program, in the words of a scan.
enum DeviceState: String, Encodable, Sendable, Hashable, CaseIterable {
    /// It was sighted, and no more.
    case found
    /// It was connected before, and is not any more.
    case known
    /// It is paired, and not connected.
    case paired
    case connecting
    case connected
    case disconnecting

    init(_ peripheral: Peripheral) {
        self =
            switch peripheral.state {
            case .connecting: .connecting
            case .connected: .connected
            case .disconnecting: .disconnecting
            case .disconnected where peripheral.isBonded: .paired
            case .disconnected: peripheral.statistics.connectionCount > 0 ? .known : .found
            }
    }
}
