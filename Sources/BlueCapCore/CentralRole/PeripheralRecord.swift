// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// A manager's record of one peripheral, with one collaborator for each concern of the link to it; touched on the
/// manager only.
final class PeripheralRecord {
    /// The collaborators, which belong to the record alone.
    private final class Link {
        let connection: LinkConnection
        let scopes: LinkScopes
        let database: PeripheralDatabase
        let subscriptions: LinkSubscriptions

        init(of record: PeripheralRecord) {
            connection = LinkConnection(of: record)
            scopes = LinkScopes(of: record)
            database = PeripheralDatabase(of: record)
            subscriptions = LinkSubscriptions(of: record)
        }
    }

    let peripheral: Peripheral
    /// When the peripheral was last sighted, and how strongly.
    var lastSighting: (elapsed: Duration, rssi: Int?)?
    /// Made with the first use: most peripherals are sighted and no more, and this takes several times the room of all
    /// else.
    private var known: Link?

    init(_ peripheral: Peripheral) { self.peripheral = peripheral }

    private var made: Link {
        if let known { return known }
        let made = Link(of: self)
        known = made
        return made
    }

    /// Whether the app has used the peripheral, so that there are collaborators.
    var isUsed: Bool { known != nil }

    /// The connection, with its actual and its wanted state, and those who wait for it or for its end.
    var connection: LinkConnection { made.connection }
    /// The scopes that share the link.
    var scopes: LinkScopes { made.scopes }
    /// The attributes of the current connection's database.
    var database: PeripheralDatabase { made.database }
    /// The listeners to characteristics, from one connection to the next.
    var subscriptions: LinkSubscriptions { made.subscriptions }

    // MARK: Facts that make no collaborator

    /// The state of the connection.
    var link: ConnectionMachine.LinkState { known?.connection.machine.link ?? .idle }

    /// Whether there is no connection, and none is about to be made.
    var isForgettable: Bool {
        guard let known else { return true }
        return known.connection.isIdle && !known.scopes.areActive
    }

    /// Whether the manager may forget the peripheral to make room for another.
    var isReplaceable: Bool { isForgettable && known?.subscriptions.isEmpty != false }

    /// When the peripheral was last sighted, or met where it never was.
    var lastSeen: Duration { max(lastSighting?.elapsed ?? .zero, peripheral.discoveredElapsed) }

    /// Where the values of an attribute go; nil for one that is not known.
    func route(of attribute: AttributeID) -> ValueRoute? { known?.subscriptions.route(of: attribute) }
}
