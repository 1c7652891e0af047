// SPDX-License-Identifier: MIT

import BlueCapSerDe
import BlueCapTestExecutor
import Testing

@testable import BlueCapCore

@Suite("Requests to pair", .timeLimit(.minutes(60)))
struct PairingRequestTests {
    private static let first = PairingPromptID(rawValue: 1)

    @Test func `each kind of answer reaches the backend`() async throws {
        try await World.run { world in
            let requests = await world.requests(.keyboardDisplay)
            let kinds: [(PairingRequest.Kind, PairingAnswer)] = [
                (.confirm(passkey: 1), .accept), (.enterPasskey, .passkey(999_999)), (.authorize, .accept),
                (.authorizeService("180D"), .accept),
            ]
            for (number, (kind, answer)) in kinds.enumerated() {
                let request = try await world.request(UInt64(number), kind, from: requests)
                #expect(request.kind == kind)
                #expect(request.peer == .one)
                #expect(request.isOpen)
                #expect(kind == .enterPasskey ? request.accept(passkey: 999_999) : request.accept())
                #expect(!request.isOpen)
                #expect(await world.answers(to: UInt64(number)) == [answer])
            }
        }
    }

    @Test func `only the first answer counts`() async throws {
        try await World.run { world in
            let requests = await world.requests()
            let request = try await world.request(1, .authorize, from: requests)
            #expect(request.accept())
            #expect(!request.accept())
            #expect(!request.reject())
            #expect(await world.answers(to: 1) == [.accept])
        }
    }

    @Test func `a request that is released without an answer is rejected, once`() async throws {
        try await World.run { world in
            let requests = await world.requests()
            do { _ = try await world.request(1, .authorize, from: requests) }
            #expect(await world.answers(to: 1) == [.reject])
        }
    }

    @Test func `what is no passkey answers nothing`() async throws {
        try await World.run { world in
            let requests = await world.requests(.keyboardOnly)
            let request = try await world.request(1, .enterPasskey, from: requests)
            #expect(!request.accept())
            #expect(!request.accept(passkey: 1_000_000))
            #expect(request.isOpen)
            #expect(await world.answers(to: 1) == [])
        }
    }

    @Test func `what is shown takes no answer, and is over when the platform says so`() async throws {
        try await World.run { world in
            let requests = await world.requests(.displayOnly)
            let request = try await world.request(1, .displayPasskey(7), from: requests)
            #expect(!request.accept())
            #expect(!request.reject())
            #expect(request.isOpen)
            await world.emit(.pairingRequestEnded(Self.first))
            #expect(!request.isOpen)
            #expect(await world.answers(to: 1) == [])
        }
    }

    @Test func `a request that the platform took back takes no answer`() async throws {
        try await World.run { world in
            let requests = await world.requests()
            let request = try await world.request(1, .authorize, from: requests)
            await world.emit(.pairingRequestEnded(Self.first))
            #expect(!request.isOpen)
            #expect(!request.accept())
            #expect(await world.answers(to: 1) == [])
        }
    }

