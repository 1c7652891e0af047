// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

@Suite("Manager state", .timeLimit(.minutes(60)))
struct ManagerStateTests {
    static let reason = BackendFailure(name: "org.example.NoAdapter", message: "no adapter")

    @Test
    func `each consumer gets the current state first, and a second call leaves the first stream alone`() async throws {
        try await World.run(state: nil) { world in
            let first = Recorder(world.central.states(), on: world)
            await world.emit(.stateChanged(.poweredOff, nil))
            let second = Recorder(world.central.states(), on: world)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(first.all == [.unknown, .poweredOff, .poweredOn])
            #expect(second.all == [.poweredOff, .poweredOn])
        }
    }

    @Test func `a state that is told twice is reported once`() async throws {
        try await World.run(state: nil) { world in
            let states = Recorder(world.central.states(), on: world)
            await world.emit(.stateChanged(.poweredOn, nil))
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(states.all == [.unknown, .poweredOn])
            #expect(world.central.state == .poweredOn)
            #expect(world.central.isPoweredOn)
        }
    }

    @Test func `waiting for power returns at once when the radio is on`() async throws {
        try await World.run { world in
            let call = await world.start { try await world.central.whenPoweredOn() }
            #expect(call.value != nil)
        }
    }

    @Test func `waiting for power goes on over other states until the radio is on`() async throws {
        try await World.run(state: nil) { world in
            let call = await world.start { try await world.central.whenPoweredOn(timeout: .seconds(9)) }
            await world.emit(.stateChanged(.resetting, nil))
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(!call.isDone)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(call.value != nil)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `waiting for power ends when its time has passed, not before`() async throws {
        try await World.run(state: .poweredOff) { world in
            let call = await world.start { try await world.central.whenPoweredOn(timeout: .seconds(5)) }
            await world.advance(by: .milliseconds(4999))
            #expect(!call.isDone)
            await world.advance(by: .milliseconds(1))
            #expect(call.error as? CentralManagerError == .powerOnTimeout)
        }
    }

    @Test(arguments: [
        (ManagerState.unsupported, nil, CentralManagerError.unsupported),
        (.unsupported, reason, .backend(reason)), (.unauthorized, nil, .unauthorized),
        (.unauthorized, reason, .backend(reason)),
    ])
    func `waiting for power ends at once where waiting will not help, with the platform's reason if it gave one`(
        _ state: ManagerState, _ reason: BackendFailure?, _ error: CentralManagerError
    ) async throws {
        try await World.run(state: nil) { world in
            let early = await world.start { try await world.central.whenPoweredOn() }
            await world.emit(.stateChanged(state, reason))
            #expect(early.error as? CentralManagerError == error)
            let late = await world.start { try await world.central.whenPoweredOn() }
            #expect(late.error as? CentralManagerError == error)
        }
    }

    @Test func `waiting for power ends for a cancelled task, its timer with it, and for no other`() async throws {
        try await World.run(state: .poweredOff) { world in
            let call = await world.start { try await world.central.whenPoweredOn(timeout: .seconds(5)) }
            let other = await world.start { try await world.central.whenPoweredOn() }
            await world.cancel(call)
            #expect(call.error as? CentralManagerError == .cancelled)
            #expect(!other.isDone)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `waiting for power ends with the manager`() async throws {
        try await World.run(state: .poweredOff) { world in
            let call = await world.start { try await world.central.whenPoweredOn(timeout: .seconds(5)) }
            await world.central.invalidate()
            await world.idle()
            #expect(call.error as? CentralManagerError == .invalidated)
            let late = await world.start { try await world.central.whenPoweredOn() }
            #expect(late.error as? CentralManagerError == .invalidated)
        }
    }
}
