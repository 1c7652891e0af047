// SPDX-License-Identifier: MIT

#if Gateway && BlueZ && os(Linux)
extension Broker {
    /// A change of the connection, or a message that comes over it.
    package enum Event: Sendable {
        /// The connection is made, or the broker was asked again for what it keeps, which it may have lost.
        case connected
        /// The connection was lost or could not be made; it is tried again.
        case lost(String)
        /// The broker refused the connection; it is tried again, because the broker's settings may change.
        case refused(BrokerRefusal)
        case received(BrokerMessage)
        /// A message of a topic was dropped, as it was too long.
        case oversized(topic: String)
        /// The broker does not let this client subscribe to a topic.
        case unsubscribed(topic: String)
    }

    /// Numbers of messages and connections.
    package struct Counts: Sendable {
        /// How many messages the broker has.
        package var published = 0
        /// How many messages the broker or the library refused.
        package var refused = 0
        /// How many messages gave way to newer ones of their topics.
        package var replaced = 0
        /// How many messages gave way because there was no room.
        package var dropped = 0
        /// How many messages were of a connection that was lost before the broker had them; see
        /// ``BrokerSettings/endsWithConnection``.
        package var outdated = 0
        /// How many messages of an earlier run were not sent, as their time was over or their topics have changed.
        package var expired = 0
        package var connections = 0
        /// How many events were dropped, as a stream of ``Broker/events`` had no room for them.
        package var missedEvents = 0
    }
}
#endif
