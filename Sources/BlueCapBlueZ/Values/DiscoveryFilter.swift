#if BlueZ && os(Linux)
package import BlueCapCore
import BlueCapSerDe
package import DBus

/// The argument of `SetDiscoveryFilter`, merged over all scans of this process on one adapter.
package struct DiscoveryFilter: Sendable, Hashable {
    /// Service UUIDs that BlueZ is to look for; empty looks for all.
    ///
    /// BlueZ matches them against the advertised lists only and hides a device that advertises its service only in
    /// service data.
    package var services: [String] = []
    /// Whether BlueZ passes on every packet's data, rather than its changes.
    package var passesDuplicates = false

    /// One filter for all the requests; nil when there are none.
    package init?(merging requests: some Collection<ScanRequest>, passingServices: Bool) {
        if requests.isEmpty { return nil }
        passesDuplicates = requests.contains(where: \.allowsDuplicates)
        if passingServices, !requests.contains(where: \.services.isEmpty) {
            let all = requests.reduce(into: Set()) { $0.formUnion($1.services) }
            services = all.map { $0.fullDescription.lowercased() }.sorted()
        }
    }

    /// The dictionary for the bus, without the keys that this daemon does not know.
    ///
    /// `RSSI` at its lowest is what makes BlueZ report every change of signal strength and show devices that are not
    /// discoverable; it excludes nobody.
    package func properties(accepting keys: Set<String>) -> [String: DBusValue] {
        var properties: [String: DBusValue] = ["Transport": .string("le"), "RSSI": .int16(-127)]
        if passesDuplicates { properties["DuplicateData"] = .bool(true) }
        if !services.isEmpty { properties["UUIDs"] = .strings(services) }
        return properties.filter { keys.contains($0.key) }
    }

    /// The keys that every daemon knows which has no `GetDiscoveryFilters` (before BlueZ 5.47).
    package static let oldestKeys: Set<String> = ["Transport", "RSSI", "UUIDs", "Pathloss"]
}
#endif
