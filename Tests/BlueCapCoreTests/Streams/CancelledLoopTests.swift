// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// Every kind of sequence, under a radio that is faster than the loop's body.
@Suite("A cancelled loop ends, however fast the radio is, over", .timeLimit(.minutes(60)))
struct CancelledLoopTests {
    /// The number of elements that a loop takes which is cancelled at its first element, and finds two more before each
    /// `next`.
    static func taken<Sequence: AsyncSequence & Sendable>(
        _ sequence: Sequence, on world: World, feeding event: CentralEvent
    ) async throws -> Int {
        let call = await world.start {
            var count = 0
            for try await _ in sequence {
                count += 1
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                for _ in 0..<2 { await world.backend.emit(event) }
                if count == 100 { break }
            }
            return count
        }
        await world.emit(event)
        return try call.get()
    }

    static func listen<Values: Sendable>(
        _ world: World, _ body: @escaping @Sendable () async throws -> Values
    ) async throws -> Values {
        let call = await world.start(body)
        await world.answer(NotifyingTests.on, .done)
        return try call.get()
    }

    @Test func `notifications, which count what they let go`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let values = try await Self.listen(world) { try await level.notifications() }
            let taken = try await Self.taken(values, on: world, feeding: NotifyingTests.value([1]))
            #expect(taken == 1)
            #expect(values.droppedCount == 2)
            #expect(level.droppedCount == 2)
        }
    }

    @Test func `values, whose characteristic counts what they let go`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            do {
                let values = try await Self.listen(world) { try await level.values() }
                let taken = try await Self.taken(values, on: world, feeding: NotifyingTests.value([1]))
                #expect(taken == 1)
            }
            await world.idle()
            #expect(level.droppedCount == 2)
        }
    }

    @Test(arguments: [UInt8(1), 9])
    func `notifications as text, known to the profile or left out`(_ byte: UInt8) async throws {
        try await World.run(profiles: DiscoveredProfileTests.profiles) { world in
            let (_, level) = try await world.level()
            let texts = try await Self.listen(world) { try await level.stringNotifications(onUndecodable: .skip) }
            if byte == 9 { await world.emit(NotifyingTests.value([1])) }
            let taken = try await Self.taken(texts, on: world, feeding: NotifyingTests.value([byte]))
            #expect(taken == 1)
            #expect(texts.droppedCount == 2)
        }
    }

    @Test func `typed notifications`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let typed = TypedCharacteristic<Sample.Enabled>(level)
            let values = try await Self.listen(world) { try await typed.notifications() }
            let taken = try await Self.taken(values, on: world, feeding: NotifyingTests.value([1]))
            #expect(taken == 1)
            #expect(values.droppedCount == 2)
        }
    }

    @Test func `a scan`() async throws {
        try await World.run { world in
            let scan = world.central.scan(options: ScanOptions(allowsDuplicates: true))
            let sighting = Sighting(peripheral: .one, advertisements: PeripheralAdvertisements(), rssi: -50)
            let taken = try await Self.taken(scan, on: world, feeding: .sighted(sighting))
            #expect(taken == 1)
        }
    }

    @Test func `a stream that any number of consumers have of one source`() async throws {
        try await World.run { world in
            let states = world.central.states()
            let taken = try await Self.taken(states, on: world, feeding: .stateChanged(.poweredOn, nil))
            #expect(taken == 1)
        }
    }
}
