// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapGateway
import BlueCapRuntime
import Foundation

/// Takes the messages of a gateway.
final class PublishedMessages: MessagePublisher {
    private let messages = Locked<[BrokerMessage]>([])

    func publish(_ message: BrokerMessage) { messages.withLock { $0.append(message) } }

    /// The messages since the last call.
    func taken() -> [BrokerMessage] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

extension BrokerMessage {
    /// The payload as a dictionary; empty if it is none.
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(payload))) as? [String: Any] ?? [:]
    }
}
#endif
