// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Pairing from the central's side.
    static let pairing: [Behaviour] = pairingForValues + pairingOnDemand

    /// Pairing that a request to a characteristic begins.
    private static let pairingForValues: [Behaviour] = [
        Behaviour("a read that needs encryption has the app asked, and is answered when it agrees to pair") { world in
            let scene = try await Scene.secured(in: world)
            let requests = scene.central.pairingRequests()
            let characteristic = try scene.characteristic()
            async let value = characteristic.read()
            let request = try require(await requests.first { _ in true }, "the request to pair")
            try expectEqual(request.peer, scene.peripheral.identifier, "who wants to pair")
            try expectEqual(request.kind, .authorize, "what is asked")
            try expect(request.accept(), "it could not be accepted")
            try expect(!request.reject(), "it was answered twice")
            try expectEqual(try await value, [7], "the value")
            try expect(scene.peripheral.isBonded, "it is not bonded")
            try await characteristic.write([8])
            try expectEqual(try await characteristic.read(), [8], "the value written over the encrypted link")
        },
        Behaviour("a write that needs encryption has the app asked, and is done when it agrees to pair") { world in
            let scene = try await Scene.secured(in: world)
            let requests = scene.central.pairingRequests()
            let characteristic = try scene.characteristic()
            async let written: Void = characteristic.write([8])
            try require(await requests.first { _ in true }, "the request to pair").accept()
            try await written
            try expectEqual(try await scene.peer.value(of: PeerAttribute()), [8], "the value at the peer")
            try expect(scene.peripheral.isBonded, "it is not bonded")
        },
        Behaviour("a read that needs encryption fails when the app refuses to pair") { world in
            let scene = try await Scene.secured(in: world)
            let requests = scene.central.pairingRequests()
            async let outcome = scene.reading()
            let request = try require(await requests.first { _ in true }, "the request to pair")
            try expect(request.reject(), "it could not be refused")
            try expectInsecure(await outcome)
            try expect(!scene.peripheral.isBonded, "it is bonded")
        },
        Behaviour("a read that needs encryption fails when the request to pair is released unanswered") { world in
            let scene = try await Scene.secured(in: world)
            let requests = scene.central.pairingRequests()
            async let outcome = scene.reading()
            do { _ = try require(await requests.first { _ in true }, "the request to pair") }
            try expectInsecure(await outcome)
            try expect(!scene.peripheral.isBonded, "it is bonded")
        },
        Behaviour("after a refusal to pair the peer can be connected to again, and pairs") { world in
            let scene = try await Scene.secured(in: world)
            let requests = scene.central.pairingRequests()
            async let outcome = scene.reading()
            try require(await requests.first { _ in true }, "the first request to pair").reject()
            try expectInsecure(await outcome)
            await scene.peripheral.disconnect()
            try await scene.reconnect()
            try await scene.peripheral.discover()
            let characteristic = try scene.characteristic()
            async let value = characteristic.read()
            try require(await requests.first { _ in true }, "the second request to pair").accept()
            try expectEqual(try await value, [7], "the value")
        },
    ]

    /// Pairing that the app begins.
    private static let pairingOnDemand: [Behaviour] = [
        Behaviour("a central that pairs is bonded without being asked about Just Works") { world in
            let scene = try await Scene.secured(in: world)
            let requests = scene.central.pairingRequests()
            try expect(!scene.peripheral.isBonded, "it was bonded before")
            try await scene.peripheral.pair()
            try expect(scene.peripheral.isBonded, "it is not bonded")
            try expectEqual(try await scene.characteristic().read(), [7], "the value")
            // Pairing with a paired peer is done at once.
            try await scene.peripheral.pair()
            withExtendedLifetime(requests) {}
        },
        Behaviour("two sides that can compare digits pair when the app says that they are the same") { world in
            let (scene, requests) = try await Scene.comparing(in: world)
            async let outcome = scene.pairing()
            let request = try require(await requests.first { _ in true }, "the request to compare")
            guard case .confirm(let passkey) = request.kind else {
                throw ConformanceFailure("what is asked is \(request.kind)")
            }
            try expect(passkey <= 999_999, "the passkey has more than six digits")
            try expect(request.accept(), "it could not be confirmed")
            try await outcome.get()
            try expect(scene.peripheral.isBonded, "it is not bonded")
            try expectEqual(try await scene.characteristic().read(), [7], "the value")
        },
        Behaviour("pairing is not weaker than what the app can do, which listens only after it connected") { world in
            let scene = try await Scene.secured(.displayYesNo, in: world)
            let requests = scene.central.pairingRequests(capability: .displayYesNo)
            async let asked: PairingRequest.Kind? = {
                for await request in requests {
                    request.accept()
                    return request.kind
                }
                return nil
            }()
            let outcome = await scene.pairing()
            // A platform that fixes the app's capability at the connection throws an error instead.
            if case .failure(PeripheralError.backend) = outcome {
                try expect(!scene.peripheral.isBonded, "it is bonded although pairing failed")
            } else {
                try outcome.get()
                guard case .confirm = await asked else {
                    throw ConformanceFailure("nothing was compared")
                }
            }
        },
        Behaviour("two sides that can compare digits do not pair when the app says that they differ") { world in
            let (scene, requests) = try await Scene.comparing(in: world)
            async let outcome = scene.pairing()
            try require(await requests.first { _ in true }, "the request to compare").reject()
            try expectFailure(await outcome, PeripheralError.pairingFailed(.rejected), "pairing")
            try expect(!scene.peripheral.isBonded, "it is bonded")
        },
        Behaviour("pairing that is taken back throws, and its request is over") { world in
            let (scene, requests) = try await Scene.comparing(in: world)
            async let outcome = scene.pairing()
            let request = try require(await requests.first { _ in true }, "the request to compare")
            await scene.peripheral.cancelPairing()
            try expectFailure(await outcome, PeripheralError.pairingFailed(.cancelled), "pairing")
            try expect(!request.isOpen, "the request is still open")
            try expect(!request.accept(), "it was accepted after its end")
            try expect(!scene.peripheral.isBonded, "it is bonded")
        },
        Behaviour("taking a pairing back when none is under way keeps the bond and the connection") { world in
            let scene = try await Scene.secured(in: world)
            let requests = scene.central.pairingRequests()
            try await scene.peripheral.pair()
            await scene.peripheral.cancelPairing()
            // A link that goes takes a moment.
            for _ in 0..<5 { try expectEqual(try await scene.characteristic().read(), [7], "the value") }
            try expect(scene.peripheral.isBonded, "it is not bonded")
            withExtendedLifetime(requests) {}
        },
        Behaviour("pairing with a peer that refuses throws, and leaves no bond") { world in
            let scene = try await Scene.secured(accepts: false, in: world)
            let requests = scene.central.pairingRequests()
            try expectFailure(await scene.pairing(), PeripheralError.pairingFailed(.failed), "pairing")
            try expect(!scene.peripheral.isBonded, "it is bonded")
            withExtendedLifetime(requests) {}
        },
        Behaviour("a call to pair is the consent to Just Works, without a stream of requests") { world in
            let scene = try await Scene.secured(in: world)
            try await scene.peripheral.pair()
            try expect(scene.peripheral.isBonded, "it is not bonded")
            try expectEqual(try await scene.characteristic().read(), [7], "the value")
        },
        Behaviour("a bond that is removed ends the connection and is forgotten") { world in
            let scene = try await Scene.secured(in: world)
            let requests = scene.central.pairingRequests()
            try await scene.peripheral.pair()
            try await scene.peripheral.removeBond()
            try expect(!scene.peripheral.isBonded, "it is bonded")
            try expectEqual(scene.peripheral.state, .disconnected, "the state")
            let sighted = try await scene.central.sight(scene.peripheral.identifier)
            try expect(!sighted.isBonded, "it is bonded when sighted again")
            withExtendedLifetime(requests) {}
        },
        Behaviour("pairing needs a connection") { world in
            let scene = try await Scene.sighted(Twin(name: "Peer"), in: world)
            try expectFailure(await scene.pairing(), PeripheralError.disconnected, "pairing")
        },
    ]

    /// A refused read gives the reason, with any of the codes that the platform has for it.
    private static func expectInsecure(_ outcome: Result<Bytes, any Error>) throws {
        switch outcome {
        case .failure(CharacteristicError.att(.insufficientAuthentication)),
            .failure(CharacteristicError.att(.insufficientEncryption)):
            break
        default: throw ConformanceFailure("reading gave \(outcome)")
        }
    }
}

