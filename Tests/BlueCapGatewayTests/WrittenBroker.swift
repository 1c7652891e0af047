// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapRuntime

@testable import BlueCapGateway

/// A broker that writes down its calls, and whose connection is the test's.
final class WrittenBroker: BrokerConnection {
    struct Notes: Sendable {
        var messages: [BrokerMessage] = []
        var topics: [String] = []
        var questions = 0
        var isOpened = false
        var isConnected = false
        var isClosed = false
        var counts = BrokerCounts()
        var waiting: [WaitingMessage] = []
        /// Called when the connection is to end for good.
        var ending: @Sendable () -> Void = {}
    }

    let address: BrokerAddress
    let events = Multicaster<BrokerEvent>(replay: .none)
    private let state = Locked(Notes())

    init() throws { address = try BrokerAddress(text: "mqtt://localhost") }

    var notes: Notes { state.withLock(\.self) }

    func change(_ body: (inout Notes) -> Void) { state.withLock { body(&$0) } }

    /// Makes the connection.
    func connect() {
        change { ($0.isConnected, $0.counts.connections) = (true, $0.counts.connections + 1) }
        events.push(.connected)
    }

    /// The messages since the last call.
    func taken() -> [BrokerMessage] {
        state.withLock { notes in
            defer { notes.messages = [] }
            return notes.messages
        }
    }

    // MARK: The connection of a gateway

    func publish(_ message: BrokerMessage) { change { $0.messages.append(message) } }

    var isOpen: Bool { notes.isConnected }
    var waitingCount: Int { notes.waiting.count }
    var waitingMessages: [WaitingMessage] { notes.waiting }
    func waitingSinceLastCall() -> [WaitingMessage] { notes.waiting }
    var statistics: BrokerCounts { notes.counts }
    func open() { change { $0.isOpened = true } }
    func subscribe(to topic: String) { change { $0.topics.append(topic) } }
    func askAgain() async { change { $0.questions += 1 } }

    func close(within limit: Duration) async -> Int {
        change { $0.isClosed = true }
        notes.ending()
        events.finish()
        return waitingCount
    }
}
#endif
