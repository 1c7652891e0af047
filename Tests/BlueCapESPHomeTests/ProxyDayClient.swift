// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapRuntime

@testable import BlueCapESPHome

/// A client in a day of faults, which counts what it has to get.
final class ProxyDayClient: Sendable {
    private struct State {
        /// The answers that it waits for, by their kind, and the devices of which it waits for a connection.
        var asked: [String: Int] = [:]
        var connecting: Set<UInt64> = []
        var lastDevice = DeviceAddress(PeerIdentifier("C0:DE:00:00:01:00")).number
        /// How many advertisements the auditor had got when this client began to listen.
        var listensSince: Int?
        var wantedCount = 0
    }

    let client: ProxyTestClient
    private let state = Locked(State())

    /// - Parameter auditor: The client that listens all the time; nil for itself.
    init(_ scene: ProxyScene, _ auditor: ProxyDayClient?) {
        client = scene.client()
        guard let auditor = auditor?.client else { return }
        client.onNews { [weak self] news in self?.take(news, auditor.advertisementCount) }
    }

    /// A message has come, or the connection has ended.
    private func take(_ news: (any APIMessage)?, _ count: Int) {
        state.withLock { state in
            switch news {
            case is ScannerStateResponse: state.listensSince = state.listensSince ?? count
            // Asked for together with the end of listening.
            case nil, is ListEntitiesDoneResponse:
                state.wantedCount += state.listensSince.map { count - $0 } ?? 0
                state.listensSince = nil
            case let response as DeviceConnectionResponse: state.connecting.remove(response.address)
            case is PairingResponse: state.asked["pairings", default: 0] -= 1
            case is UnpairingResponse: state.asked["unpairings", default: 0] -= 1
            case is ReadResponse, is WriteResponse, is NotifyResponse, is ServicesDoneResponse, is ErrorResponse:
                state.asked["attributes", default: 0] -= 1
            default: break
            }
        }
    }

    /// The device that it has asked for last.
    var lastDevice: UInt64 { state.withLock { $0.lastDevice } }

    /// The advertisements that were there for it.
    var wantedCount: Int { state.withLock { $0.wantedCount } }

    /// The answers that have not come, or came once too often.
    var unanswered: [String] {
        state.withLock { state in
            state.connecting.map { "no answer to the connection of \(PeerIdentifier(address: $0))" }
                + state.asked.filter { $0.value != 0 }.map { "\($0.value) answers are missing: \($0.key)" }
        }
    }

    // MARK: Requests

    func listen() async { await client.send(SubscribeAdvertisementsRequest()) }

    func stopListening() async { await client.send(UnsubscribeAdvertisementsRequest(), ListEntitiesRequest()) }

    func connect(_ address: UInt64, hasCache: Bool) async {
        state.withLock { state in
            state.connecting.insert(address)
            state.lastDevice = address
        }
        await client.request(address, hasCache ? .connectWithCache : .connectWithoutCache)
    }

    /// Asks for something of an attribute, or for the services.
    func ask(_ message: some DeviceMessage) async {
        state.withLock { $0.asked["attributes", default: 0] += 1 }
        await client.send(message)
    }

    func pair(_ address: UInt64) async {
        state.withLock { $0.asked["pairings", default: 0] += 1 }
        await client.request(address, .pair)
    }

    func unpair(_ address: UInt64) async {
        state.withLock { $0.asked["unpairings", default: 0] += 1 }
        await client.request(address, .unpair)
    }
}
#endif
