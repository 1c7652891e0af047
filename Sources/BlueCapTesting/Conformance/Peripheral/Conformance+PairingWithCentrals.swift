// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Pairing that a central begins.
    static let pairingWithCentrals: [Behaviour] = [
        Behaviour("a central pairs when the app accepts, and reads a value that needs encryption") { world in
            let (scene, requests) = try await PeripheralScene.pairable(in: world)
            async let isPaired = scene.far.pair()
            let request = try require(await requests.first { _ in true }, "the request to pair")
            try expectEqual(request.kind, .authorize, "what is asked")
            try expect(request.accept(), "it could not be accepted")
            try expect(!request.reject(), "it was answered twice")
            try expect(try await isPaired, "the central did not pair")
            try expectEqual(try await scene.read(), .success([7]), "the value")
        },
        Behaviour("a central that the app refuses to pair with does not pair") { world in
            let (scene, requests) = try await PeripheralScene.pairable(in: world)
            async let isPaired = scene.far.pair()
            let request = try require(await requests.first { _ in true }, "the request to pair")
            try expect(request.reject(), "it could not be refused")
            try expect(try await !isPaired, "the central paired")
        },
        Behaviour("a central does not pair when nobody listens to the requests to pair") { world in
            let (scene, requests) = try await PeripheralScene.pairable(listens: false, in: world)
            try expect(try await !scene.far.pair(), "the central paired")
            withExtendedLifetime(requests) {}
        },
        Behaviour("a central that paired by Just Works is refused what needs authentication") { world in
            let (scene, requests) = try await PeripheralScene.pairable(in: world)
            async let isPaired = scene.far.pair()
            try require(await requests.first { _ in true }, "the request to pair").accept()
            try expect(try await isPaired, "the central did not pair")
            if let reason = scene.far.limits.first(where: { $0.subject == .weakKey })?.error {
                return try await expectThrows(for: [reason], "the read") { try await scene.read(1) }
            }
            try expectAnswer(try await scene.read(1), .insufficientAuthentication, "the read")
            try expectAnswer(try await scene.write([8], 2), .insufficientAuthentication, "the write")
            try expectEqual(scene.local(2).value, [7], "the value")
        },
        returning(.notify, to: 3), returning(.indicate, to: 4),
        Behaviour("of two managers each is asked about its own side") { world in
            let (scene, ofCentrals) = try await PeripheralScene.pairable(in: world)
            let central = try await world.makePoweredCentral()
            let ofPeripherals = central.pairingRequests()
            // The first far device may be the far central.
            let peer = try await world.peer(1)
            let secured = TwinCharacteristic(
                .characteristic(1), properties: .read, value: [9], readSecurity: .encrypted)
            let identifier = try await peer.configure(
                Twin(name: "Peer", services: [TwinService(.service(1), characteristics: [secured])]))
            try await peer.advertise(true)
            let peripheral = try await central.sight(identifier)
            try await peripheral.connect()
            try await peripheral.discover()
            let characteristic = try peripheral.characteristic(.characteristic(1))

            async let isPaired = scene.far.pair()
            let first = try require(await ofCentrals.first { _ in true }, "the request at the peripheral manager")
            try expect(first.accept(), "it could not be accepted")
            try expect(try await isPaired, "the central did not pair")

            async let value = characteristic.read()
            let second = try require(await ofPeripherals.first { _ in true }, "the request at the central manager")
            try expectEqual(second.peer, identifier, "who wants to pair")
            try expect(second.accept(), "it could not be accepted")
            try expectEqual(try await value, [9], "the value")
            try expect(first.peer != second.peer, "both requests are about \(first.peer)")
        },
    ]

    /// The subscriptions of a bonded central outlive its connection (Core Specification, Vol 3, Part G, 3.3.3.3); that
    /// it writes them again all the same changes nothing.
    private static func returning(_ properties: CharacteristicProperties, to number: Int) -> Behaviour {
        let isIndicated = properties == .indicate
        let what = isIndicated ? "indications" : "notifications"
        return Behaviour("a bonded central that comes back and subscribes again gets \(what)") { world in
            let (scene, requests) = try await PeripheralScene.pairable(in: world)
            async let isPaired = scene.far.pair()
            try require(await requests.first { _ in true }, "the request to pair").accept()
            try expect(try await isPaired, "the central did not pair")
            let local = scene.local(number)
            local.updatePolicy = .none
            try await scene.subscribe(number, indications: isIndicated)
            try await settle("the manager knows of the subscription") { !local.subscribers.isEmpty }
            try local.update([1])
            try expectEqual(try await scene.received(number, count: 1), [[1]], "what came")

            try await scene.far.disconnect()
            try await settle("the manager knows of its end") { local.subscribers.isEmpty }
            let before = local.droppedCount
            try local.update([2])
            try expect(local.droppedCount > before, "what it could not be sent was not counted")

            let device = try await scene.far.hear { $0.localName == PeripheralScene.name }
            _ = try await scene.far.connect(to: device)
            try await scene.subscribe(number, indications: isIndicated)
            try await settle("the manager knows of its return") { !local.subscribers.isEmpty }
            for value in [3, 4] as [UInt8] { try local.update([value]) }
            try expectEqual(try await scene.received(number, count: 2), [[3], [4]], "what came after its return")
        }
    }
}

extension PeripheralScene {
    /// Served characteristics of the value 7: one needs encryption, two need authentication, one notifies, one
    /// indicates, and one may be read by all. A far central is connected to them, and the app has listened for pairing
    /// requests since before a central could connect.
    static func pairable(
        listens: Bool = true, in world: any ConformanceWorld
    ) async throws -> (PeripheralScene, AsyncStream<PairingRequest>) {
        let manager = try await world.makePoweredPeripheralManager()
        let requests = listens ? manager.pairingRequests() : AsyncStream { nil }
        let service = MutableService(uuid: .service(0))
        service.characteristics = [
            MutableCharacteristic(0, .read, permissions: [.readable, .readEncryptionRequired], value: [7]),
            MutableCharacteristic(1, .read, permissions: .readAuthenticationRequired, value: [7]),
            MutableCharacteristic(2, .write, permissions: .writeSecureConnectionsRequired, value: [7]),
            MutableCharacteristic(3, .notify), MutableCharacteristic(4, .indicate), MutableCharacteristic(5, .read),
        ]
        try await manager.add(service)
        try await manager.startAdvertising(name)
        return (try await PeripheralScene.connected(to: manager, service, in: world), requests)
    }
}
