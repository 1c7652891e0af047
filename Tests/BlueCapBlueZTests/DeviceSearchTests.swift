// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapRuntime
import Testing

/// The search of a backend that has no bus.
@Suite("Device search", .timeLimit(.minutes(60)))
struct DeviceSearchTests {
    private static let peer: PeerIdentifier = "C0:00:00:00:00:01"
    private static let cancelled = CentralEvent.connectFailed(peer, .disconnected)

    private let events = Mailbox<CentralEvent, Never>(capacity: .unbounded)
    private let backend = BlueZCentralBackend(bus: "nowhere")

    private func act(
        on backend: isolated BlueZCentralBackend, _ body: @Sendable (isolated BlueZCentralBackend) -> Void
    ) { body(backend) }

    /// Activates the backend, and takes its report that there is no bus.
    private func activate() async {
        await act(on: backend) { backend in
            backend.activate(clock: .continuous, sink: CentralEventSink { [events] in events.push($0) })
        }
        _ = await events.next()
    }

    @Test func `the end of a search is reported once as a cancelled attempt, however often it is asked for`() async {
        await activate()
        await act(on: backend) { backend in
            backend.search.begin(Self.peer, backend)
            let isEnded = [backend.search.end(Self.peer, backend), backend.search.end(Self.peer, backend)]
            #expect(isEnded == [true, true])
        }
        #expect("\(await events.next(), default: "none")" == "\(Self.cancelled)")
        await act(on: backend) { backend in
            let isEnded = backend.search.end(Self.peer, backend)
            #expect(!isEnded)
            backend.emit(.scanFailed(.poweredOff))
        }
        #expect("\(await events.next(), default: "none")" == "\(CentralEvent.scanFailed(.poweredOff))")
    }

    @Test func `a search that the radio's end has forgotten is not reported`() async {
        await activate()
        await act(on: backend) { backend in
            backend.search.begin(Self.peer, backend)
            _ = backend.search.end(Self.peer, backend)
            backend.search.reset()
            backend.later { $0.emit(.scanFailed(.poweredOff)) }
        }
        #expect("\(await events.next(), default: "none")" == "\(CentralEvent.scanFailed(.poweredOff))")
    }
}
#endif
