// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapSerDe
import BlueCapTesting
import CoreBluetooth
import Testing

/// A strap in the air, and a program with a central manager over the backend.
struct StrapScene: Sendable {
    /// A value that is read, written with and without a response, and notified.
    static let level = PeerAttribute()
    /// The same in another service.
    static let other = PeerAttribute(service: 1)
    /// A notified value in a service that is not primary, which the first one includes.
    static let inner = PeerAttribute(service: 2)

    static var services: [TwinService] {
        let uses: CharacteristicProperties = [.read, .write, .writeWithoutResponse, .notify]
        return [
            TwinService(
                "180F", includes: [2],
                characteristics: [
                    TwinCharacteristic(
                        "2A19", properties: uses, value: [100], descriptors: [TwinDescriptor("2901", value: [0x41])])
                ]),
            TwinService("FFE0", characteristics: [TwinCharacteristic("FFE1", properties: uses, value: [1])]),
            TwinService(
                "FFE4", isPrimary: false,
                characteristics: [TwinCharacteristic("FFE5", properties: [.read, .notify], value: [5])]),
        ]
    }

    let world: StandInWorld
    let peer: any ConformancePeer
    let identifier: PeerIdentifier
    let backend: CoreBluetoothCentralBackend
    let central: CentralManager
    private let restoreIdentifier: String?
    private let journal: MemoryRestorationStore?

    /// Runs `body` with a program whose radio is on, and ends everything.
    ///
    /// - Parameters:
    ///   - settings: The settings of the stand-in.
    ///   - identifier: The restore identifier of the program's backend.
    ///   - journal: The journals of the program.
    static func run(
        settings: StandInSettings = .init(), restoring identifier: String? = nil,
        journal: MemoryRestorationStore? = nil, _ body: @escaping @Sendable (StrapScene) async throws -> Void
    ) async throws {
        try await StandInWorld.run(settings: settings) { world in
            let result: Result<Void, any Error>
            do {
                let peer = try await world.peer(0)
                let peerIdentifier = try await peer.configure(Twin(name: "Strap", services: services))
                try await peer.advertise(true)
                let scene = StrapScene(world, peer, peerIdentifier, restoring: identifier, journal: journal)
                try await scene.central.whenPoweredOn(timeout: .seconds(10))
                try await body(scene)
                result = .success(())
            } catch { result = .failure(error) }
            await world.close()
            try result.get()
        }
    }

    private init(
        _ world: StandInWorld, _ peer: any ConformancePeer, _ identifier: PeerIdentifier, restoring name: String?,
        journal: MemoryRestorationStore?
    ) {
        (self.world, self.peer, self.identifier) = (world, peer, identifier)
        (restoreIdentifier, self.journal) = (name, journal)
        backend = CoreBluetoothCentralBackend(restoreIdentifier: name)
        central = world.makeCentral(over: backend, journal: journal) { $0 }
    }

    // MARK: The strap

    func sighted() async throws -> Peripheral {
        let options = ScanOptions(allowsDuplicates: true)
        var sightings = central.scan(options: options, timeout: .seconds(30)).makeAsyncIterator()
        while let sighting = try await sightings.next() {
            if sighting.peripheral.identifier == identifier { return sighting.peripheral }
        }
        throw CentralManagerError.serviceScanTimeout
    }

    func connected() async throws -> Peripheral {
        let strap = try await sighted()
        try await strap.connect(timeout: .seconds(10))
        return strap
    }

    func discovered() async throws -> Peripheral {
        let strap = try await connected()
        try await strap.discover(timeout: .seconds(10))
        return strap
    }

    // MARK: Programs

    /// Ends the program as the system does, and begins another one like it.
    ///
    /// - Parameter meanwhile: What happens while there is none.
    func relaunched(_ meanwhile: () async throws -> Void = {}) async throws -> StrapScene {
        journal?.closeAll()
        await world.host.terminateApp()
        try await meanwhile()
        return StrapScene(world, peer, identifier, restoring: restoreIdentifier, journal: journal)
    }
}

/// Takes the next values of a sequence whose listener has a time limit.
func take(_ count: Int, from values: Notifications) async throws -> [Bytes] {
    var taken: [Bytes] = []
    for try await value in values {
        taken.append(value)
        if taken.count == count { break }
    }
    return taken
}
