// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// One sighting of a peripheral in a scan.
public struct Discovery: Sendable {
    /// What a sighting tells.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The first in this scan, or the first after the peripheral was lost.
        case discovered
        /// It was seen again: what it advertises changed, or the scan allows duplicates.
        case updated
        /// It was not seen for ``ScanOptions/lostAfter``.
        case lost
    }

    /// What this sighting tells.
    public var kind: Kind
    /// Who was sighted; the same object each time.
    public var peripheral: Peripheral
    /// What it advertises.
    public var advertisements: PeripheralAdvertisements
    /// Signal strength in dBm; nil where it was not measured.
    public var rssi: Int?
    /// When it was sighted (for `.lost`: last sighted).
    public var date: Timestamp

    /// Two sightings of one peripheral that were not taken yet become one: the newer, as `.discovered` if either was.
    static let coalescing = Multicaster<Discovery>.Box.Coalescing(key: key, merge: merge)

    static func key(_ discovery: Discovery) -> Int { Int(bitPattern: ObjectIdentifier(discovery.peripheral)) }

    static func merge(_ old: Discovery, _ new: Discovery) -> Discovery {
        var merged = new
        if old.kind == .discovered, new.kind == .updated { merged.kind = .discovered }
        return merged
    }
}

/// What a scan reports.
public struct ScanOptions: Sendable, Hashable {
    /// Whether every packet is reported, rather than the first and those whose content changed.
    public var allowsDuplicates: Bool
    /// Leaves out sightings weaker than this, in dBm; a sighting without a measured strength passes.
    public var minimumRSSI: Int?
    /// Leaves out peripherals whose name does not start with this, letters compared exactly.
    public var namePrefix: String?
    /// Leaves out peripherals whose identifier does not start with this, letters compared without case.
    public var addressPrefix: String?
    /// After how long without a sighting a peripheral is reported lost; nil for never.
    public var lostAfter: Duration?

    /// Options; the default reports everything once, its changes, and its loss after 30 s.
    public init(
        allowsDuplicates: Bool = false, minimumRSSI: Int? = nil, namePrefix: String? = nil,
        addressPrefix: String? = nil, lostAfter: Duration? = .seconds(30)
    ) {
        self.allowsDuplicates = allowsDuplicates
        self.minimumRSSI = minimumRSSI
        self.namePrefix = namePrefix
        self.addressPrefix = addressPrefix
        self.lostAfter = lostAfter
    }

    func accepts(_ sighting: Sighting) -> Bool {
        if let minimumRSSI, let rssi = sighting.rssi, rssi < minimumRSSI { return false }
        if let namePrefix {
            let name = sighting.advertisements.localName ?? sighting.name ?? ""
            if !name.hasPrefix(namePrefix) { return false }
        }
        if let addressPrefix, !sighting.peripheral.text.hasPrefix(addressPrefix.uppercased()) { return false }
        return true
    }
}
