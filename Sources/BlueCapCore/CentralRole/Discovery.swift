// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// One sighting of a peripheral in a scan.
public struct Discovery: Sendable {
    /// The reason why a sighting is reported.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The first in this scan, or the first after the peripheral was lost.
        case discovered
        /// It was seen again: what it advertises changed, or the scan allows duplicates.
        case updated
        /// It was not seen for ``ScanOptions/lostAfter``.
        case lost
    }

    /// Whether the peripheral is new, was seen again, or is lost.
    public var kind: Kind
    /// The peripheral that was sighted; the same object each time.
    public var peripheral: Peripheral
    /// The advertisement as it is known with this sighting.
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

extension Discovery: CustomStringConvertible {
    /// The kind, the peripheral and the signal: `discovered Strap (C0:DE:00:00:00:20), -60 dBm`.
    public var description: String {
        "\(kind) \(peripheral)" + (rssi.map { ", \($0) dBm" } ?? "")
    }
}
