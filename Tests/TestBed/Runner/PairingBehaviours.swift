// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation

/// Pairing by digits, in both roles, and the fate of an agent when bluetoothd ends: only bluetoothd itself shows these.
enum PairingBehaviours {
    static let all: [DaemonBehaviour] = [
        DaemonBehaviour("pairing by a passkey that the peer shows and the app types") { world in
            let scene = try await PasskeyScene(world, capability: .displayOnly, listening: .keyboardOnly)
            async let paired: Void = scene.peripheral.pair()
            let request = try await first(of: scene.requests)
            guard request.kind == .enterPasskey else { throw ConformanceFailure("what is asked is \(request.kind)") }
            guard !request.accept(), !request.accept(passkey: 1_000_000) else {
                throw ConformanceFailure("something that is no passkey was accepted")
            }
            request.accept(passkey: try await scene.shownPasskey())
            try await paired
            try await scene.expectBonded()
        },
        DaemonBehaviour("pairing by a passkey fails when the app types another") { world in
            let scene = try await PasskeyScene(world, capability: .displayOnly, listening: .keyboardOnly)
            async let outcome = scene.pairing()
            let request = try await first(of: scene.requests)
            request.accept(passkey: (try await scene.shownPasskey() + 1) % 1_000_000)
            guard case .pairingFailed(.failed) = await outcome else {
                throw ConformanceFailure("pairing ended with \(String(describing: await outcome))")
            }
        },
        DaemonBehaviour("pairing by a passkey that the app shows and the peer's user types") { world in
            let scene = try await PasskeyScene(world, capability: .keyboardOnly, listening: .displayOnly)
            async let paired: Void = scene.peripheral.pair()
            let request = try await first(of: scene.requests)
            guard case .displayPasskey(let passkey) = request.kind, request.isOpen else {
                throw ConformanceFailure("what is asked is \(request.kind)")
            }
            try await scene.type(passkey)
            try await paired
            if request.isOpen { throw ConformanceFailure("the passkey is still to be shown") }
            try await scene.expectBonded()
        },
        // Reading first does not lead there: bluetoothd pairs by Just Works, and the second refusal is never answered.
        DaemonBehaviour("a value that needs an authenticated link is read once both sides have shown the same digits") {
            world in
            let scene = try await PasskeyScene(
                world, capability: .displayYesNo, listening: .displayYesNo, security: .authenticated)
            async let paired: Void = scene.peripheral.pair()
            let request = try await first(of: scene.requests)
            guard case .confirm(let passkey) = request.kind, try await scene.shownPasskey() == passkey else {
                throw ConformanceFailure("the two sides do not show the same: \(request.kind)")
            }
            request.accept()
            try await paired
            try await scene.expectBonded()
        },
        DaemonBehaviour("an agent is registered anew when bluetoothd was restarted") { world in
            let central = try await world.makeCentral()
            try await central.whenPoweredOn()
            let requests = central.pairingRequests()
            try await withEventRecorder(of: central.states()) { states in
                try await world.killDaemon()
                try await states.wait(for: .resetting)
                try await world.startDaemon()
                try await states.wait { $0.last == .poweredOn && $0.contains(.resetting) }
            }
            let scene = try await PasskeyScene(world, capability: .noInputNoOutput, central: central)
            async let value = scene.characteristic.read()
            try await first(of: requests).accept()
            guard try await value == [7] else { throw ConformanceFailure("the value is another") }
            try await scene.expectBonded()
        },
        DaemonBehaviour("a read that needs encryption pairs unasked when Just Works was accepted beforehand") { world in
            let central = try await world.makeCentral(.init(acceptsJustWorks: true))
            let scene = try await PasskeyScene(world, capability: .noInputNoOutput, central: central)
            guard try await scene.characteristic.read() == [7] else { throw ConformanceFailure("the value is another") }
            try await scene.expectBonded()
        },
        DaemonBehaviour("a central pairs once both sides have shown the same digits and the app has confirmed them") {
            world in
            let scene = try await ServingScene(world, capability: .displayYesNo, far: .displayYesNo)
            async let isPaired = scene.far.pair()
            let request = try await first(of: scene.requests)
            guard case .confirm(let passkey) = request.kind, try await world.shownPasskey() == passkey else {
                throw ConformanceFailure("the two sides do not show the same: \(request.kind)")
            }
            request.accept()
            guard try await isPaired else { throw ConformanceFailure("the central did not pair") }
            let answer = try await scene.read()
            guard answer == .success([7]) else { throw ConformanceFailure("the central got \(answer)") }
        },
        DaemonBehaviour("a central does not pair when the app says that the digits differ") { world in
            let scene = try await ServingScene(world, capability: .displayYesNo, far: .displayYesNo)
            async let isPaired = scene.far.pair()
            let request = try await first(of: scene.requests)
            guard case .confirm = request.kind else { throw ConformanceFailure("what is asked is \(request.kind)") }
            request.reject()
            guard try await !isPaired else { throw ConformanceFailure("the central paired") }
        },
        DaemonBehaviour("a central pairs by a passkey that it shows and the app types") { world in
            let scene = try await ServingScene(world, capability: .keyboardOnly, far: .displayOnly)
            async let isPaired = scene.far.pair()
            let request = try await first(of: scene.requests)
            guard request.accept(passkey: try await world.shownPasskey()) else {
                throw ConformanceFailure("what is asked is \(request.kind)")
            }
            guard try await isPaired else { throw ConformanceFailure("the central did not pair") }
        },
        DaemonBehaviour("a central pairs by a passkey that the app shows and the central's user types") { world in
            let scene = try await ServingScene(world, capability: .displayOnly, far: .keyboardOnly)
            async let isPaired = scene.far.pair()
            let request = try await first(of: scene.requests)
            guard case .displayPasskey(let passkey) = request.kind else {
                throw ConformanceFailure("what is asked is \(request.kind)")
            }
            try await world.type(passkey)
            guard try await isPaired else { throw ConformanceFailure("the central did not pair") }
        },
        DaemonBehaviour("a central that is not paired is refused a value that needs encryption") { world in
            let scene = try await ServingScene(world, capability: .noInputNoOutput, far: .noInputNoOutput)
            let answer = try await scene.read()
            guard [.failure(.insufficientEncryption), .failure(.insufficientAuthentication)].contains(answer) else {
                throw ConformanceFailure("the central got \(answer)")
            }
        },
        authenticated(.readAuthenticationRequired), authenticated(.readSecureConnectionsRequired),
    ]

