// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime
import Testing

/// The code of the article "Pairing with digits".
@Suite("Two sides with digits", .timeLimit(.minutes(60)))
struct PairingArticleTests {
    /// A display, and a user who looks at it and types.
    private struct Digits: Sendable {
        private let shown = Mailbox<UInt32, Never>(capacity: .newest(1))
        var types = true

        func show(_ passkey: UInt32) { _ = shown.push(passkey) }
        func passkey(shownBy peer: PeerIdentifier) async -> UInt32? { types ? await shown.next() : nil }
        func sees(_ passkey: UInt32, on peer: PeerIdentifier) async -> Bool { types }
    }

    private static let uuid: BluetoothUUID = "FFF1"

    @Test(arguments: [true, false])
    func `pair when the central's user types what the peripheral shows`(types: Bool) async throws {
        try await Lab.run { lab in
            let (uuid, display) = (Self.uuid, Digits(types: types))
            let user = display
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let requests = manager.pairingRequests(capability: .displayOnly)
            let secret = MutableCharacteristic(
                uuid: uuid, properties: .read, permissions: .readAuthenticationRequired, value: [7])
            try await lab.offer(secret, on: manager)
            let central = try await lab.central()
            try await lab.during {
                for await request in requests {
                    switch request.kind {
                    case .displayPasskey(let passkey): display.show(passkey)
                    default: request.reject()
                    }
                }
            } _: {
                let requests = central.pairingRequests(capability: .keyboardDisplay)
                try await lab.during {
                    for await request in requests {
                        switch request.kind {
                        case .enterPasskey:
                            guard let passkey = await user.passkey(shownBy: request.peer) else { fallthrough }
                            request.accept(passkey: passkey)
                        default: request.reject()
                        }
                    }
                } _: {
                    let lock = try await lab.connect(central, to: Lab.service)
                    guard types else {
                        let error = await #expect(throws: PeripheralError.self) { try await lock.pair() }
                        #expect(error == .pairingFailed(.rejected))
                        return
                    }
                    try await lock.pair(timeout: .seconds(60))
                    let value = try await lock.characteristic(uuid).read()
                    #expect(value == [7] && lock.isBonded)
                }
            }
            await central.invalidate()
            await manager.invalidate()
        }
    }

    @Test(arguments: [true, false])
    func `pair when both users see the same digits`(agrees: Bool) async throws {
        try await Lab.run { lab in
            let user = Digits(types: agrees)
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let secret = MutableCharacteristic(
                uuid: Self.uuid, properties: .read, permissions: .readAuthenticationRequired, value: [7])
            let asked = manager.pairingRequests(capability: .displayYesNo)
            try await lab.offer(secret, on: manager)
            let central = try await lab.central()
            let others = central.pairingRequests(capability: .displayYesNo)
            let answer: @Sendable (AsyncStream<PairingRequest>) async -> Void = { requests in
                for await request in requests {
                    switch request.kind {
                    case .confirm(let passkey) where await user.sees(passkey, on: request.peer): request.accept()
                    default: request.reject()
                    }
                }
            }
            try await lab.during {
                async let peripheral: Void = answer(asked)
                await answer(others)
                await peripheral
            } _: {
                let lock = try await lab.connect(central, to: Lab.service)
                let value = try? await lock.characteristic(Self.uuid).read()
                #expect((value == [7]) == agrees && lock.isBonded == agrees)
            }
            await central.invalidate()
            await manager.invalidate()
        }
    }

    @Test func `pair with a virtual lock that has its passkey printed on it`() async throws {
        try await VirtualRadio.run { radio in
            let lock = VirtualPeripheral(name: "Lock", pairing: .showing) {
                VirtualService("FFF0") {
                    VirtualCharacteristic("FFF1", permissions: .readAuthenticationRequired, value: [7])
                }
            }
            lock.changePasskey(to: 123_456)
            radio.add(lock)
            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
            let requests = central.pairingRequests(capability: .keyboardDisplay)
            try await central.whenPoweredOn()
            let found = try await central.firstDiscovery(for: ["FFF0"], timeout: .seconds(5)).peripheral
            try await found.connect(timeout: .seconds(5))
            try await found.discover()
            async let paired: Void = found.pair()
            let request = try #require(await requests.first { _ in true })
            #expect(request.kind == .enterPasskey && lock.shownPasskey == 123_456)
            #expect(request.accept(passkey: 123_456))
            try await paired
            #expect(try await found.characteristic("FFF1").read() == [7])
            await central.invalidate()
        }
    }
}

extension Lab {
    /// Adds a characteristic to a manager, in a service of its own, and advertises that.
    fileprivate func offer(_ characteristic: MutableCharacteristic, on manager: PeripheralManager) async throws {
        let service = MutableService(uuid: Self.service)
        service.characteristics = [characteristic]
        try await manager.add(service)
        try await manager.startAdvertising("Ours", serviceUUIDs: [Self.service])
    }
}