    @Test func `a request outlives its stream, and with it the app's readiness to be asked`() async throws {
        try await World.run { world in
            var requests: AsyncStream<PairingRequest>? = await world.requests()
            let request = try await world.request(1, .authorize, from: try #require(requests))
            requests = nil
            await world.idle()
            #expect(await world.backend.pairingCapabilities == [.noInputNoOutput])
            #expect(request.accept())
            #expect(await world.answers(to: 1) == [.accept])
            #expect(await world.backend.pairingCapabilities == [.noInputNoOutput, nil])
        }
    }

    @Test func `what is shown outlives its stream, too, until the platform says that it is over`() async throws {
        try await World.run { world in
            var requests: AsyncStream<PairingRequest>? = await world.requests(.displayOnly)
            let request = try await world.request(1, .displayPasskey(7), from: try #require(requests))
            requests = nil
            await world.idle()
            #expect(request.isOpen)
            #expect(await world.backend.pairingCapabilities == [.displayOnly])
            await world.emit(.pairingRequestEnded(Self.first))
            #expect(await world.backend.pairingCapabilities == [.displayOnly, nil])
        }
    }

    @Test func `what is shown and let go of is over before the app can do something else`() async throws {
        try await World.run { world in
            var requests: AsyncStream<PairingRequest>? = await world.requests(.displayOnly)
            do { _ = try await world.request(1, .displayPasskey(7), from: try #require(requests)) }
            let others = await world.requests(.keyboardOnly)
            requests = nil
            await world.idle()
            #expect(await world.backend.pairingCapabilities == [.displayOnly])
            await world.emit(.pairingRequestEnded(Self.first))
            #expect(await world.backend.pairingCapabilities == [.displayOnly, .keyboardOnly])
            withExtendedLifetime(others) {}
        }
    }

    @Test func `what is shown and let go of does not keep the platform asking`() async throws {
        try await World.run { world in
            var requests: AsyncStream<PairingRequest>? = await world.requests(.displayOnly)
            do { _ = try await world.request(1, .displayPasskey(7), from: try #require(requests)) }
            requests = nil
            await world.idle()
            #expect(await world.backend.pairingCapabilities == [.displayOnly, nil])
            #expect(await world.answers(to: 1) == [])
        }
    }

    @Test func `a request is over when its manager is released`() async throws {
        let executor = TestExecutor()
        let backend = ScriptedCentralBackend(executor: executor, features: [])
        var central: CentralManager? = CentralManager(backend: backend)
        let requests = try #require(central).pairingRequests()
        await executor.idle()
        let prompt = PairingPrompt(id: Self.first, peer: .one, kind: .authorize)
        await backend.emit(.pairingRequested(prompt))
        let request = try #require(await requests.first { _ in true })
        central = nil
        await executor.idle()
        #expect(!request.isOpen)
        #expect(!request.accept())
    }

    @Test
    func `an answer that is given after the stream's end, before the manager has seen it, is the one that counts`()
        async throws
    {
        try await World.run { world in
            var requests: AsyncStream<PairingRequest>? = await world.requests()
            let request = try await world.request(1, .authorize, from: try #require(requests))
            requests = nil
            #expect(request.accept())
            #expect(await world.answers(to: 1) == [.accept])
            let calls = await world.backend.calls
            let answered = try #require(calls.firstIndex(of: .answerPairing(Self.first, .accept)))
            let ended = try #require(calls.firstIndex(of: .setPairingCapability(nil)))
            #expect(answered < ended)
        }
    }

    @Test func `the oldest stream decides what the app can do, and the last one to go ends it`() async throws {
        try await World.run { world in
            var first: AsyncStream<PairingRequest>? = await world.requests(.displayYesNo)
            var second: AsyncStream<PairingRequest>? = await world.requests(.keyboardOnly)
            #expect(await world.backend.pairingCapabilities == [.displayYesNo])
            first = nil
            await world.idle()
            #expect(await world.backend.pairingCapabilities == [.displayYesNo, .keyboardOnly])
            second = nil
            await world.idle()
            #expect(await world.backend.pairingCapabilities == [.displayYesNo, .keyboardOnly, nil])
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test func `the backend is told of a stream before it is asked to pair`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let requests = world.central.pairingRequests()
            let call = await world.start { try await peripheral.pair() }
            let calls = await world.backend.calls
            let told = try #require(calls.firstIndex(of: .setPairingCapability(.noInputNoOutput)))
            let asked = try #require(calls.firstIndex(of: .perform(.pair(.one))))
            #expect(told < asked)
            call.cancel()
            withExtendedLifetime(requests) {}
        }
    }

    @Test func `every stream is given a request, which is rejected when the last one lets go of it`() async throws {
        try await World.run { world in
            let (first, second) = (await world.requests(), await world.requests())
            await world.ask(1, .authorize)
            do { _ = try #require(await first.first { _ in true }) }
            #expect(await world.answers(to: 1) == [])
            do { _ = try #require(await second.first { _ in true }) }
            #expect(await world.answers(to: 1) == [.reject])
        }
    }

    @Test func `of more than sixteen requests that wait the oldest is rejected`() async throws {
        try await World.run { world in
            let requests = await world.requests()
            for number in 1...17 { await world.ask(UInt64(number), .authorize) }
            #expect(await world.answers(to: 1) == [.reject])
            #expect(await world.answers(to: 2) == [])
            withExtendedLifetime(requests) {}
        }
    }

    @Test func `without a stream everything is rejected`() async throws {
        try await World.run { world in
            await world.ask(1, .authorize)
            #expect(await world.answers(to: 1) == [.reject])
            #expect(await world.backend.pairingCapabilities == [])
        }
    }

    @Test func `Just Works is accepted unasked when the app has said so, and nothing else is`() async throws {
        try await World.run(acceptsJustWorks: true) { world in
            #expect(await world.backend.pairingCapabilities == [.noInputNoOutput])
            await world.ask(1, .authorize)
            await world.ask(2, .confirm(passkey: 1))
            await world.ask(3, .authorizeService("180D"))
            #expect(await world.answers(to: 1) == [.accept])
            #expect(await world.answers(to: 2) == [.reject])
            #expect(await world.answers(to: 3) == [.reject])
        }
    }

    @Test
    func `a radio that goes off ends the requests, which are rejected in case that the platform still waits`()
        async throws
    {
        try await World.run { world in
            let requests = await world.requests()
            let request = try await world.request(1, .authorize, from: requests)
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(!request.isOpen)
            #expect(!request.accept())
            #expect(await world.answers(to: 1) == [.reject])
        }
    }

    @Test
    func `a manager that is ended rejects what is open, ends the streams and has the platform ask no more`()
        async throws
    {
        try await World.run { world in
            let requests = await world.requests()
            let request = try await world.request(1, .authorize, from: requests)
            let ending = await world.start { await world.central.invalidate() }
            #expect(ending.isDone)
            #expect(!request.isOpen)
            #expect(await world.answers(to: 1) == [.reject])
            #expect(await world.backend.pairingCapabilities == [.noInputNoOutput, nil])
            #expect(await requests.first { _ in true } == nil)
            #expect(await world.central.pairingRequests().first { _ in true } == nil)
        }
    }

    @Test func `an answer that comes while the manager is ended does not have the platform ask again`() async throws {
        try await World.run(acceptsJustWorks: true) { world in
            let requests = await world.requests(.displayYesNo)
            let request = try await world.request(1, .confirm(passkey: 1), from: requests)
            let ending = await world.start {
                request.accept()
                await world.central.invalidate()
            }
            #expect(ending.isDone)
            await world.ask(2, .authorize)
            #expect(await world.backend.pairingCapabilities == [.noInputNoOutput, .displayYesNo, nil])
            #expect(await world.answers(to: 2) != [.accept])
        }
    }

    @Test func `a cancelled task leaves its loop, and the platform is told`() async throws {
        try await World.run { world in
            let recorder = Recorder(world.central.pairingRequests(), on: world)
            await world.idle()
            recorder.cancel()
            await world.idle()
            #expect(recorder.hasEnded)
            #expect(await world.backend.pairingCapabilities == [.noInputNoOutput, nil])
        }
    }

    @Test func `a request's description keeps the passkey to itself`() async throws {
        try await World.run { world in
            let requests = await world.requests(.keyboardDisplay)
            for (number, kind) in [PairingRequest.Kind.confirm(passkey: 123_456), .displayPasskey(123_456)].enumerated()
            {
                let request = try await world.request(UInt64(number), kind, from: requests)
                #expect(!request.description.contains("123456"))
            }
        }
    }
}

extension World {
    /// A stream of requests that the manager knows of.
    fileprivate func requests(_ capability: PairingCapability = .noInputNoOutput) async -> AsyncStream<PairingRequest> {
        let requests = central.pairingRequests(capability: capability)
        await idle()
        return requests
    }

    /// The platform asks.
    func ask(_ number: UInt64, _ kind: PairingRequest.Kind) async {
        let prompt = PairingPrompt(id: PairingPromptID(rawValue: number), peer: .one, kind: kind)
        await emit(.pairingRequested(prompt))
    }

    /// The app's request that follows from a question of the platform.
    fileprivate func request(
        _ number: UInt64, _ kind: PairingRequest.Kind, from requests: AsyncStream<PairingRequest>
    ) async throws -> PairingRequest {
        await ask(number, kind)
        return try #require(await requests.first { _ in true })
    }

    /// All answers to a question, repeated ones included.
    func answers(to number: UInt64) async -> [PairingAnswer] {
        await idle()
        return await backend.pairingAnswers(to: PairingPromptID(rawValue: number))
    }
}
