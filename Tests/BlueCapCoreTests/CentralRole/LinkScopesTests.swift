// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// The scopes of one record, without a manager.
@Suite("Scopes of a link", .timeLimit(.minutes(60)))
struct LinkScopesTests {
    @Test func `a scope ends with its loss, and one whose policy reconnects goes on`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let scopes = try stage.connect(.one).scopes
                let once = scopes.join(.never, stage)
                let again = scopes.join(ReconnectPolicy(), stage)
                #expect(scopes.count == 2)
                scopes.connected(stage)
                scopes.disconnected(.disconnected, stage)
                guard case .end(.disconnected, false) = scopes.nextStep(of: once, after: nil, stage)
                else { throw Unexpected() }
                guard case .connect(.some) = scopes.nextStep(of: again, after: nil, stage)
                else { throw Unexpected() }
            }
        }
    }

    @Test func `the program's end forces all scopes, and an event tells it only where there is no link`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let scopes = try stage.connect(.one).scopes
                let number = scopes.join(ReconnectPolicy(), stage)
                scopes.connected(stage)
                let needsEvent = scopes.forceEnd(stage)
                #expect(!needsEvent)
                #expect(!scopes.areActive)
                guard case .end(.forcedDisconnect, false) = scopes.nextStep(of: number, after: nil, stage)
                else { throw Unexpected() }
            }
        }
    }

    @Test func `the last scope to leave ends the link, and one before it does not`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let record = try stage.connect(.one)
                let (first, last) = (record.scopes.join(.never, stage), record.scopes.join(.never, stage))
                let isEnded = record.scopes.leave(first, gaveUp: false, stage)
                #expect(!isEnded)
                #expect(record.link == .connected)
                let isEndedByLast = record.scopes.leave(last, gaveUp: false, stage)
                #expect(isEndedByLast)
                #expect(record.link == .disconnecting)
            }
        }
    }

    /// A scope has taken another step.
    private struct Unexpected: Error {}
}
