// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBeacon
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting

/// Habits of bluetoothd that no platform shares, most of which `FakeHabitTests` shows on the scripted one.
enum HabitBehaviours {
    static let all: [DaemonBehaviour] = [
        DaemonBehaviour("a link that another program has made is taken over, and there is no second one") { world in
            let (peer, peripheral) = try await sighted(.read, in: world)
            try await withProgram { program in
                let connect = try Message.methodCall(
                    to: "org.bluez", path: path(of: peripheral.identifier), interface: "org.bluez.Device1",
                    member: "Connect")
                _ = try await program.call(connect)
                try await peripheral.connect()
                try await peripheral.discover()
                let value = try await peripheral.characteristic(uuid).read()
                guard value == [1] else { throw ConformanceFailure("the value is \(value)") }
                let connections = try await peer.connections()
                guard connections == PeerConnections(current: 1, total: 1) else {
                    throw ConformanceFailure("there are \(connections)")
                }
            }
        },
        DaemonBehaviour("every packet has its own structures") { world in
            let central = try await world.makeCentral()
            try await central.whenPoweredOn()
            let sent = TwinAdvertisement(data: PeripheralAdvertisements(localName: "Peer"))
            let peer = try await world.peer(0)
            let identifier = try await peer.configure(Twin(name: "Peer", advertisement: sent), pairing: PeerPairing())
            try await peer.advertise(true)
            let options = ScanOptions(addressPrefix: identifier.text, lostAfter: nil, mode: .everyPacket)
            // bluetoothd reports the name, and not the structure that has it.
            try await withEventRecorder(of: central.scan(options: options)) { packets in
                _ = try await packets.wait { $0.contains { $0.advertisements.structures.contains { $0.type == 0x09 } } }
            }
        },
        DaemonBehaviour("a peer's refusal to notify over a socket is told") { world in
            let (peer, peripheral) = try await sighted(.notify, in: world)
            try await peripheral.connect()
            try await peripheral.discover()
            try await peer.setError(.insufficientResources, of: PeerAttribute(), on: .subscribe)
            do throws(CharacteristicError) {
                _ = try await peripheral.characteristic(uuid).notifications(transport: .socket, timeout: .seconds(30))
            } catch {
                // bluetoothd before 5.84 forgets the refusal, and the call with it.
                let isForgotten = BedWorld.bluetoothd < BlueZVersion(5, 84)
                if isForgotten, case .backend(let failure) = error, failure.message == "Notify acquired" { return }
                if !isForgotten, error == .att(.insufficientResources) { return }
                throw ConformanceFailure("it was told as \(error)")
            }
            throw ConformanceFailure("it was not told")
        },
        DaemonBehaviour("a device with both radios is connected to over LE, and keeps the user's choice meanwhile") {
            world in
            try await world.killDaemon()
            try await world.startDaemon(experimental: true, withBothRadios: true)
            let central = try await world.makeCentral()
            try await central.whenPoweredOn()
            guard let peer = try await world.peer(0) as? BedPeer else { throw ConformanceFailure("no peer of the bed") }
            _ = try await peer.configure(twin(.read), pairing: PeerPairing())
            // Without "BR/EDR not supported".
            let flags = AdvertisingFlags(rawValue: 0x02)
            try await peer.updateAdvertisement(
                TwinAdvertisement(data: PeripheralAdvertisements(localName: "Peer", flags: flags)))
            let address = try await peer.advertisePublicly()
            let peripheral = try await central.firstDiscovery(options: ScanOptions(addressPrefix: address.text))
                .peripheral
            try await withProgram { program in
                guard let before = try await bearer(of: address, program) else {
                    // bluetoothd before 5.80 has no choice.
                    if BedWorld.bluetoothd < BlueZVersion(5, 80) { return }
                    throw ConformanceFailure("bluetoothd has no choice of a bearer")
                }
                try await peer.vanish()
                let connecting = Task { try await peripheral.connect(timeout: .seconds(60)) }
                try await world.elapse(.seconds(2))
                let during = try await bearer(of: address, program)
                try await peer.comeBack()
                try await connecting.value
                let after = try await bearer(of: address, program)
                guard during == before, after == before else {
                    throw ConformanceFailure("\(before) became \(during ?? "none") and then \(after ?? "none")")
                }
                guard try await peer.connections().current == 1 else { throw ConformanceFailure("no link over LE") }
            }
        },
        DaemonBehaviour("by strength a passive scan finds and loses in the time that was asked for") { world in
            let central = try await world.makeCentral()
            try await central.whenPoweredOn()
            let peer = try await world.peer(0)
            let identifier = try await peer.configure(twin(.read), pairing: PeerPairing())
            try await peer.setRSSI(-90)
            try await peer.advertise(true)
            let signal = SignalThresholds(high: -60, highTime: .seconds(3), low: -75, lowTime: .seconds(4))
            let options = ScanOptions(
                addressPrefix: identifier.text, mode: .passive(patterns: AdvertisingPattern.usualFlags, signal: signal))
            try await withEventRecorder(of: central.scan(options: options)) { sightings in
                _ = try await central.firstDiscovery(
                    options: ScanOptions(
                        addressPrefix: identifier.text, mode: .passive(patterns: AdvertisingPattern.usualFlags)))
                for (rssi, kind, time) in [(-40, Discovery.Kind.discovered, 3.0), (-90, .lost, 4)] {
                    let start = world.clock.elapsed
                    try await peer.setRSSI(rssi)
                    try await sightings.first { $0.kind == kind }
                    let took = (world.clock.elapsed - start) / .seconds(1)
                    // bluetoothd counts whole seconds.
                    guard (time - 1...time + 0.7).contains(took) else {
                        throw ConformanceFailure("it was \(kind) after \(took) s, \(time) s were asked for")
                    }
                }
            }
        },
        DaemonBehaviour("a passive scan ends with bluetoothd, and is refused by name without -E") { world in
            let central = try await world.makeCentral()
            let peer = try await world.peer(0)
            let identifier = try await peer.configure(twin(.read), pairing: PeerPairing())
            try await peer.advertise(true)
            let options = ScanOptions(
                addressPrefix: identifier.text, mode: .passive(patterns: AdvertisingPattern.usualFlags))
            for (isExperimental, next) in [(true, true), (true, false), (false, true)] {
                try await central.whenPoweredOn()
                do throws(CentralManagerError) {
                    for try await _ in central.scan(options: options, timeout: .seconds(30)) { break }
                    guard isExperimental else { throw .powerOnTimeout }
                } catch {
                    guard !isExperimental, case .scanModeNotSupported(_, let failure) = error,
                        failure.description.contains("-E")
                    else { throw ConformanceFailure("the scan ended with \(error)") }
                }
                try await withEventRecorder(of: central.states()) { states in
                    try await world.killDaemon()
                    try await states.wait { $0.last == .resetting }
                }
                try await world.startDaemon(experimental: next)
            }
        },
        region("a region is not left while the kernel goes on for a bluetoothd that was killed", true),
        region("nor where the next bluetoothd is without -E", false),
    ]

