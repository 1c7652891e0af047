// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation

/// A behaviour that needs the real daemon.
struct DaemonBehaviour: Sendable {
    let name: String
    let run: @Sendable (BedWorld) async throws -> Void

    init(_ name: String, run: @escaping @Sendable (BedWorld) async throws -> Void) {
        self.name = name
        self.run = run
    }
}

/// The behaviours that only bluetoothd itself can show: its end and return, and errors of two causes in the same words.
enum DaemonBehaviours {
    private static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    static let all: [DaemonBehaviour] = [
        DaemonBehaviour(
            "bluetoothd is killed: the state is resetting, links and reads end, and all works after its return"
        ) {
            world in
            let scene = try await BedScene(world)
            try await scene.peer.hold(PeerAttribute(), on: .read)
            try await withEventRecorder(of: scene.central.states()) { states in
                try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                    async let read = result { try await scene.characteristic.read() }
                    try await scene.peer.wait(until: .held(PeerAttribute(), .read))
                    try await world.killDaemon()
                    guard case .failure(let error as CharacteristicError) = await read else {
                        throw ConformanceFailure("a read was answered although bluetoothd was killed")
                    }
                    guard error.tellsLoss else {
                        throw ConformanceFailure("a read when bluetoothd was killed threw \(error)")
                    }
                    try await events.first(1)
                    try await states.wait(for: .resetting)
                    try await world.startDaemon(experimental: true)
                    try await states.wait { $0.last == .poweredOn && $0.contains(.resetting) }
                }
            }
            try await scene.peer.release(PeerAttribute(), on: .read)
            try await scene.reconnect()
            try await scene.expectValue([1])
        },
        // With -E by an advertisement monitor, otherwise once the kernel has ended the old discovery.
        nextScan("a scan ends with an error when bluetoothd is killed, and the next one works once it is back", true),
        nextScan("a scan works after a bluetoothd that was killed when the next one is without -E", false),
        DaemonBehaviour("fifty rounds of serving leave no descriptor and no registration behind") { world in
            let manager = try await world.makePeripheralManager()
            try await manager.whenPoweredOn()
            let far = try await world.farCentral(0)
            func round() async throws {
                let service = MutableService(uuid: "FFF0")
                service.characteristics = [
                    MutableCharacteristic(
                        uuid: "FFF1", properties: [.read, .notify], permissions: .readable, value: [1])
                ]
                try await manager.add(service)
                try await manager.startAdvertising("Ours")
                let found = try await far.connect(to: try await far.hear { $0.localName == "Ours" })
                guard let remote = found.flatMap(\.characteristics).first(where: { $0.uuid == "FFF1" }) else {
                    throw ConformanceFailure("the characteristic was not found")
                }
                try await far.subscribe(to: remote.id, indications: false)
                try await far.disconnect()
                try await manager.stopAdvertising()
                try await manager.remove(service)
            }
            try await round()
            let before = Self.descriptorCount
            for _ in 0..<50 { try await round() }
            // bluetoothd closes its end of the last socket when it has noticed the end of the link.
            for _ in 0..<50 where Self.descriptorCount > before { try await world.elapse(.milliseconds(100)) }
            guard Self.descriptorCount <= before else {
                throw ConformanceFailure("\(Self.descriptorCount - before) descriptors were left behind")
            }
            // One more central looks, at an advertisement without a service.
            try await manager.startAdvertising("Ours")
            let found = try await far.connect(to: try await far.hear { $0.localName == "Ours" })
            guard !found.contains(where: { $0.uuid == "FFF0" }) else {
                throw ConformanceFailure("a service was left behind")
            }
            let sent = try await world.activeAdvertisementCount()
            try await manager.stopAdvertising()
            let left = try await world.activeAdvertisementCount()
            guard (sent, left) == (1, 0) else {
                throw ConformanceFailure("\(sent) advertisements are sent instead of 1, then \(left) instead of none")
            }
        },
        DaemonBehaviour("the adapter is pulled out and plugged in again") { world in
            let scene = try await BedScene(world)
            try await withEventRecorder(of: scene.central.states()) { states in
                try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                    try await world.setAdapter(present: false)
                    try await events.first(1)
                    try await states.wait { ![.poweredOn, .unknown].contains($0.last) }
                    try await world.setAdapter(present: true)
                    try await states.wait { $0.last == .poweredOn && $0.count > 1 }
                }
            }
            try await scene.reconnect()
            try await scene.expectValue([1])
        },
        DaemonBehaviour("error 0x0E of the peer is an ATT error, and its link stays") { world in
            let scene = try await BedScene(world)
            try await scene.peer.setError(.unlikelyError, of: PeerAttribute(), on: .read)
            let answered = await result { try await scene.characteristic.read() }
            guard case .failure(let error as CharacteristicError) = answered, error == .att(.unlikelyError) else {
                throw ConformanceFailure("a read that the peer answers with 0x0E gave \(answered)")
            }
            try await scene.peer.setError(nil, of: PeerAttribute(), on: .read)
            try await scene.expectValue([1])
        },
        DaemonBehaviour("a link that is lost during a read is not taken for error 0x0E of the peer") { world in
            for isLostFirst in [true, false] {
                let scene = try await BedScene(world)
                try await scene.peer.hold(PeerAttribute(), on: .read)
                async let read = result { try await scene.characteristic.read() }
                try await scene.peer.wait(until: .held(PeerAttribute(), .read))
                if isLostFirst { try await scene.peer.disconnect() } else { try await scene.peer.vanish() }
                guard case .failure(let error as CharacteristicError) = await read, error == .disconnected else {
                    throw ConformanceFailure("a read during which the link was lost gave another error")
                }
            }
        },
        DaemonBehaviour("twenty connections are made, each begun as soon as the peer has ended the one before") {
            world in
            let scene = try await BedScene(world)
            try await withEventRecorder(of: scene.peripheral.connectionEvents()) { events in
                for round in 1...20 {
                    try await scene.peer.disconnect()
                    try await events.wait { $0.count >= 2 * round - 1 }
                    try await scene.peripheral.connect()
                }
            }
            try await scene.peripheral.discover()
            try await scene.expectValue([1])
        },
        DaemonBehaviour("a peripheral that keeps advertising the same is not reported lost") { world in
            let central = try await world.makeCentral()
            try await central.whenPoweredOn()
            let peer = try await world.peer(0)
            let identifier = try await peer.configure(Twin(name: "Peer"))
            try await peer.advertise(true)
            let scan = central.scan(options: ScanOptions(addressPrefix: identifier.text, lostAfter: .seconds(4)))
            try await withEventRecorder(of: scan) { sightings in
                try await sightings.first(1)
                try await world.elapse(.seconds(12))
                if let lost = sightings.all.first(where: { $0.kind == .lost }) {
                    throw ConformanceFailure("\(lost.peripheral.displayName) was reported lost although it advertises")
                }
            }
        },
    ]

    /// A scan on the adapter of a bluetoothd that was killed during another. The kernel ends that after 10.24 s at the
    /// latest.
    private static func nextScan(_ name: String, _ isExperimental: Bool) -> DaemonBehaviour {
        DaemonBehaviour(name) { world in
            let central = try await world.makeCentral()
            try await central.whenPoweredOn()
            let peer = try await world.peer(0)
            let identifier = try await peer.configure(Twin(name: "Peer"))
            try await peer.advertise(true)
            try await withEventRecorder(of: central.scan()) { sightings in
                try await sightings.first { $0.peripheral.identifier == identifier }
                try await world.killDaemon()
                do {
                    try await sightings.end()
                    throw ConformanceFailure("a scan ended without an error when bluetoothd was killed")
                } catch let error as CentralManagerError {
                    guard error.tellsLoss else {
                        throw ConformanceFailure("a scan when bluetoothd was killed threw \(error)")
                    }
                }
            }
            try await world.startDaemon(experimental: isExperimental)
            try await central.whenPoweredOn()
            _ = try await central.firstDiscovery(
                options: ScanOptions(addressPrefix: identifier.text), timeout: .seconds(isExperimental ? 5 : 15))
        }
    }
}

