// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import Foundation

/// The messages and counters that a gateway keeps for its next run.
package struct GatewayState: Hashable, Sendable {
    /// The reason why bytes are not such a state.
    struct Malformed: Error {}

    /// The longest file in bytes, with a little less in messages.
    private static let maximumByteCount = 1 << 20
    private static let format = 1

    /// In their order.
    package var messages: [WaitingMessage] = []
    package var counters: [FrameCounter] = []

    package init(messages: [WaitingMessage] = [], counters: [FrameCounter] = []) {
        (self.messages, self.counters) = (messages, counters)
    }

    private struct File: Codable {
        struct Message: Codable {
            var topic: String
            var text: String
            var isRetained: Bool
            var expiry: UInt32?
            var date: Int64
        }

        struct Counter: Codable {
            var device: String
            var key: UInt64
            var counter: UInt32
        }

        var format: Int
        var gateway: String
        var messages: [Message]
        var counters: [Counter]
    }

    /// - Throws: ``Malformed``, also for the state of another gateway.
    init(_ bytes: [UInt8], of gateway: String) throws(Malformed) {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(bytes)), file.format == Self.format,
            file.gateway == gateway
        else { throw Malformed() }
        messages = file.messages.map { message in
            let sent = BrokerMessage(
                topic: message.topic, text: message.text, isRetained: message.isRetained, expiry: message.expiry)
            return WaitingMessage(message: sent, date: message.date)
        }
        counters = file.counters.map {
            FrameCounter(device: PeerIdentifier($0.device), key: $0.key, counter: $0.counter)
        }
    }

    /// The bytes of a file.
    func bytes(of gateway: String) -> [UInt8] {
        let messages = messages.map {
            File.Message(
                topic: $0.message.topic, text: $0.message.text, isRetained: $0.message.isRetained,
                expiry: $0.message.expiry, date: $0.date)
        }
        let counters = counters.map { File.Counter(device: $0.device.text, key: $0.key, counter: $0.counter) }
        let file = File(format: Self.format, gateway: gateway, messages: messages, counters: counters)
        return (try? JSONEncoder().encode(file)).map(Array.init) ?? []
    }

    /// Removes the oldest messages, so that the file is not too long to be read again.
    mutating func fit() {
        // A byte of a text may take six in JSON.
        var left = Self.maximumByteCount / 2
        let kept = messages.reversed().prefix { waiting in
            left -= waiting.message.topic.utf8.count + 2 * waiting.message.payload.count + 128
            return left >= 0
        }
        messages.removeFirst(messages.count - kept.count)
    }
}
#endif
