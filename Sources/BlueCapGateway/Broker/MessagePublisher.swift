// SPDX-License-Identifier: MIT

#if Gateway
/// Something that takes messages for a broker.
package protocol MessagePublisher: Sendable {
    /// Takes a message at once, in the place of an older one of its topic that still waits.
    func publish(_ message: BrokerMessage)

    /// Takes the beginning of a connection of which the publisher knows: its messages are of that one from now on. It
    /// counts where ``BrokerSettings/endsWithConnection`` holds.
    func beginConnection()
}

extension MessagePublisher {
    package func beginConnection() {}
}
#endif
