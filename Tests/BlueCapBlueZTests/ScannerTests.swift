// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapRuntime
import Testing

/// The scan of a backend whose bus is not there, over a mirror with an adapter that is on.
@Suite(.timeLimit(.minutes(60)))
struct ScannerTests {
    private static let adapter = "/org/bluez/hci0"
    private let events = Mailbox<CentralEvent, Never>(capacity: .unbounded)
    private let backend = BlueZCentralBackend(bus: "unix:path=/nonexistent/scanner")

    private func act(
        on backend: isolated BlueZCentralBackend, _ body: @Sendable (isolated BlueZCentralBackend) -> Void
    ) { body(backend) }

    @Test func `of the sightings during a scan those of the backend's adapter are reported`() async {
        await act(on: backend) { [events] in
            $0.activate(clock: ManualClock().clock, sink: CentralEventSink { events.push($0) })
        }
        // There is no bus.
        _ = await events.next()
        let own = Sighting(peripheral: "C0:00:00:00:00:01", advertisements: PeripheralAdvertisements(), rssi: -40)
        let other = Sighting(peripheral: "C0:00:00:00:00:02", advertisements: PeripheralAdvertisements(), rssi: -40)
        await act(on: backend) { backend in
            _ = backend.session?.tree.add(Self.adapter, [BlueZInterface.adapter: ["Powered": .bool(true)]])
            backend.session?.become(.ready)
            backend.scanner.scan(ScanRequest(), backend)
            backend.scanner.sighted(2, below: "/org/bluez/hci1", other, backend)
            backend.scanner.sighted(1, below: Self.adapter, own, backend)
        }
        // The adapter is on.
        _ = await events.next()
        #expect("\(await events.next(), default: "none")" == "\(CentralEvent.sighted(own))")
    }
}
#endif
