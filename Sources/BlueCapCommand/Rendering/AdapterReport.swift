// SPDX-License-Identifier: MIT

import BlueCap

/// A Bluetooth adapter, as `adapters` prints it.
struct AdapterReport: Encodable, Sendable, Hashable {
    var event = "adapter"
    /// The name that `--adapter` takes.
    var name: String
    var address: String
    /// The name that other devices see.
    var alias: String
    var powered: Bool
    var scanning = false
    var pairable = false
    /// `"central"`, `"peripheral"`, and combinations that BlueZ names.
    var roles: [String] = []
    /// Advertisements that are registered.
    var advertisements: Int?
    /// Advertisements that the adapter can hold.
    var advertisementCapacity: Int?
    /// The version of bluetoothd.
    var version: String?

    /// Name, address, power and alias, and the adapter's capabilities on a second line.
    var lines: [String] {
        let head = [name, address, powered ? "on " : "off", TextLayout.printable(alias)].joined(separator: "  ")
        var words: [String] = []
        if scanning { words.append("scanning") }
        if pairable { words.append("pairable") }
        if !roles.isEmpty { words.append("roles " + roles.joined(separator: " ")) }
        if let capacity = advertisementCapacity {
            words.append("advertisements \(advertisements ?? 0) of \(capacity)")
        }
        if let version { words.append("BlueZ " + version) }
        return [head] + (words.isEmpty ? [] : ["  " + words.joined(separator: ", ")])
    }
}

extension AdapterReport {
    /// The adapter of a virtual radio.
    init(_ adapter: VirtualAdapter) {
        self.init(
            name: "virtual", address: adapter.address, alias: "a simulated adapter",
            powered: adapter.state == .poweredOn, roles: ["central", "peripheral"])
    }

    #if os(Linux) && BlueZ
    init(_ adapter: BlueZAdapter) {
        self.init(
            name: adapter.name, address: adapter.address, alias: adapter.alias, powered: adapter.isPowered,
            scanning: adapter.isDiscovering, pairable: adapter.isPairable, roles: adapter.roles,
            advertisements: adapter.advertisementCount, advertisementCapacity: adapter.advertisementCapacity,
            version: adapter.version)
    }
    #endif
}
