// SPDX-License-Identifier: MIT

/// Something that takes messages for a broker.
package protocol MessagePublisher: Sendable {
    /// Takes a message at once, in the place of an older one of its topic that still waits.
    func publish(_ message: BrokerMessage)

    /// Takes that the loss of the last connection is known to the publisher: what it publishes from now on is of the
    /// present one. It counts where ``BrokerSettings/endsWithConnection`` holds.
    func beginConnection()
}

extension MessagePublisher {
    package func beginConnection() {}
}
