// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Notifications as text", .timeLimit(.minutes(60)))
struct StringNotificationTests {
    static let profiles = DiscoveredProfileTests.profiles

    static func listen(
        _ world: World, _ level: Characteristic, _ policy: UndecodablePolicy
    ) async throws -> TypedNotifications<[String: String]> {
        let call = await world.start { try await level.stringNotifications(onUndecodable: policy) }
        if !call.isDone { await world.answer(NotifyingTests.on, .done) }
        return try call.get()
    }

    @Test func `values come as text, in order, and the sequence ends with the connection`() async throws {
        try await World.run(profiles: Self.profiles) { world in
            let (peripheral, level) = try await world.level()
            let texts = Recorder(try await Self.listen(world, level, .end), on: world)
            for byte: UInt8 in [1, 0] { await world.emit(NotifyingTests.value([byte])) }
            #expect(texts.all == [["Level Enabled": "Yes"], ["Level Enabled": "No"]])
            await world.lose(peripheral)
            #expect(texts.error as? CharacteristicError == .disconnected)
        }
    }

    @Test func `bytes that the profile does not know end the sequence with the bytes`() async throws {
        try await World.run(profiles: Self.profiles) { world in
            let (_, level) = try await world.level()
            let texts = Recorder(try await Self.listen(world, level, .end), on: world)
            for byte: UInt8 in [1, 9, 0] { await world.emit(NotifyingTests.value([byte])) }
            #expect(texts.all == [["Level Enabled": "Yes"]])
            #expect(texts.error as? CharacteristicError == .undecodable(.invalidValue(offset: 0), [9], from: "2A19"))
        }
    }

    @Test
    func `bytes that the profile does not know are left out and counted where that is asked for`() async throws {
        try await World.run(profiles: Self.profiles) { world in
            let (_, level) = try await world.level()
            let sequence = try await Self.listen(world, level, .skip)
            let texts = Recorder(sequence, on: world)
            for byte: UInt8 in [1, 9, 0] { await world.emit(NotifyingTests.value([byte])) }
            #expect(texts.all == [["Level Enabled": "Yes"], ["Level Enabled": "No"]])
            #expect(sequence.skippedCount == 1)
        }
    }
}
