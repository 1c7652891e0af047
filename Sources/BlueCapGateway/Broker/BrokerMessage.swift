// SPDX-License-Identifier: MIT

#if Gateway
/// A message that is published, or that was received.
package struct BrokerMessage: Hashable, Sendable {
    package var topic: String
    /// Text in all messages of this program.
    package var payload: [UInt8]
    /// Whether the broker keeps it for those who subscribe later; an empty one removes the message that it keeps.
    package var isRetained: Bool
    /// The number of seconds after which the broker forgets it (MQTT 5.0, 3.3.2.3.3); nil for never.
    package var expiry: UInt32?
    /// Whether it goes ahead of the other messages that wait.
    package var isUrgent = false
    /// Whether it is an event: none takes the place of another one, and none outlives a connection or is sent twice.
    package var isMomentary = false

    package init(topic: String, payload: [UInt8], isRetained: Bool = false, expiry: UInt32? = nil) {
        (self.topic, self.payload, self.isRetained, self.expiry) = (topic, payload, isRetained, expiry)
    }

    package init(topic: String, text: String, isRetained: Bool = false, expiry: UInt32? = nil) {
        self.init(topic: topic, payload: Array(text.utf8), isRetained: isRetained, expiry: expiry)
    }

    /// Whether it removes a description, so that Home Assistant forgets the entities. A description that comes behind
    /// it does not stand for it.
    var isWithdrawal: Bool { isRetained && payload.isEmpty && topic.hasSuffix("/config") }

    /// The payload as text; U+FFFD in the place of bytes that are none.
    package var text: String { String(decoding: payload, as: UTF8.self) }
}
#endif