    private static let uuid: BluetoothUUID = "2A19"

    private static func twin(_ properties: CharacteristicProperties) -> Twin {
        let characteristic = TwinCharacteristic(uuid, properties: properties, value: [1])
        return Twin(
            name: "Peer",
            services: [TwinService("B1EC0000-5EED-4000-B000-00805F9B34FB", characteristics: [characteristic])])
    }

    private static func sighted(
        _ properties: CharacteristicProperties, in world: BedWorld
    ) async throws -> (any ConformancePeer, Peripheral) {
        let central = try await world.makeCentral()
        try await central.whenPoweredOn()
        let peer = try await world.peer(0)
        let identifier = try await peer.configure(twin(properties), pairing: PeerPairing())
        try await peer.advertise(true)
        let options = ScanOptions(addressPrefix: identifier.text)
        return (peer, try await central.firstDiscovery(options: options).peripheral)
    }

    private static func path(of address: PeerIdentifier) -> String {
        "/org/bluez/hci0/dev_" + String(address.text.map { $0 == ":" ? "_" : $0 })
    }

    /// Runs a body with the place of another program on the bus.
    private static func withProgram(_ body: (BusConnection) async throws -> Void) async throws {
        let loop = try EventLoop()
        let program = try await BusConnection.open(BusAddress(BedWorld.bus), on: loop)
        var failure: (any Error)?
        do { try await body(program) } catch { failure = error }
        await program.close()
        await loop.stop()
        if let failure { throw failure }
    }

    private static func bearer(of address: PeerIdentifier, _ program: BusConnection) async throws -> String? {
        let get = try Message.methodCall(
            to: "org.bluez", path: path(of: address), interface: StandardInterface.properties, member: "GetAll",
            body: [.string("org.bluez.Device1")])
        return try await program.call(get).body()[0].propertiesValue?["PreferredBearer"]?.stringValue
    }

    /// The kernel refuses a discovery for ten seconds at most, the region's delay is a fifth of that.
    private static func region(_ name: String, _ isExperimental: Bool) -> DaemonBehaviour {
        DaemonBehaviour(name) { world in
            let central = try await world.makeCentral()
            try await central.whenPoweredOn()
            let peer = try await world.peer(0)
            let identifier = try await peer.configure(twin(.read), pairing: PeerPairing())
            try await peer.advertise(true)
            let keys = DiscoveryRegion("keys", exitDelay: .seconds(2)) { $0.peripheral.identifier == identifier }
            try await withEventRecorder(of: BeaconManager(central: central).monitoring(keys)) { states in
                try await states.wait { $0.last == .inside }
                try await world.killDaemon()
                try await states.wait { $0.last == .unknown }
                try await world.startDaemon(experimental: isExperimental)
                try await world.elapse(.seconds(15))
                guard states.all == [.start, .inside, .unknown, .inside] else {
                    throw ConformanceFailure("the states are \(states.all)")
                }
            }
        }
    }
}
#endif
