// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

@Suite("Pairing", .timeLimit(.minutes(60)))
struct PairingTests {
    @Test func `pairing returns when the backend has paired, and sets nobody else going`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.pair() }
            #expect(!call.isDone)
            await world.emit(.bondChanged(.one, true))
            await world.answer(.pair(.one), .done)
            _ = try call.get()
            #expect(peripheral.isBonded)
            #expect(await world.backend.pending.isEmpty)
        }
    }

    @Test func `without a stream a call to pair accepts Just Works for its peer, until it ends`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.pair() }
            #expect(await world.backend.pairingCapabilities == [.noInputNoOutput])
            await world.ask(1, .authorize)
            await world.ask(2, .confirm(passkey: 1))
            #expect(await world.answers(to: 1) == [.accept])
            #expect(await world.answers(to: 2) == [.reject])
            await world.answer(.pair(.one), .done)
            _ = try call.get()
            #expect(await world.backend.pairingCapabilities == [.noInputNoOutput, nil])
            await world.ask(3, .authorize)
            #expect(await world.answers(to: 3) == [.reject])
        }
    }

    @Test(arguments: [PairingFailure.rejected, .cancelled, .timeout, .failed])
    func `why two devices did not pair is told`(_ failure: PairingFailure) async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.pair() }
            await world.refuse(.pair(.one), .pairing(failure))
            #expect(call.error as? PeripheralError == .pairingFailed(failure))
        }
    }

    @Test func `pairing that takes too long is given up and taken back`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.pair(timeout: .seconds(5)) }
            await world.advance(by: .seconds(5))
            #expect(call.error as? PeripheralError == .pairingTimeout)
            #expect(await world.backend.pending == [.pair(.one), .cancelPairing(.one)])
        }
    }

    @Test func `pairing whose task is cancelled is taken back`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.pair() }
            await world.cancel(call)
            #expect(call.error as? PeripheralError == .cancelled)
            #expect(await world.backend.pending == [.pair(.one), .cancelPairing(.one)])
        }
    }

    @Test
    func `pairing that another task waits for, too, is not taken back by the cancellation of one`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let first = await world.start { try await peripheral.pair() }
            let second = await world.start { try await peripheral.pair() }
            await world.cancel(first)
            #expect(await world.backend.pending == [.pair(.one)])
            // The second sends its own request once the first one's pairing is over, and gets the answer that there is
            // a bond.
            await world.answer(.pair(.one), .done)
            await world.answer(.pair(.one), .done)
            _ = try second.get()
            #expect(await world.backend.count(.perform(.cancelPairing(.one))) == 0)
        }
    }

    @Test func `a task that is cancelled before it pairs takes back nobody's pairing`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try await peripheral.pair()
            }
            #expect(call.error as? PeripheralError == .cancelled)
            #expect(await world.backend.pending.isEmpty)
        }
    }

    @Test func `pairing ends with the connection`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.pair() }
            await world.lose(peripheral)
            #expect(call.error as? PeripheralError == .disconnected)
        }
    }

    @Test func `taking back goes past the pairing that is under way`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let pairing = await world.start { try await peripheral.pair() }
            let cancelling = await world.start { await peripheral.cancelPairing() }
            #expect(await world.backend.pending == [.pair(.one), .cancelPairing(.one)])
            await world.refuse(.pair(.one), .pairing(.cancelled))
            await world.answer(.cancelPairing(.one), .done)
            #expect(pairing.error as? PeripheralError == .pairingFailed(.cancelled))
            #expect(cancelling.isDone)
        }
    }

    @Test func `a bond is removed after the connection has ended`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            await world.emit(.bondChanged(.one, true))
            let call = await world.start { try await peripheral.removeBond() }
            #expect(await world.backend.pending.isEmpty)
            await world.emit(.disconnected(.one, nil))
            #expect(peripheral.isBonded)
            await world.answer(.removeBond(.one), .done)
            _ = try call.get()
            #expect(!peripheral.isBonded)
        }
    }

    @Test func `the bond of a peripheral that is removed meanwhile is not touched`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            await world.emit(.bondChanged(.one, true))
            let call = await world.start { try await peripheral.removeBond() }
            await world.emit(.disconnected(.one, nil))
            await world.central.removePeripheral(withIdentifier: .one)
            await world.answer(.removeBond(.one), .done)
            _ = try call.get()
            #expect(peripheral.isBonded)
        }
    }

    @Test func `what the app has rejected is told as that, whatever the platform calls it`() async throws {
        try await World.run { world in
            let requests = world.central.pairingRequests()
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.pair() }
            await world.ask(1, .confirm(passkey: 7))
            try #require(await requests.first { _ in true }).reject()
            await world.refuse(.pair(.one), .pairing(.failed))
            #expect(call.error as? PeripheralError == .pairingFailed(.rejected))
            // The next pairing is another.
            let next = await world.start { try await peripheral.pair() }
            await world.refuse(.pair(.one), .pairing(.failed))
            #expect(next.error as? PeripheralError == .pairingFailed(.failed))
        }
    }
}
