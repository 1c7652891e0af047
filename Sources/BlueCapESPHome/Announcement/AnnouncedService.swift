// SPDX-License-Identifier: MIT

/// The records of multicast DNS by which Home Assistant finds a proxy.
package struct AnnouncedService: Hashable, Sendable {
    static let type = "_esphomelib._tcp"

    let name: String
    let port: UInt16
    /// The texts of the service; without the address Home Assistant does not take it.
    let texts: [String]

    package init(_ identity: ProxyIdentity, port: UInt16, isEncrypted: Bool) {
        (name, self.port) = (identity.name, port)
        let facts = [
            "mac": identity.addressDigits, "friendly_name": identity.friendlyName,
            "version": ProxyIdentity.firmware, "platform": "host", "board": "host", "network": "ethernet",
            "project_name": ProxyIdentity.project, "project_version": identity.version,
            "api_encryption": isEncrypted ? "Noise_NNpsk0_25519_ChaChaPoly_SHA256" : nil,
        ]
        texts = facts.compactMap { key, value in value.map { "\(key)=\($0)" } }.sorted()
    }
}

/// The news about an announcement.
package enum AnnouncementEvent: Hashable, Sendable {
    /// The network knows the service by this name.
    case announced(String)
    /// The network does not know the service, for this reason.
    case withdrawn(String)
}
