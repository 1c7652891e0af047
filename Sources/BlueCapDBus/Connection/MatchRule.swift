// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Which signals the bus should send to a connection. Keep these few (the bus allows 512 of a connection): take a whole
/// name and namespace, and choose by path with `BusLink.onSignal`.
package struct MatchRule: Hashable, Sendable {
    /// The text that goes to the bus.
    package let text: String

    /// A rule for signals. Throws `.invalidArgument` for names that D-Bus forbids.
    package init(
        sender: String? = nil, interface: String? = nil, member: String? = nil, path: String? = nil,
        pathNamespace: String? = nil, argument0: String? = nil
    ) throws(DBusError) {
        var text = "type='signal'"
        if let sender { text += try Self.part("sender", sender, Names.isBusName) }
        if let interface { text += try Self.part("interface", interface, Names.isInterface) }
        if let member { text += try Self.part("member", member, Names.isMember) }
        if let path { text += try Self.part("path", path, Names.isObjectPath) }
        if let pathNamespace { text += try Self.part("path_namespace", pathNamespace, Names.isObjectPath) }
        if let argument0 {
            text += try Self.part("arg0", argument0) { Names.isString($0) && !$0.utf8.contains(UInt8(ascii: "'")) }
        }
        self.text = text
    }

    private static func part(_ key: String, _ value: String, _ isValid: (String) -> Bool) throws(DBusError) -> String {
        guard isValid(value) else { throw .invalidArgument("\(key) \(value) in a match rule") }
        return ",\(key)='\(value)'"
    }
}

/// The objects whose signals a handler wants.
package enum PathScope: Hashable, Sendable {
    case path(String)
    /// The path itself and everything below it.
    case namespace(String)
    case all
}

/// The owner of a watched name: `owner` is a unique name, nil while there is none.
package struct NameOwnerChange: Sendable, Hashable {
    package let name: String
    package let previous: String?
    package let owner: String?
}

/// Counters of one connection.
package struct BusMetrics: Sendable, Hashable {
    /// Messages that came, of whatever kind.
    package var received = 0
    /// Calls that the bus holds a reply slot for: sent and not yet answered, zombies included.
    package var inFlight = 0
    /// Calls whose caller has gone (cancelled or timed out) but that are not answered yet.
    package var zombies = 0
    /// Calls that wait for a slot.
    package var queued = 0
    /// Calls that were answered, late or in time.
    package var answered = 0
    /// Replies that came after their caller had gone.
    package var lateReplies = 0
    /// Replies that answer no call of ours.
    package var strayReplies = 0
    /// Signals from a sender that does not own the name the handler asked for.
    package var spoofedSignals = 0
    /// Signals that no handler took.
    package var unroutedSignals = 0
}
#endif
