// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The start of most behaviours: a central that is on, a peer, and the central's view of it.
struct Scene: Sendable {
    let world: any ConformanceWorld
    let central: CentralManager
    let peer: any ConformancePeer
    let peripheral: Peripheral

    static func sighted(
        _ device: Twin, pairing: PeerPairing = PeerPairing(), in world: any ConformanceWorld
    ) async throws -> Scene {
        let central = try await world.makePoweredCentral()
        let peer = try await world.peer(0)
        let identifier = try await peer.configure(device, pairing: pairing)
        try await peer.advertise(true)
        let peripheral = try await central.sight(identifier)
        return Scene(world: world, central: central, peer: peer, peripheral: peripheral)
    }

    /// A peer that is connected, nothing discovered yet.
    static func connected(
        _ device: Twin, pairing: PeerPairing = PeerPairing(), in world: any ConformanceWorld
    ) async throws -> Scene {
        let scene = try await sighted(device, pairing: pairing, in: world)
        try await scene.peripheral.connect()
        return scene
    }

    /// A peer that is connected, its services and characteristics discovered.
    static func discovered(
        _ device: Twin, pairing: PeerPairing = PeerPairing(), in world: any ConformanceWorld
    ) async throws -> Scene {
        let scene = try await connected(device, pairing: pairing, in: world)
        try await scene.peripheral.discover()
        return scene
    }

    /// A peer with one service of the given characteristics, connected and discovered.
    static func discovered(
        _ characteristics: TwinCharacteristic..., in world: any ConformanceWorld
    ) async throws -> Scene {
        let service = TwinService(.service(0), characteristics: characteristics)
        return try await discovered(Twin(name: "Peer", services: [service]), in: world)
    }

    /// A peer with one service of one characteristic, connected and discovered.
    static func discovered(
        _ properties: CharacteristicProperties, value: Bytes? = nil, in world: any ConformanceWorld
    ) async throws -> Scene {
        try await discovered(TwinCharacteristic(0, properties, value: value), in: world)
    }

    /// The discovered characteristic with the suite's UUID of that number.
    func characteristic(_ number: Int = 0) throws -> Characteristic {
        try peripheral.characteristic(.characteristic(number))
    }

    /// Sights the peer again and connects to it, as a program does after a link was lost.
    func reconnect() async throws {
        try await central.sight(peripheral.identifier)
        try await peripheral.connect()
    }

    /// Returns when the central has noticed that the link was lost, which `cause` brings about.
    func losingLink(_ cause: () async throws -> Void) async throws {
        try await withEventRecorder(of: peripheral.connectionEvents()) { events in
            try await cause()
            try await events.first(where: \.isLoss)
        }
    }

    /// Runs `operation` while `duration` passes on the world's clock.
    func elapsing<Value: Sendable>(
        _ duration: Duration, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Result<Value, any Error> {
        try await world.elapsing(duration, operation)
    }
}

extension ConformanceWorld {
    func makePoweredCentral() async throws -> CentralManager {
        let central = try await makeCentral()
        try await central.whenPoweredOn()
        return central
    }

    /// Runs `operation` while `duration` passes on the world's clock, and returns its outcome.
    func elapsing<Value: Sendable>(
        _ duration: Duration, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Result<Value, any Error> {
        async let outcome = result(of: operation)
        try await elapse(duration)
        return await outcome
    }

    /// Lets time pass on the world's clock though nothing else may be due within it.
    func pass(_ duration: Duration) async throws {
        _ = clock.schedule(after: duration) {}
        try await elapse(duration)
    }

    private func result<Value: Sendable>(
        of operation: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        do { return .success(try await operation()) } catch { return .failure(error) }
    }
}

extension CentralManager {
    @discardableResult
    nonisolated func sight(_ identifier: PeerIdentifier) async throws -> Peripheral {
        for try await discovery in scan() where discovery.peripheral.identifier == identifier {
            return discovery.peripheral
        }
        try Task.checkCancellation()
        throw ConformanceFailure("the scan ended before \(identifier) was sighted")
    }

    /// Scans until a peripheral is sighted with advertisements that are complete.
    ///
    /// A platform may put them together from several packets.
    nonisolated func sight(
        _ identifier: PeerIdentifier, until isComplete: (Discovery) -> Bool
    ) async throws -> Discovery {
        var last: Discovery?
        for try await discovery in scan() where discovery.peripheral.identifier == identifier {
            if isComplete(discovery) { return discovery }
            last = discovery
        }
        throw ConformanceFailure(
            "the advertisements of \(identifier) never were as expected; the last: \(last.map { "\($0.advertisements)" } ?? "none")"
        )
    }
}

extension BluetoothUUID {
    static func service(_ number: Int) -> BluetoothUUID { numbered("B1EC", number) }

    static func characteristic(_ number: Int) -> BluetoothUUID { numbered("B1EC", 0x1000 + number) }

    private static func numbered(_ prefix: String, _ number: Int) -> BluetoothUUID {
        let digits = String(number, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: 4 - digits.count) + digits
        return BluetoothUUID(stringLiteral: "\(prefix)\(padded)-5EED-4000-B000-00805F9B34FB")
    }
}

extension Bytes {
    /// A 32-bit little-endian number, filled up with zeros.
    static func numbered(_ number: Int, size: Int = 4) -> Bytes {
        let value = UInt32(truncatingIfNeeded: number)
        let digits = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
        return Bytes(digits + [UInt8](repeating: 0, count: Swift.max(size - 4, 0)))
    }

    /// Bytes in which every place differs from its neighbours, and longer ones from shorter ones.
    static func pattern(count: Int) -> Bytes {
        Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    }
}

extension TwinCharacteristic {
    /// A characteristic with the suite's UUID of that number.
    init(_ number: Int, _ properties: CharacteristicProperties, value: Bytes? = nil) {
        self.init(.characteristic(number), properties: properties, value: value)
    }
}
