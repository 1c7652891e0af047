// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// A sighting of a peripheral in a scan.
public struct Discovery: Sendable {
    /// The reason why a sighting is reported.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The first sighting in this scan, or the first after the peripheral was lost.
        case discovered
        /// The peripheral was sighted again: its advertisement changed, or the scan allows duplicates.
        case updated
        /// The peripheral was not sighted for ``ScanOptions/lostAfter``.
        case lost
    }

    /// The reason of the sighting: the peripheral is new, was sighted again, or is lost.
    public var kind: Kind
    /// The peripheral that was sighted; the same object each time.
    public var peripheral: Peripheral
    /// The advertisement as it is known with this sighting.
    public var advertisements: PeripheralAdvertisements
    /// The signal strength in dBm; nil if it was not measured.
    public var rssi: Int?
    /// The time of the sighting (for `.lost`: of the last sighting).
    public var date: Timestamp
    /// Whether the address is a random one; nil where the platform does not say.
    package var hasRandomAddress: Bool?

    /// Combines two sightings of a peripheral that were not taken yet: the newer remains, as `.discovered` if either
    /// was.
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
    public var description: String { "\(kind) \(peripheral)" + (rssi.map { ", \($0) dBm" } ?? "") }
}
