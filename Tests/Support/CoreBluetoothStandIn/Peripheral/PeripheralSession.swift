// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

/// The system's side of a peripheral manager: the backend on the radio's thread.
final class PeripheralSession: ChannelSession {
    private let backend: VirtualPeripheralBackend
    private let host: StandIn
    let events = BackendSession<PeripheralEvent> { event in
        if case .reply(let request, _) = event { request } else { nil }
    }

    let channelEvents = BackendSession<ChannelEvent> { _ in nil }

    init(host: StandIn) {
        self.host = host
        backend = host.radio.peripheral(on: host.adapter)
        let (clock, events, channelEvents) = (host.radio.clock, events, channelEvents)
        ask {
            $0.activateChannels(ChannelEventSink { channelEvents.receive($0) })
            $0.activate(clock: clock, sink: PeripheralEventSink { events.receive($0) })
        }
    }

    /// Calls the backend on the radio's thread, in the order of the calls.
    func ask(_ body: @escaping @Sendable (isolated VirtualPeripheralBackend) -> Void) {
        host.noteActivity()
        backend.later(body)
    }

    func perform(_ request: ChannelRequest) { ask { $0.performOnChannels(request) } }

    func tell(_ command: ChannelCommand) { ask { $0.command(command) } }

    func end() {
        OverflowArea.set([], of: PeerIdentifier(host.adapter.address), on: host.radio)
        ask { $0.invalidate() }
    }
}
