// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapVirtual
import Dispatch

/// The system's side of a central manager: the backend on the radio's thread.
final class CentralSession: ChannelSession {
    private let backend: VirtualCentralBackend
    private let host: StandIn
    let events = BackendSession<CentralEvent> { event in
        if case .reply(let request, _) = event { request } else { nil }
    }

    let channelEvents = BackendSession<ChannelEvent> { _ in nil }

    init(host: StandIn) {
        self.host = host
        backend = host.radio.central(on: host.adapter)
        let (clock, events, channelEvents) = (host.radio.clock, events, channelEvents)
        ask {
            $0.activateChannels(ChannelEventSink { channelEvents.receive($0) })
            $0.setPairingCapability(.noInputNoOutput)
            $0.activate(clock: clock, sink: CentralEventSink { events.receive($0) })
        }
    }

    /// Calls the backend on the radio's thread, in the order of the calls.
    func ask(_ body: @escaping @Sendable (isolated VirtualCentralBackend) -> Void) {
        host.noteActivity()
        backend.later(body)
    }

    func perform(_ request: ChannelRequest) { ask { $0.performOnChannels(request) } }

    func tell(_ command: ChannelCommand) { ask { $0.command(command) } }

    func end() { ask { $0.invalidate() } }

    /// The connections that only the system knows, asked for and waited for (D10, C8). The radio's thread never waits
    /// for a queue, so this ends.
    func connectedPeers(with services: [CBUUID]) -> [PeerIdentifier] {
        let identities = services.map(\.identity)
        let request = events.makeRequest()
        let answer = Answer()
        events.answer(
            request,
            by: { event in
                if case .reply(_, .success(.peripherals(let known))) = event {
                    answer.give(known.map(\.id))
                } else {
                    answer.give([])
                }
            })
        ask { $0.perform(CentralRequest(id: request, operation: .retrieveConnected(services: identities))) }
        return answer.wait()
    }

    private final class Answer: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let peers = Locked<[PeerIdentifier]>([])

        func give(_ found: [PeerIdentifier]) {
            peers.withLock { $0 = found }
            semaphore.signal()
        }

        func wait() -> [PeerIdentifier] {
            semaphore.wait()
            return peers.withLock { $0 }
        }
    }
}
