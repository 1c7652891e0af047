// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapKernel
import BlueCapLoop
import BlueCapSerDe
import BlueCapTesting

/// The kernel's packets beside bluetoothd, on a controller with a filter of duplicates.
enum PacketBehaviours {
    static let all: [DaemonBehaviour] = [
        DaemonBehaviour("each of 60 packets in three seconds is heard past a filter, also after bluetoothd's restart") {
            world in
            try await world.setDuplicateFilter(true)
            let central = try await world.makeCentral()
            try await central.whenPoweredOn()
            // The power's end ends the discovery of a bluetoothd that was killed before this behaviour. A scan would
            // begin beside a monitor otherwise, for whose sake the kernel uses no filter (`hci_active_scan_sync`).
            try await withEventRecorder(of: central.states()) { states in
                for isOn in [false, true] {
                    try await world.setPower(isOn)
                    try await states.wait { $0.last == (isOn ? .poweredOn : .poweredOff) }
                }
            }
            guard let peer = try await world.peer(0) as? BedPeer else { throw ConformanceFailure("no peer of the bed") }
            let advertisement = TwinAdvertisement(
                data: PeripheralAdvertisements(localName: "Peer"), interval: .milliseconds(50))
            let identifier = try await peer.configure(
                Twin(name: "Peer", advertisement: advertisement), pairing: PeerPairing())
            try await peer.advertise(true)
            let options = ScanOptions(allowsDuplicates: true, addressPrefix: identifier.text, lostAfter: nil)
            // That the filter is there: a discovery hears advertisement and scan response once.
            try await withEventRecorder(of: central.scan(options: options)) { reports in
                try await reports.first(1)
                _ = try await peer.advertisementCount(after: 60)
                try expect(reports.all.count, 1...3, "by a discovery")
            }
            try await withPackets(of: identifier) { packets in
                try await packets.wait { $0.contains(.hears) }
                try await expectAll(packets, peer, "alone")
                try await withEventRecorder(of: central.scan(options: options)) { reports in
                    try await reports.first(1)
                    try await expectAll(packets, peer, "while bluetoothd scans")
                }
                try await expectAll(packets, peer, "after its scan")
                try await world.restartDaemon()
                try await packets.wait { $0.count { $0 == .hears } == 2 }
                try await expectAll(packets, peer, "after its restart")
            }
        },
        DaemonBehaviour("the signal strength of a connection is measured, and not that of the last sighting") { world in
            let central = try await world.makeCentral()
            try await central.whenPoweredOn()
            let peer = try await world.peer(0)
            let identifier = try await peer.configure(Twin(name: "Peer"))
            try await peer.advertise(true)
            let options = ScanOptions(addressPrefix: identifier.text)
            let peripheral = try await central.firstDiscovery(options: options).peripheral
            try await peripheral.connect()
            try await peer.setRSSI(-33)
            let rssi = try await peripheral.readRSSI()
            guard rssi == -33 else { throw ConformanceFailure("the signal strength is \(rssi)") }
        },
    ]

    /// Runs a body with the events of a monitor of its own, of whose packets those of one device are kept.
    private static func withPackets(
        of identifier: PeerIdentifier, _ body: (EventRecorder<PacketMonitor.Event>) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        let (events, continuation) = AsyncStream.makeStream(of: PacketMonitor.Event.self)
        let program = await loop.run {
            Program(loop) { event in
                if case .received(let packet) = event, packet.address != identifier.text { return }
                continuation.yield(event)
            }
        }
        var failure: (any Error)?
        do { try await withEventRecorder(of: events) { try await body($0) } } catch { failure = error }
        await loop.run { program.monitor.stop() }
        await loop.stop()
        if let failure { throw failure }
    }

    // SAFETY: the monitor is only touched on the loop.
    /// Another program, with a monitor for the first adapter.
    private final class Program: @unchecked Sendable {
        let monitor: PacketMonitor

        init(_ loop: EventLoop, _ handler: @escaping (PacketMonitor.Event) -> Void) {
            monitor = PacketMonitor(on: loop, open: ManagementSocket.open, handler: handler)
            monitor.start(controller: 0)
        }
    }

    /// Expects that each packet is heard while 60 of them are sent; three at most are on their way at either end. The
    /// controller hears nothing for the moment in which a discovery begins: it has passed when others were heard.
    private static func expectAll(
        _ packets: EventRecorder<PacketMonitor.Event>, _ peer: BedPeer, _ time: String
    ) async throws {
        func heard() -> Int { heardCount(packets.all) }
        let earlier = heard()
        try await packets.wait { heardCount($0) >= earlier + 20 }
        let (sent, before) = (try await peer.advertisementCount(), heard())
        let count = try await peer.advertisementCount(after: 60) - sent
        try expect(heard() - before, (count - 3)...(count + 3), "\(time), of \(count)")
    }

    private static func heardCount(_ events: [PacketMonitor.Event]) -> Int {
        events.count { if case .received = $0 { true } else { false } }
    }

    private static func expect(_ count: Int, _ range: ClosedRange<Int>, _ time: String) throws {
        guard range.contains(count) else { throw ConformanceFailure("\(count) packets were heard \(time)") }
    }
}
#endif
