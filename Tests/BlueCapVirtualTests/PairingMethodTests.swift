// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapVirtual

@Suite("Two sides that pair", .timeLimit(.minutes(60)))
struct PairingMethodTests {
    /// Core Specification, Vol 3, Part H, table 2.8: by the peripheral's capability, for each of the central's in the
    /// order displayOnly, displayYesNo, keyboardOnly, noInputNoOutput, keyboardDisplay. J is Just Works, N numeric
    /// comparison, and a passkey is typed by the central (C), the peripheral (P) or both (B).
    private static let table: [(PairingCapability, String)] = [
        (.displayOnly, "JJCJC"), (.displayYesNo, "JNCJN"), (.keyboardOnly, "PPBJP"), (.noInputNoOutput, "JJJJJ"),
        (.keyboardDisplay, "PNCJN"),
    ]

    @Test(arguments: table)
    func `do so as the specification's table says`(_ peripheral: PairingCapability, _ expected: String) {
        let centrals: [PairingCapability] = [
            .displayOnly, .displayYesNo, .keyboardOnly, .noInputNoOutput, .keyboardDisplay,
        ]
        let methods = centrals.map { central in
            switch PairingMethod(central: central, peripheral: peripheral) {
            case .justWorks: "J"
            case .comparison: "N"
            case .passkey(true, true): "B"
            case .passkey(true, false): "C"
            case .passkey(false, _): "P"
            }
        }
        #expect(methods.joined() == expected)
    }

    @Test func `are bonded when the app types the passkey that the peripheral shows`() async throws {
        try await PairingWorld.run(.showing, capability: .keyboardOnly) { world in
            async let failure = world.pairing()
            let request = try await world.request()
            #expect(request.kind == .enterPasskey)
            #expect(request.accept(passkey: try #require(world.tag.shownPasskey)))
            #expect(await failure == nil)
            #expect(world.peripheral.isBonded)
            #expect(world.tag.shownPasskey == nil)
        }
    }

    @Test func `are bonded by the passkey that is printed on the peripheral, each time`() async throws {
        try await PairingWorld.run(
            .showing, capability: .keyboardOnly, permissions: .readAuthenticationRequired
        ) { world in
            world.tag.changePasskey(to: 12_345)
            for _ in 0..<2 {
                async let failure = world.pairing()
                let request = try await world.request()
                #expect(world.tag.shownPasskey == 12_345)
                #expect(request.accept(passkey: 12_345))
                #expect(await failure == nil)
                #expect(await world.read() == nil)
                try await world.peripheral.removeBond()
                world.tag.forgetBonds()
                try await world.peripheral.connect(timeout: .seconds(10))
                try await world.peripheral.discover()
            }
            // More digits than six are none.
            world.tag.changePasskey(to: 1_000_000)
            async let failure = world.pairing()
            let request = try await world.request()
            let shown = try #require(world.tag.shownPasskey)
            #expect(shown != 12_345 && shown <= 999_999)
            request.reject()
            #expect(await failure != nil)
        }
    }