extension BlueCapError {
    /// Whether it says that the radio or the link is gone, or in the platform's words that the daemon is.
    fileprivate var tellsLoss: Bool {
        switch reason {
        case .disconnected, .poweredOff, .backend: true
        default: false
        }
    }
}

/// A connected peer with one characteristic of the value 1 that can be read.
private struct BedScene: Sendable {
    let central: CentralManager
    let peer: any ConformancePeer
    let peripheral: Peripheral
    let uuid: BluetoothUUID = "2A19"

    init(_ world: BedWorld) async throws {
        central = try await world.makeCentral()
        try await central.whenPoweredOn()
        peer = try await world.peer(0)
        let characteristic = TwinCharacteristic(uuid, properties: .read, value: [1])
        let service = TwinService("B1EC0000-5EED-4000-B000-00805F9B34FB", characteristics: [characteristic])
        let identifier = try await peer.configure(Twin(name: "Peer", services: [service]))
        try await peer.advertise(true)
        peripheral = try await central.firstDiscovery(options: ScanOptions(addressPrefix: identifier.text)).peripheral
        try await peripheral.connect()
        try await peripheral.discover()
    }

    var characteristic: Characteristic { get throws { try peripheral.characteristic(uuid) } }

    func reconnect() async throws {
        _ = try await central.firstDiscovery(options: ScanOptions(addressPrefix: peripheral.identifier.text))
        try await peripheral.connect()
        try await peripheral.discover()
    }

    func expectValue(_ expected: Bytes) async throws {
        let value = try await characteristic.read()
        if value != expected { throw ConformanceFailure("the value is \(value) instead of \(expected)") }
    }
}

private func result<Value>(
    of operation: () async throws -> Value
) async -> Result<Value, any Error> {
    do { return .success(try await operation()) } catch { return .failure(error) }
}
#endif
