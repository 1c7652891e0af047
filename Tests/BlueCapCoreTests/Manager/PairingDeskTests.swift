// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// Streams of pairing requests and their answers, without a radio.
@Suite("Pairing desk", .timeLimit(.minutes(60)))
struct PairingDeskTests {
    static func prompt(_ number: UInt64, _ kind: PairingRequest.Kind = .confirm(passkey: 1)) -> PairingPrompt {
        PairingPrompt(id: PairingPromptID(rawValue: number), peer: .one, kind: kind)
    }

    @Test func `a question without a stream is rejected, and a shown passkey is not answered`() async throws {
        try await RoomStage.run { stage, _ in
            await stage.ask(Self.prompt(1))
            await stage.ask(Self.prompt(2, .displayPasskey(7)))
            #expect(await stage.takeNotes() == ["1: reject"])
        }
    }

    @Test func `Just Works is accepted while the app itself calls to pair, and with its setting`() async throws {
        try await RoomStage.run { stage, _ in
            await stage.act { $0.pairing.callBegan(with: .one, $0) }
            await stage.ask(Self.prompt(1, .authorize))
            await stage.act { $0.pairing.callEnded(with: .one, $0) }
            await stage.ask(Self.prompt(2, .authorize))
            #expect(
                await stage.takeNotes() == [
                    "capability noInputNoOutput", "1: accept", "capability none", "2: reject",
                ])
        }
        try await RoomStage.run(acceptsJustWorks: true) { stage, _ in
            #expect(stage.pairing.reportedCapability == .noInputNoOutput)
            await stage.ask(Self.prompt(1, .authorize))
            #expect(await stage.takeNotes() == ["1: accept"])
        }
    }

    @Test func `a call knows that the app has said no, and not whether it did before it or to another peer`()
        async throws
    {
        try await RoomStage.run { stage, _ in
            await stage.ask(Self.prompt(1))
            await stage.act { $0.pairing.callBegan(with: .one, $0) }
            #expect(!stage.pairing.hasRejected(.one))
            await stage.ask(Self.prompt(2))
            #expect(stage.pairing.hasRejected(.one))
            #expect(!stage.pairing.hasRejected(.two))
            await stage.act { $0.pairing.callBegan(with: .one, $0) }
            #expect(!stage.pairing.hasRejected(.one))
            await stage.ask(Self.prompt(3, .authorizeService("180F")))
            #expect(!stage.pairing.hasRejected(.one))
            await stage.ask(Self.prompt(4))
            await stage.act { $0.pairing.callEnded(with: .one, $0) }
            #expect(stage.pairing.hasRejected(.one))
            await stage.act { $0.pairing.callEnded(with: .one, $0) }
            #expect(!stage.pairing.hasRejected(.one))
        }
    }

    @Test func `the capability does not change while a question is open`() async throws {
        try await RoomStage.run { stage, time in
            var stream: AsyncStream<PairingRequest>? = stage.pairing.requests(.displayYesNo, of: stage)
            await time.idle()
            await stage.ask(Self.prompt(1))
            let request = await stream?.first { _ in true }
            stream = nil
            await time.idle()
            #expect(await stage.takeNotes() == ["capability displayYesNo"])
            request?.accept()
            await time.idle()
            #expect(await stage.takeNotes() == ["1: accept", "capability none"])
        }
    }

    @Test func `a question that is over takes no answer`() async throws {
        try await RoomStage.run { stage, time in
            let stream = stage.pairing.requests(.displayYesNo, of: stage)
            await time.idle()
            await stage.ask(Self.prompt(1))
            let request = await stream.first { _ in true }
            await stage.act { $0.pairing.requestEnded(PairingPromptID(rawValue: 1), $0) }
            #expect(request?.accept() == false)
            await time.idle()
            #expect(await stage.takeNotes() == ["capability displayYesNo"])
        }
    }

    @Test func `the end of the owner rejects every open question and ends the streams`() async throws {
        try await RoomStage.run { stage, time in
            let stream = stage.pairing.requests(.displayYesNo, of: stage)
            await time.idle()
            await stage.ask(Self.prompt(1))
            await stage.invalidate()
            await stage.act { $0.pairing.end($0) }
            #expect(await stage.takeNotes() == ["capability displayYesNo", "1: reject", "capability none"])
            var count = 0
            for await _ in stream { count += 1 }
            #expect(count == 1)
        }
    }
}

extension RoomStage {
    fileprivate func ask(_ prompt: PairingPrompt) { pairing.requested(prompt, self) }
}