    private static func authenticated(_ permissions: AttributePermissions) -> DaemonBehaviour {
        DaemonBehaviour("a central that paired by comparison is given a value with \(permissions), and no other") {
            world in
            let scene = try await ServingScene(world, permissions, capability: .displayYesNo, far: .displayYesNo)
            let refused = try await scene.read()
            guard refused == .failure(.insufficientAuthentication) else {
                throw ConformanceFailure("the central got \(refused) before it paired")
            }
            async let isPaired = scene.far.pair()
            try await first(of: scene.requests).accept()
            guard try await isPaired else { throw ConformanceFailure("the central did not pair") }
            let answer = try await scene.read()
            guard answer == .success([7]) else { throw ConformanceFailure("the central got \(answer)") }
        }
    }

    private static func first(of requests: AsyncStream<PairingRequest>) async throws -> PairingRequest {
        guard let request = await requests.first(where: { _ in true }) else {
            throw ConformanceFailure("no request to pair came")
        }
        return request
    }
}

/// A connected peer with a pairing capability and one characteristic of the value 7 that needs encryption, and the
/// pairing requests of an app that listened before it connected.
private struct PasskeyScene: Sendable {
    let world: BedWorld
    let central: CentralManager
    let requests: AsyncStream<PairingRequest>
    let peripheral: Peripheral
    let characteristic: Characteristic

    init(
        _ world: BedWorld, capability: PairingCapability, listening: PairingCapability? = nil,
        security: TwinSecurity = .encrypted, central given: CentralManager? = nil
    ) async throws {
        self.world = world
        if let given { central = given } else { central = try await world.makeCentral() }
        try await central.whenPoweredOn()
        requests = listening.map { [central] in central.pairingRequests(capability: $0) } ?? AsyncStream { nil }
        let peer = try await world.peer(0)
        let secured = TwinCharacteristic("2A19", properties: .read, value: [7], readSecurity: security)
        let service = TwinService("B1EC0000-5EED-4000-B000-00805F9B34FB", characteristics: [secured])
        let identifier = try await peer.configure(
            Twin(name: "Peer", services: [service]), pairing: PeerPairing(capability: capability))
        try await peer.advertise(true)
        peripheral = try await central.firstDiscovery(options: ScanOptions(addressPrefix: identifier.text)).peripheral
        try await peripheral.connect()
        try await peripheral.discover()
        characteristic = try peripheral.characteristic("2A19")
    }

    /// The passkey that the peer shows.
    func shownPasskey() async throws -> UInt32 { try await world.shownPasskey() }

    func type(_ passkey: UInt32) async throws { try await world.type(passkey) }

    /// The error of pairing; nil if it succeeded.
    func pairing() async -> PeripheralError? {
        do {
            try await peripheral.pair()
            return nil
        } catch { return error }
    }

    func expectBonded() async throws {
        guard peripheral.isBonded else { throw ConformanceFailure("it is not bonded") }
        guard try await characteristic.read() == [7] else { throw ConformanceFailure("the value is another") }
    }
}
/// A served characteristic of the value 7 that needs encryption, found by a far central, and the pairing requests of an
/// app with the given capability.
private struct ServingScene: Sendable {
    let far: BedCentral
    let requests: AsyncStream<PairingRequest>
    private let characteristic: AttributeID

    init(
        _ world: BedWorld, _ permissions: AttributePermissions = .readEncryptionRequired,
        capability: PairingCapability, far: PairingCapability
    ) async throws {
        let manager = try await world.makePeripheralManager()
        requests = manager.pairingRequests(capability: capability)
        try await manager.whenPoweredOn()
        let service = MutableService(uuid: "FFF0")
        service.characteristics = [
            MutableCharacteristic(uuid: "FFF1", properties: .read, permissions: permissions, value: [7])
        ]
        try await manager.add(service)
        try await manager.startAdvertising("Ours")
        self.far = try await world.makeFarCentral(0, pairing: PeerPairing(capability: far))
        let found = try await self.far.connect(to: try await self.far.hear { $0.localName == "Ours" })
        guard let remote = found.flatMap(\.characteristics).first(where: { $0.uuid == "FFF1" }) else {
            throw ConformanceFailure("the characteristic was not found")
        }
        characteristic = remote.id
    }

    func read() async throws -> Result<Bytes, ATTError> { try await far.read(characteristic) }
}

extension BedWorld {
    /// The passkey that the first far device shows in pairing, as soon as it shows one.
    fileprivate func shownPasskey() async throws -> UInt32 {
        struct Answer: Decodable { let passkey: UInt32 }
        return try JSONDecoder().decode(Answer.self, from: try await request("shown_passkey")).passkey
    }

    /// Its user types a passkey.
    fileprivate func type(_ passkey: UInt32) async throws {
        try await request("type_passkey", ["passkey": .int(Int(passkey))])
    }
}
#endif