extension Scene {
    /// A connected peer with one discovered characteristic of the value 7 that needs encryption.
    fileprivate static func secured(
        _ capability: PairingCapability = .noInputNoOutput, accepts: Bool = true, in world: any ConformanceWorld
    ) async throws -> Scene {
        try await discovered(secured, pairing: PeerPairing(capability: capability, accepts: accepts), in: world)
    }

    private static var secured: Twin {
        let characteristic = TwinCharacteristic(
            .characteristic(0), properties: [.read, .write], value: [7], readSecurity: .encrypted,
            writeSecurity: .encrypted)
        return Twin(name: "Peer", services: [TwinService(.service(0), characteristics: [characteristic])])
    }

    /// The same with a peer that can compare digits, and the pairing requests of an app that declared the same
    /// capability before it connected.
    fileprivate static func comparing(
        in world: any ConformanceWorld
    ) async throws -> (Scene, AsyncStream<PairingRequest>) {
        let scene = try await sighted(secured, pairing: PeerPairing(capability: .displayYesNo), in: world)
        let requests = scene.central.pairingRequests(capability: .displayYesNo)
        try await scene.peripheral.connect()
        try await scene.peripheral.discover()
        return (scene, requests)
    }

    /// Returns the outcome of pairing.
    fileprivate func pairing() async -> Result<Void, any Error> {
        do { return .success(try await peripheral.pair()) } catch { return .failure(error) }
    }

    /// Returns the outcome of reading the characteristic.
    fileprivate func reading() async -> Result<Bytes, any Error> {
        do { return .success(try await characteristic().read()) } catch { return .failure(error) }
    }
}
