// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Attributes that need encryption", .timeLimit(.minutes(60)))
struct PairingTests {
    private static func services() -> [VirtualService] {
        [
            VirtualService("FFF0") {
                VirtualCharacteristic(
                    "FFF1", properties: [.read, .write],
                    permissions: [.readEncryptionRequired, .writeEncryptionRequired], value: [1])
                VirtualCharacteristic("FFF2", properties: [.notify, .notifyEncryptionRequired])
            }
        ]
    }

    @Test func `are read after pairing, which takes its time once`() async throws {
        try await ConnectedWorld.run(connection: .init(interval: .milliseconds(50))) {
            Self.services()
        } _: { world in
            let first = await world.duration { #expect(await world.read("FFF1") == .success(.value([1]))) }
            let second = await world.duration { #expect(await world.read("FFF1") == .success(.value([1]))) }
            #expect(first > .milliseconds(500))
            #expect(second == .milliseconds(100))
            #expect(await world.setNotifying("FFF2", true) == .success(.done))
        }
    }

    @Test func `are refused with 0x05 when the peripheral does not pair`() async throws {
        try await ConnectedWorld.run(pairing: .refused) {
            Self.services()
        } _: { world in
            let refusal = Result<CentralReply, OperationFailure>.failure(.att(.insufficientAuthentication))
            #expect(await world.read("FFF1") == refusal)
            #expect(await world.write("FFF1", [2]) == refusal)
            #expect(await world.setNotifying("FFF2", true) == refusal)
            #expect(world.characteristic("FFF1").value == [1])
        }
    }

    @Test func `are written whole after pairing where a long value was refused at its end`() async throws {
        let refusals = Locked(1)
        try await ConnectedWorld.run {
            [
                VirtualService("FFF0") {
                    VirtualCharacteristic(
                        "FFF1", properties: [.read, .write], value: [1],
                        onWrite: { _, _ in
                            refusals.withLock { left in
                                left -= 1
                                return left < 0 ? .success(()) : .failure(.insufficientAuthentication)
                            }
                        })
                }
            ]
        } _: { world in
            #expect(await world.write("FFF1", .counting(300)) == .success(.done))
            #expect(world.characteristic("FFF1").value == .counting(300))
        }
    }

    @Test func `are refused with 0x05 when nobody answers for 30 seconds, and the question is over`() async throws {
        try await PairingWorld.run { world in
            async let outcome = world.read()
            let request = try await world.request()
            #expect(await outcome == .att(.insufficientAuthentication))
            #expect(world.radio.clock.elapsed - world.start >= .seconds(30))
            #expect(!request.isOpen)
            #expect(!request.accept())
            #expect(!world.peripheral.isBonded)
        }
    }

    @Test func `leave nothing behind when the link is lost while the app is asked`() async throws {
        try await PairingWorld.run { world in
            async let outcome = world.read()
            let request = try await world.request()
            world.tag.disconnect()
            #expect(await outcome == .disconnected)
            #expect(!request.isOpen)
            #expect(!world.peripheral.isBonded)
        }
    }

    @Test
    func `are refused with 0x0F on a new link of a peripheral that has the key and does not encrypt`() async throws {
        try await ConnectedWorld.run {
            Self.services()
        } _: { world in
            #expect(await world.read("FFF1") == .success(.value([1])))
            await world.recorder.disconnect(world.id)
            _ = await world.recorder.disconnection(of: world.id)
            world.peripheral.changePairing(to: .refused)
            #expect(await world.recorder.connect(world.id) == nil)
            #expect(await world.read("FFF1") == .failure(.att(.insufficientEncryption)))
            world.peripheral.forgetBonds()
            #expect(await world.read("FFF1") == .failure(.att(.insufficientAuthentication)))
        }
    }

    @Test func `are paired for anew on an encrypted link once the peripheral has forgotten the key`() async throws {
        try await PairingWorld.run { world in
            try await world.peripheral.pair()
            world.tag.forgetBonds()
            // The platform's word, which a manager asks for with the peripheral.
            _ = try await world.manager.retrievePeripherals(withIdentifiers: [world.peripheral.identifier])
            #expect(!world.peripheral.isBonded)
            try await world.peripheral.pair()
            #expect(world.peripheral.isBonded)
        }
    }

    private static let authenticated: [AttributePermissions] = [
        .readAuthenticationRequired, [.readEncryptionRequired, .readSecureConnectionsRequired],
    ]

    @Test(arguments: authenticated)
    func `that need authentication too are refused with 0x05 after Just Works`(_ permissions: AttributePermissions)
        async throws
    {
        try await PairingWorld.run(permissions: permissions) { world in
            try await world.peripheral.pair()
            #expect(await world.read() == .att(.insufficientAuthentication))
            await #expect(throws: CharacteristicError.att(.insufficientAuthentication)) {
                try await world.peripheral.characteristic("FFF1").startNotifying()
            }
        }
    }

    @Test(arguments: authenticated)
    func `that need authentication too are read once digits were compared, on later links as well`(
        _ permissions: AttributePermissions
    ) async throws {
        try await PairingWorld.run(.comparing, capability: .displayYesNo, permissions: permissions) { world in
            async let outcome = world.read()
            #expect(try await world.request().accept())
            #expect(await outcome == nil)
            await world.peripheral.disconnect()
            try await world.peripheral.connect(timeout: .seconds(10))
            try await world.peripheral.discover()
            #expect(await world.read() == nil)
        }
    }

    @Test func `a bond is known to every manager of the adapter that looks the peripheral up`() async throws {
        try await PairingWorld.run { world in
            try await world.peripheral.pair()
            let other = CentralManager(backend: world.radio.central(), configuration: .init(clock: world.radio.clock))
            try await other.whenPoweredOn(timeout: .seconds(1))
            let known = try await other.retrievePeripherals(withIdentifiers: [world.peripheral.identifier])
            #expect(known.first?.isBonded == true)
            await other.invalidate()
        }
    }
}
