// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: the one procedure of a control point", .timeLimit(.minutes(60)))
struct ControlPointPlaceTests {
    private static let (one, two) = (PeripheralWorld.one, PeripheralWorld.two)

    /// What is on its way to the centrals.
    private func sent(_ world: PeripheralWorld) async -> [String] {
        await world.backend.outstanding.map(\.operation.summary)
    }

    @Test func `an abort of one central does not end the procedure of another, which is answered`() async throws {
        try await PeripheralWorld.run { world in
            let (point, requests) = try await ControlPointRequestTests.point(in: world)
            for central in [Self.one, Self.two] { try await world.subscribe(central, to: point) }
            _ = try await world.write([1], from: Self.one, to: point)
            let abort = try await world.write([9], from: Self.two, to: point)
            #expect(await world.answers(to: abort) == [.failure(.procedureAlreadyInProgress)])
            #expect(requests.all[0].isOpen)
            #expect(requests.all[0].respond())
            await world.idle()
            let id = try #require(point.registration?.id)
            let operations = await world.backend.outstanding.map(\.operation)
            #expect(operations == [.update(id, [0x80, 1, 1], central: Self.one.identifier)])
        }
    }

    @Test func `an abort of a central is answered while no procedure is under way`() async throws {
        try await PeripheralWorld.run { world in
            let (point, requests) = try await ControlPointRequestTests.point(in: world)
            for central in [Self.one, Self.two] { try await world.subscribe(central, to: point) }
            _ = try await world.write([1], from: Self.one, to: point)
            requests.all[0].respond()
            await world.idle()
            await world.answer()
            let abort = try await world.write([9], from: Self.two, to: point)
            #expect(await world.answers(to: abort) == [.success([])])
            #expect(await sent(world) == ["update 800901"])
        }
    }

    @Test func `where centrals are not told apart an abort ends the procedure of whoever has one`() async throws {
        try await PeripheralWorld.run(features: []) { world in
            let (point, requests) = try await ControlPointRequestTests.point(in: world)
            let all = Central(identifier: nil)
            try await world.subscribe(all, to: point)
            _ = try await world.write([1], from: all, to: point)
            let abort = try await world.write([9], from: all, to: point)
            #expect(await world.answers(to: abort) == [.success([])])
            #expect(!requests.all[0].isOpen)
        }
    }

    @Test func `a procedure is under way until its response need not wait any more, so that only one response waits`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let (point, values, requests) = try await ControlPointRequestTests.pointAndValues(in: world)
            _ = try await world.write([1], to: point)
            try values.update([1])
            #expect(requests.all[0].respond())
            await world.idle()
            for _ in 1...100 {
                let next = try await world.write([2], to: point)
                #expect(await world.answers(to: next) == [.failure(.procedureAlreadyInProgress)])
            }
            #expect(await sent(world) == ["update 01"])
            await world.answer()
            #expect(await sent(world) == ["update 800101"])
            await world.answer()
            #expect(await sent(world).isEmpty)
            let next = try await world.write([2], to: point)
            #expect(await world.answers(to: next) == [.success([])])
        }
    }

    @Test func `aborts do not pile up behind values that nobody takes`() async throws {
        try await PeripheralWorld.run { world in
            let (point, values, requests) = try await ControlPointRequestTests.pointAndValues(in: world)
            _ = try await world.write([1], to: point)
            try values.update([1])
            #expect(requests.all[0].respond())
            await world.idle()
            for _ in 1...100 {
                let abort = try await world.write([9], to: point)
                #expect(await world.answers(to: abort) == [.success([])])
            }
            #expect(await sent(world) == ["update 01"])
            await world.answer()
            // The response to the aborted procedure has given way to that to the abort.
            #expect(await sent(world) == ["update 800901"])
            await world.answer()
            #expect(await sent(world).isEmpty)
        }
    }

    @Test(arguments: [UpdatePolicy.all, .newest(1024)])
    func `responses do not pile up behind an indication that its central does not confirm`(policy: UpdatePolicy)
        async throws
    {
        try await PeripheralWorld.run { world in
            let (point, requests) = try await ControlPointRequestTests.point(in: world)
            point.updatePolicy = policy
            try await world.subscribe(to: point)
            for number in 0..<2 {
                _ = try await world.write([1], to: point)
                requests.all[number].respond()
                await world.idle()
            }
            let next = try await world.write([1], to: point)
            #expect(await world.answers(to: next) == [.failure(.procedureAlreadyInProgress)])
            for _ in 1...100 { _ = try await world.write([9], to: point) }
            #expect(point.pendingUpdates == [[0x80, 9, 1]])
        }
    }

    @Test func `the place is free once the central of a waiting response has left`() async throws {
        try await PeripheralWorld.run { world in
            let (point, values, requests) = try await ControlPointRequestTests.pointAndValues(in: world)
            try await world.subscribe(Self.two, to: point)
            _ = try await world.write([1], to: point)
            try values.update([1])
            #expect(requests.all[0].respond())
            try await world.unsubscribe(from: point)
            let next = try await world.write([2], from: Self.two, to: point)
            #expect(await world.answers(to: next) == [.success([])])
        }
    }
}
