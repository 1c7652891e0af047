// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// A room of its own, beside that of the manager.
@Suite("Scopes of a link", .timeLimit(.minutes(60)))
struct LinkScopesTests {
    @Test func `a scope ends with its loss, and one whose policy reconnects goes on`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect(.one)
            try await world.central.act { central in
                let scopes = LinkScopes()
                let record = central.book.record(for: .one, central)
                let once = try scopes.join(peripheral, .never, central)
                let again = try scopes.join(peripheral, ReconnectPolicy(), central)
                #expect(record.users.keys == [once, again])
                scopes.usersConnected(record, central)
                scopes.usersDisconnected(record, .disconnected, central)
                guard case .end(.disconnected, false) = scopes.nextStep(of: once, peripheral, after: nil, central)
                else { throw Unexpected() }
                guard case .connect(.some) = scopes.nextStep(of: again, peripheral, after: nil, central)
                else { throw Unexpected() }
            }
        }
    }

    @Test func `the program's end forces all scopes, and an event tells it only where there is no link`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect(.one)
            try await world.central.act { central in
                let scopes = LinkScopes()
                let record = central.book.record(for: .one, central)
                let number = try scopes.join(peripheral, ReconnectPolicy(), central)
                scopes.usersConnected(record, central)
                let needsEvent = scopes.endUsers(of: record, central)
                #expect(!needsEvent)
                #expect(!record.hasActiveUsers)
                guard case .end(.forcedDisconnect, false) = scopes.nextStep(of: number, peripheral, after: nil, central)
                else { throw Unexpected() }
            }
        }
    }

    /// A scope has taken another step.
    private struct Unexpected: Error {}
}
