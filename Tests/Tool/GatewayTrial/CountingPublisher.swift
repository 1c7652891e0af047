// SPDX-License-Identifier: MIT

import BlueCapGateway
import BlueCapRuntime

/// Counts the messages that a gateway makes, on their way to a broker.
final class CountingPublisher: MessagePublisher {
    let broker: Broker
    private let made = Locked(0)

    init(_ broker: Broker) { self.broker = broker }

    var count: Int { made.withLock { $0 } }

    func publish(_ message: BrokerMessage) {
        made.withLock { $0 += 1 }
        broker.publish(message)
    }
}
