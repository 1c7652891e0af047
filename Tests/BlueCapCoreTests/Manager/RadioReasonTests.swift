// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// The errors of calls while the radio cannot be used: they carry the platform's reason, and never "switched off"
/// unless the radio is off.
@Suite("Why the radio cannot be used", .timeLimit(.minutes(60)))
struct RadioReasonTests {
    static let silent = BackendFailure(name: "NoReply", message: "no answer", isTransient: true)

    /// States with a reason from the platform or without one, and the failures that calls then throw.
    static let reasons: [(ManagerState, BackendFailure?, BackendFailure)] = [
        (.unknown, nil, .unknownState), (.resetting, nil, .resetting), (.resetting, silent, silent),
        (.unauthorized, nil, .unauthorized), (.unsupported, silent, silent),
    ]

    @Test(arguments: reasons)
    func `adding and advertising say why the radio cannot be used`(
        _ state: ManagerState, _ told: BackendFailure?, _ reason: BackendFailure
    ) async throws {
        try await PeripheralWorld.run(state: nil) { world in
            await world.emit(.stateChanged(state, told))
            let add = await world.start { try await world.manager.add(MutableService(uuid: "180F")) }
            #expect(add.error as? PeripheralManagerError == .backend(reason))
            let start = await world.start { try await world.manager.startAdvertising("a") }
            #expect(start.error as? PeripheralManagerError == .backend(reason))
        }
    }

    @Test(arguments: reasons)
    func `connecting and retrieving say why the radio cannot be used`(
        _ state: ManagerState, _ told: BackendFailure?, _ reason: BackendFailure
    ) async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            await world.emit(.stateChanged(state, told))
            let connect = await world.start { try await peripheral.connect() }
            #expect(connect.error as? PeripheralError == .backend(reason))
            let retrieve = await world.start {
                try await world.central.retrievePeripherals(withIdentifiers: [.one])
            }
            #expect(retrieve.error as? CentralManagerError == .backend(reason))
        }
    }

    @Test func `waiting for power ends with the platform's reason when the time given has passed`() async throws {
        try await World.run(state: nil) { world in
            let call = await world.start { try await world.central.whenPoweredOn(timeout: .seconds(5)) }
            await world.emit(.stateChanged(.resetting, Self.silent))
            #expect(!call.isDone)
            await world.advance(by: .seconds(5))
            #expect(call.error as? CentralManagerError == .backend(Self.silent))
        }
    }

    @Test
    func `a second central manager over one backend says that the backend is in use; the first goes on`() async throws {
        try await World.run { world in
            let second = CentralManager(backend: world.backend, configuration: .init(clock: world.clock.clock))
            let wait = await world.start { try await second.whenPoweredOn() }
            #expect(wait.error as? CentralManagerError == .backend(.backendInUse))
            #expect(second.state == .unsupported)
            await second.invalidate()
            await world.idle()
            #expect(world.central.isPoweredOn)
            #expect(await !world.backend.calls.contains(.invalidate))
            _ = try await world.connect()
        }
    }

    @Test
    func `a second peripheral manager over one backend says that the backend is in use; the first goes on`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let second = PeripheralManager(backend: world.backend, configuration: .init(clock: world.clock.clock))
            let wait = await world.start { try await second.whenPoweredOn() }
            #expect(wait.error as? PeripheralManagerError == .backend(.backendInUse))
            let add = await world.start { try await second.add(MutableService(uuid: "180F")) }
            #expect(add.error as? PeripheralManagerError == .backend(.backendInUse))
            await second.invalidate()
            await world.idle()
            #expect(await world.backend.invalidationCount == 0)
            try await world.add(MutableService(uuid: "180F"))
        }
    }
}
