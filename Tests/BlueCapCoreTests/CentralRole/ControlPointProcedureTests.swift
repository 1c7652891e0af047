// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Procedures of a control point that report values", .timeLimit(.minutes(60)))
struct ControlPointProcedureTests {
    private typealias Procedure = ControlPointProcedure<LampMessage, UInt8>

    /// The status, which notifies here.
    private static let battery: Battery = {
        var battery = Battery()
        battery.status.properties = [.notify]
        return battery
    }()

    private static func setNotifying(_ isOn: Bool) -> CentralOperation {
        .setNotifying(.one, Battery.status, isOn, .standard)
    }

    /// A procedure that is under way.
    private static func begin(_ world: World, timeout: Duration? = nil) async throws -> Procedure {
        let peripheral = try await world.connect()
        let level = try await world.discover(peripheral, battery)
        let status = try peripheral.characteristic(battery.status.uuid)
        let call = await world.start {
            try await TypedControlPoint<LampMessage>(level).procedure(
                .init(opCode: 1), reporting: TypedCharacteristic<UInt8>(status), timeout: timeout)
        }
        await world.answer(setNotifying(true), .done)
        await world.answer(NotifyingTests.on, .done)
        await world.answer(ControlPointTests.write([1]), .done)
        return try call.get()
    }

    private static func report(_ value: UInt8) -> CentralEvent { .valueChanged(.one, Battery.status, [value]) }

    @Test func `give the values before the response, and end with it`() async throws {
        try await World.run { world in
            let values = Recorder(try await Self.begin(world), on: world)
            for value: UInt8 in 1...3 { await world.emit(Self.report(value)) }
            #expect(!values.hasEnded)
            await world.emit(ControlPointTests.response(to: 1))
            #expect(values.all == [1, 2, 3])
            #expect(values.hasEnded)
            #expect(values.error == nil)
        }
    }

    @Test func `throw the result of the service behind the values`() async throws {
        try await World.run { world in
            let values = Recorder(try await Self.begin(world), on: world)
            await world.emit(Self.report(1))
            await world.emit(ControlPointTests.response(to: 1, 6))
            #expect(values.all == [1])
            #expect(values.error as? ControlPointTests.Failure == .refused(6))
        }
    }

    @Test func `are aborted when the loop is left, and their values switched off`() async throws {
        try await World.run { world in
            let values = Recorder(try await Self.begin(world), on: world)
            await world.emit(Self.report(1))
            values.cancel()
            await world.idle()
            let pending = await world.backend.pending
            #expect(pending.contains(ControlPointTests.write([9])))
            #expect(pending.contains(Self.setNotifying(false)))
        }
    }

    @Test func `go on while values come, and end 30 seconds after the last one`() async throws {
        try await World.run { world in
            let values = Recorder(try await Self.begin(world), on: world)
            for value: UInt8 in 1...4 {
                await world.advance(by: .seconds(20))
                await world.emit(Self.report(value))
            }
            #expect(!values.hasEnded)
            await world.advance(by: .seconds(60))
            #expect(values.error as? ControlPointTests.Failure == .responseTimeout)
            #expect(values.all == [1, 2, 3, 4])
        }
    }

    @Test func `end with the link`() async throws {
        try await World.run { world in
            let values = Recorder(try await Self.begin(world), on: world)
            await world.emit(.disconnected(.one, nil))
            #expect(values.error as? ControlPointTests.Failure == .characteristic(.disconnected))
        }
    }

    @Test func `end with the time given, and are aborted`() async throws {
        try await World.run { world in
            let values = Recorder(try await Self.begin(world, timeout: .seconds(3)), on: world)
            await world.advance(by: .seconds(3))
            #expect(values.error as? ControlPointTests.Failure == .responseTimeout)
            #expect(await world.backend.pending.contains(ControlPointTests.write([9])))
        }
    }
}
