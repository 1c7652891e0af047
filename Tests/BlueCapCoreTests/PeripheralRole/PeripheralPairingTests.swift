// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Pairing of the peripheral role", .timeLimit(.minutes(60)))
struct PeripheralPairingTests {
    private static let prompt = PairingPrompt(
        id: PairingPromptID(rawValue: 1), peer: .one, kind: .authorize)

    @Test func `a request is answered once, and tells who asks`() async throws {
        try await PeripheralWorld.run { world in
            let requests = world.manager.pairingRequests()
            await world.idle()
            await world.emit(.pairingRequested(Self.prompt))
            let request = try #require(await requests.first { _ in true })
            #expect(request.peer == .one)
            #expect(request.accept())
            #expect(!request.reject())
            await world.idle()
            #expect(
                await world.backend.pairingCalls == [
                    .setPairingCapability(.noInputNoOutput), .answerPairing(Self.prompt.id, .accept),
                ])
        }
    }

    @Test func `without a stream a request is rejected`() async throws {
        try await PeripheralWorld.run { world in
            await world.emit(.pairingRequested(Self.prompt))
            #expect(await world.backend.pairingCalls == [.answerPairing(Self.prompt.id, .reject)])
        }
    }

    @Test func `a manager that is ended rejects what is open and has the platform ask no more`() async throws {
        try await PeripheralWorld.run { world in
            let requests = world.manager.pairingRequests(capability: .displayYesNo)
            await world.idle()
            await world.emit(.pairingRequested(Self.prompt))
            await world.manager.invalidate()
            await world.idle()
            #expect(
                await world.backend.pairingCalls == [
                    .setPairingCapability(.displayYesNo), .answerPairing(Self.prompt.id, .reject),
                    .setPairingCapability(nil),
                ])
            withExtendedLifetime(requests) {}
        }
    }
}
