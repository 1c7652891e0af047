// SPDX-License-Identifier: MIT

#if Gateway
/// A change of the connection to a broker, or a message that comes over it.
package enum BrokerEvent: Sendable {
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
#endif
