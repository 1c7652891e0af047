// SPDX-License-Identifier: MIT

import BlueCapCore

/// The devices that are heard, with the advertisement that clients got last. A machine.
///
/// Clients take a device for gone of which nothing comes (Home Assistant after 195 seconds), and a proxy for stuck
/// (after 90). A platform that reports a device as often as it hears it needs no help: there, what does not come was
/// not heard. BlueZ does so, at least once in each of its windows of 10.24 seconds. One that reports each device once,
/// as BlueZ for seconds after a crash of `bluetoothd`, leaves open whether a device is still there: for a time it is
/// believed to be, and its advertisement is repeated.
struct HeardDevices {
    private struct Entry {
        var advertisement: RawAdvertisement
        /// The fields that its bytes were written from.
        var fields: PeripheralAdvertisements
        /// When the platform reported the device, and when clients got the advertisement.
        var reported: Duration
        var sent: Duration
    }

    /// Of more devices, the one is left out that was reported longest ago.
    static let capacity = 1024
    /// How often ``due(at:)`` is to be asked, and how long after it was sent an advertisement is repeated.
    static let (pace, period) = (Duration.seconds(10), Duration.seconds(30))
    /// For how long a device that was reported once is believed to be there: no longer than Home Assistant does.
    static let trust = Duration.seconds(180)

    private var entries: [UInt64: Entry] = [:]

    var count: Int { entries.count }

    /// The bytes that a device's fields were written as before; nil where it has said something else since, or nothing.
    func data(of address: UInt64, _ fields: PeripheralAdvertisements) -> [UInt8]? {
        guard let entry = entries[address], entry.fields.isCopy(of: fields) else { return nil }
        return entry.advertisement.data
    }

    /// The platform reports a device.
    ///
    /// - Parameter fields: The fields that the bytes of the advertisement were written from.
    mutating func hear(_ advertisement: RawAdvertisement, of fields: PeripheralAdvertisements, at elapsed: Duration) {
        if entries.count >= Self.capacity, entries[advertisement.address] == nil,
            let oldest = entries.min(by: { ($0.value.reported, $0.key) < ($1.value.reported, $1.key) })
        {
            entries[oldest.key] = nil
        }
        entries[advertisement.address] = Entry(
            advertisement: advertisement, fields: fields, reported: elapsed, sent: elapsed)
    }

    /// A device is no longer heard.
    mutating func lose(_ address: UInt64) { entries[address] = nil }

    /// The advertisements that are to be repeated now, where the platform reports each device once.
    mutating func due(at elapsed: Duration) -> [RawAdvertisement] {
        entries = entries.filter { elapsed - $0.value.reported < Self.trust }
        let due = entries.filter { elapsed - $0.value.sent >= Self.period }.sorted { $0.key < $1.key }
        for (address, _) in due { entries[address]?.sent = elapsed }
        return due.map(\.value.advertisement)
    }
}
