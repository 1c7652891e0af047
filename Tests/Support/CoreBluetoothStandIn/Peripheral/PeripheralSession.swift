// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

/// The system's side of a peripheral manager: the backend on the radio's thread.
final class PeripheralSession: Sendable {
    private let backend: VirtualPeripheralBackend
    private let host: StandIn
    let events = BackendSession<PeripheralEvent> { event in
        if case .reply(let request, _) = event { request } else { nil }
    }

    init(host: StandIn) {
        self.host = host
        backend = host.radio.peripheral(on: host.adapter)
        let (clock, events) = (host.radio.clock, events)
        ask { $0.activate(clock: clock, sink: PeripheralEventSink { events.receive($0) }) }
    }

    /// Calls the backend on the radio's thread, in the order of the calls.
    func ask(_ body: @escaping @Sendable (isolated VirtualPeripheralBackend) -> Void) {
        host.noteActivity()
        backend.later(body)
    }

    func end() {
        OverflowArea.set([], of: PeerIdentifier(host.adapter.address), on: host.radio)
        ask { $0.invalidate() }
    }
}
