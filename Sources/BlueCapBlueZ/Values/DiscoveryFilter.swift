// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
import BlueCapSerDe
package import BlueCapDBus

/// The argument of `SetDiscoveryFilter`, merged over all scans of this process on one adapter.
package struct DiscoveryFilter: Sendable, Hashable {
    /// Service UUIDs that BlueZ is to look for; empty looks for all.
    ///
    /// BlueZ matches them against the advertised lists only and hides a device that advertises its service only in
    /// service data.
    package var services: [String] = []
    /// Whether BlueZ passes on every packet's data, rather than its changes.
    package var passesDuplicates = false
    /// The beginning of the addresses that BlueZ is to look for; empty looks for all.
    ///
    /// BlueZ makes no objects for other devices, and does not report them.
    package var addressPrefix = ""

    /// One filter for all the requests, and for devices that are to be found; nil when there are neither.
    package init?(
        merging requests: some Collection<ScanRequest>, seeking devices: Set<PeerIdentifier> = [],
        passingServices: Bool
    ) {
        if requests.isEmpty {
            guard let first = devices.first else { return nil }
            addressPrefix = devices.reduce(first.text) { $0.commonPrefix(with: $1.text) }
            return
        }
        passesDuplicates = requests.contains(where: \.allowsDuplicates)
        // A device is not known by its services.
        if passingServices, devices.isEmpty, !requests.contains(where: \.services.isEmpty) {
            let all = requests.reduce(into: Set()) { $0.formUnion($1.services) }
            services = all.map { $0.fullDescription.lowercased() }.sorted()
        }
    }

    /// The dictionary for the bus, without the keys that this daemon does not know.
    ///
    /// `RSSI` at its lowest makes BlueZ report every change of signal strength and show devices that are not
    /// discoverable; it excludes no device.
    package func properties(accepting keys: Set<String>) -> [String: DBusValue] {
        var properties: [String: DBusValue] = ["Transport": .string("le"), "RSSI": .int16(-127)]
        if passesDuplicates { properties["DuplicateData"] = .bool(true) }
        if !addressPrefix.isEmpty { properties["Pattern"] = .string(addressPrefix) }
        if !services.isEmpty { properties["UUIDs"] = .strings(services) }
        return properties.filter { keys.contains($0.key) }
    }

    /// Whether a discovery with this filter finds devices that one with another filter may have passed over.
    ///
    /// The controller drops devices that it has heard before, for as long as the discovery lasts.
    package func isWider(than other: Self) -> Bool { !addressPrefix.hasPrefix(other.addressPrefix) }

    /// The keys that every daemon knows which has no `GetDiscoveryFilters` (before BlueZ 5.47).
    package static let oldestKeys: Set<String> = ["Transport", "RSSI", "UUIDs", "Pathloss"]
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
#endif
