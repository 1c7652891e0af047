// SPDX-License-Identifier: MIT

import BlueCapCore

/// Holds a backend of the peripheral role to its contract with the manager about the links of centrals: each is made
/// once, and changes and ends while it stands.
struct LinkWatch {
    private var centrals: Set<PeerIdentifier> = []

    /// - Returns: The rule that the new link breaks, if any.
    mutating func connected(_ central: Central) -> String? {
        guard let identifier = central.identifier else { return "a central without an identifier is connected" }
        return centrals.insert(identifier).inserted ? nil : "the central \(identifier) is connected twice"
    }

    /// - Returns: The rule that the change breaks, if any.
    mutating func changed(_ identifier: PeerIdentifier, to central: Central) -> String? {
        guard centrals.remove(identifier) != nil else { return "\(identifier) changes, which is not connected" }
        centrals.insert(central.identifier ?? identifier)
        return nil
    }

    /// - Returns: The rule that the end breaks, if any.
    mutating func disconnected(_ identifier: PeerIdentifier) -> String? {
        centrals.remove(identifier) == nil ? "the central \(identifier) leaves, which is not connected" : nil
    }
}