    @Test(arguments: [(VirtualPairing.justWorks, false), (.comparing, true), (.showing, true), (.typing, true)])
    func `have keys from before that are as good as the peripheral's way of pairing`(
        pairing: VirtualPairing, isAuthenticated: Bool
    ) async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let service = VirtualService("FFF0") {
                VirtualCharacteristic("FFF1", permissions: .readAuthenticationRequired, value: [1])
            }
            let tag = VirtualPeripheral(name: "Tag", pairing: pairing, services: [service])
            radio.add(tag)
            let manager = CentralManager(backend: radio.central())
            try await manager.whenPoweredOn(timeout: .seconds(1))
            tag.bond(with: radio.adapter())
            let peripheral = try await manager.firstDiscovery(timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            try await peripheral.discover()
            let value = try? await peripheral.characteristic("FFF1").read()
            #expect((value == [1]) == isAuthenticated)
            await manager.invalidate()
        }
    }

    @Test func `are not when the app types another`() async throws {
        try await PairingWorld.run(.showing, capability: .keyboardOnly) { world in
            async let failure = world.pairing()
            let request = try await world.request()
            let shown = try #require(world.tag.shownPasskey)
            #expect(request.accept(passkey: (shown + 1) % 1_000_000))
            #expect(await failure == .pairingFailed(.failed))
            #expect(!world.peripheral.isBonded)
        }
    }

    @Test
    func `are bonded when the peripheral's user types the passkey that the app shows, and it is to be shown no more`()
        async throws
    {
        try await PairingWorld.run(.typing, capability: .displayOnly) { world in
            async let failure = world.pairing()
            let request = try await world.request()
            let passkey = try #require(request.kind.shownPasskey)
            #expect(request.isOpen)
            world.tag.typePasskey(passkey)
            #expect(await failure == nil)
            #expect(world.peripheral.isBonded)
            #expect(!request.isOpen)
        }
    }

    @Test func `are not when the peripheral's user types another`() async throws {
        try await PairingWorld.run(.typing, capability: .displayOnly) { world in
            async let failure = world.pairing()
            let request = try await world.request()
            let passkey = try #require(request.kind.shownPasskey)
            world.tag.typePasskey((passkey + 1) % 1_000_000)
            #expect(await failure == .pairingFailed(.failed))
            #expect(!request.isOpen)
            #expect(!world.peripheral.isBonded)
        }
    }

    @Test func `are bonded when the same passkey is typed at both`() async throws {
        try await PairingWorld.run(.typing, capability: .keyboardOnly) { world in
            world.tag.typePasskey(7)
            async let failure = world.pairing()
            let request = try await world.request()
            #expect(request.kind == .enterPasskey)
            #expect(request.accept(passkey: 7))
            #expect(await failure == nil)
            #expect(world.peripheral.isBonded)
        }
    }

    @Test func `show the same digits to compare`() async throws {
        try await PairingWorld.run(.comparing, capability: .keyboardDisplay) { world in
            async let failure = world.pairing()
            let request = try await world.request()
            #expect(request.kind == .confirm(passkey: try #require(world.tag.shownPasskey)))
            request.accept()
            #expect(await failure == nil)
        }
    }

    @Test func `forget the passkey when pairing is taken back, and begin anew with another`() async throws {
        try await PairingWorld.run(.showing, capability: .keyboardOnly) { world in
            async let failure = world.pairing()
            let request = try await world.request()
            #expect(world.tag.shownPasskey != nil)
            await world.peripheral.cancelPairing()
            #expect(await failure == .pairingFailed(.cancelled))
            #expect(world.tag.shownPasskey == nil)
            #expect(!request.isOpen)
            async let second = world.pairing()
            let next = try await world.request()
            next.accept(passkey: try #require(world.tag.shownPasskey))
            #expect(await second == nil)
        }
    }

    @Test func `may be two apps, of which one shows the passkey that the other types`() async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let serving = PeripheralManager(
                backend: radio.peripheral(), configuration: .init(clock: radio.clock))
            let shown = serving.pairingRequests(capability: .displayOnly)
            try await serving.whenPoweredOn(timeout: .seconds(1))
            try await serving.startAdvertising("Ours")
            let central = CentralManager(
                backend: radio.central(address: "00:00:5E:00:54:01"), configuration: .init(clock: radio.clock))
            let typed = central.pairingRequests(capability: .keyboardDisplay)
            try await central.whenPoweredOn(timeout: .seconds(1))
            let peripheral = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            async let paired: Void = peripheral.pair()
            let display = try #require(await shown.first { _ in true })
            let entry = try #require(await typed.first { _ in true })
            let passkey = try #require(display.kind.shownPasskey)
            #expect(entry.kind == .enterPasskey)
            entry.accept(passkey: passkey)
            try await paired
            #expect(peripheral.isBonded)
            #expect(!display.isOpen)
            await central.invalidate()
            await serving.invalidate()
        }
    }
}
