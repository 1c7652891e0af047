// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapRuntime

/// A broker as a gateway uses it: a connection that comes back by itself, and messages that wait for it.
package protocol BrokerConnection: MessagePublisher {
    var address: BrokerAddress { get }

    var events: Multicaster<BrokerEvent> { get }

    /// Whether there is a connection now.
    var isOpen: Bool { get }

    /// How many messages wait for the connection or for an answer.
    var waitingCount: Int { get }

    /// The newest message of each topic that waits for the connection or for an answer, in their order.
    var waitingMessages: [WaitingMessage] { get }

    /// The messages that waited at the last call already, or took the place of such a message. While there is a
    /// connection there are hardly any.
    func waitingSinceLastCall() -> [WaitingMessage]

    /// The numbers of now.
    var statistics: BrokerCounts { get }

    /// Begins to connect, without waiting for it. Once.
    func open()

    /// Subscribes to one more topic, now and each time that the connection is made.
    func subscribe(to topic: String)

    /// Asks the broker for all messages again that it keeps of the topics. They come behind one more
    /// ``BrokerEvent/connected``, from which on published messages go behind the question.
    func askAgain() async

    /// Publishes the messages that wait, and ends the connection for good. Once.
    ///
    /// - Parameter limit: How long the messages may take; the rest is lost then.
    /// - Returns: How many messages the broker did not acknowledge.
    func close(within limit: Duration) async -> Int
}
#endif
