// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import BlueCapVirtual

/// A broker of a model, on the clock of the radio.
///
/// It keeps retained messages until they expire, and delivers messages to each client that has subscribed to their
/// topics, also to the one that sent them. At the end of a connection it publishes the will of the client.
final class ScriptedBroker: Sendable {
    /// How the broker treats a client that connects.
    enum Mode: Sendable {
        case open
        case away
        case refusing
        /// Ends each connection after a few packets.
        case cutting
    }

    private struct State {
        var random: SeededGenerator
        var retained: [String: (message: BrokerMessage, end: Duration?)] = [:]
        var clients: [ScriptedClient] = []
        var mode = Mode.open
        var latency = Duration.milliseconds(10)
    }

    let watch: OwnerWatch
    private let clock: BlueCapClock
    private let state: Locked<State>

    init(seed: UInt64, clock: BlueCapClock) {
        (self.clock, watch) = (clock, OwnerWatch(clock: clock))
        state = Locked(State(random: SeededGenerator(seed: seed, name: "broker")))
    }

    // MARK: Connections

    var mode: Mode { state.withLock { $0.mode } }

    var latency: Duration { state.withLock { $0.latency } }

    /// A number of chance below the limit.
    func number(below limit: Int) -> Int { state.withLock { Int($0.random.next() % UInt64(limit)) } }

    func change(to mode: Mode, latency: Duration = .milliseconds(10)) {
        state.withLock { ($0.mode, $0.latency) = (mode, latency) }
        if mode != .open { cut() }
    }

    /// Ends all connections.
    func cut() { for client in state.withLock({ $0.clients }) { client.cut() } }

    func forgetAll() {
        state.withLock { $0.retained = [:] }
        watch.forgetAll()
    }

    /// Takes the beginning of a connection.
    ///
    /// - Returns: All messages that are kept.
    func begin(_ client: ScriptedClient) -> [BrokerMessage] {
        state.withLock { state in
            state.clients.append(client)
            state.retained = state.retained.filter { $0.value.end.map { $0 > clock.elapsed } ?? true }
            return state.retained.values.map(\.message).sorted { $0.topic < $1.topic }
        }
    }

    /// Takes the end of a connection.
    func end(_ client: ScriptedClient) {
        state.withLock { $0.clients.removeAll { $0 === client } }
        take(client.will)
    }

    // MARK: Messages

    /// Takes a message of any client.
    func take(_ message: BrokerMessage) {
        let clients = state.withLock { state in
            if message.isRetained {
                let end = message.expiry.map { clock.elapsed + .seconds(Int($0)) }
                state.retained[message.topic] = message.payload.isEmpty ? nil : (message, end)
            }
            return state.clients
        }
        var delivered = message
        delivered.isRetained = false
        for client in clients { client.receive(delivered) }
    }

    /// The message that is kept for a topic; nil for none.
    func kept(_ topic: String) -> BrokerMessage? {
        state.withLock { state in
            state.retained[topic].flatMap { $0.end.map { $0 > clock.elapsed } ?? true ? $0.message : nil }
        }
    }

    /// The topics of which a message is kept, and that end like this.
    func topics(endingIn suffix: String) -> [String] {
        state.withLock { $0.retained.keys.filter { $0.hasSuffix(suffix) }.sorted() }
    }
}
