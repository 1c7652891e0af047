// SPDX-License-Identifier: MIT

#if Gateway
/// Numbers of messages to a broker, and of connections.
package struct BrokerCounts: Hashable, Sendable {
    /// How many messages the broker has.
    package var published = 0
    /// How many messages the broker or the library refused.
    package var refused = 0
    /// How many messages gave way to newer ones of their topics.
    package var replaced = 0
    /// How many messages gave way because there was no room.
    package var dropped = 0
    /// How many messages were of a connection that was lost before the broker had them, see
    /// ``BrokerSettings/endsWithConnection``, and how many events were, or waited for too long.
    package var outdated = 0
    /// How many messages of an earlier run were not sent, as their time was over or their topics have changed.
    package var expired = 0
    package var connections = 0
    /// How many events were dropped, as a stream of ``BrokerConnection/events`` had no room for them.
    package var missedEvents = 0

    package init() {}
}
#endif
