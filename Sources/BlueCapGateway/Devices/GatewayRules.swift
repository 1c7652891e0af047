// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore

/// Rules for devices, of which the first that fits counts for each.
package struct GatewayRules: Hashable, Sendable {
    package let all: [GatewayRule]
    /// The places of the rules that name an address, by it, and of all others.
    private let named: [PeerIdentifier: [Int]]
    private let others: [Int]
    /// The connections to devices.
    let connections: [PeerIdentifier: ConnectionRule]
    /// Whether a rule publishes the presence of devices, and whether one knows beacons.
    let (hasPresence, hasBeacons): (Bool, Bool)

    package init(_ rules: [GatewayRule] = []) {
        all = rules
        var named: [PeerIdentifier: [Int]] = [:]
        for (index, rule) in rules.enumerated() {
            if let address = rule.match.address { named[address, default: []].append(index) }
        }
        self.named = named
        connections = rules.reduce(into: [:]) { connections, rule in
            guard let address = rule.match.address, let connection = rule.connection else { return }
            connections[address] = connections[address] ?? connection
        }
        hasPresence = rules.contains { $0.times.presence != nil }
        hasBeacons = rules.contains { $0.match.beacon != nil }
        others = rules.indices.filter { rules[$0].match.address == nil }
    }

    package var isEmpty: Bool { all.isEmpty }

    /// Whether a rule allows commands of the broker.
    package var allowsCommands: Bool { connections.values.contains { !$0.write.isEmpty } }

    /// The rule of a device; nil if none fits.
    func first(for subject: GatewayRule.Subject) -> GatewayRule? {
        if isEmpty { return nil }
        let fits = { (index: Int) in all[index].match.fits(subject) }
        let own = named[subject.identifier]?.first(where: fits)
        let other = others.first(where: fits)
        return [own, other].compactMap(\.self).min().map { all[$0] }
    }

    /// The key of a device, whichever rule fits it: without that key nothing of the device is believed.
    func key(of address: PeerIdentifier) -> BindKey? {
        named[address]?.lazy.compactMap { all[$0].key }.first
    }

    /// How long a device of the address may be missed by the rules for presence that may fit it; nil where none does.
    func patience(with address: PeerIdentifier) -> Duration? {
        if !hasPresence { return nil }
        return all.lazy.filter { $0.match.address == nil || $0.match.address == address }.compactMap(\.times.presence)
            .max()
    }

    /// Whether a device of the address may be published: whether one with some name, services and frames is.
    func mayPublish(_ address: PeerIdentifier) -> Bool {
        for rule in all where rule.match.address == nil || rule.match.address == address {
            if rule.isPublished { return true }
            var match = rule.match
            match.address = nil
            if match == GatewayRule.Match() { return false }
        }
        return true
    }
}
#endif
