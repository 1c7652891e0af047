// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Profiles of what is discovered", .timeLimit(.minutes(60)))
struct DiscoveredProfileTests {
    static let profiles = ProfileManager(services: [
        ConfiguredServiceProfile<Sample.Service>(characteristics: [RawCharacteristicProfile<Sample.Enabled>()])
    ])
    static let read = CentralOperation.read(.one, Battery.level)

    @Test func `what is discovered has the name and the texts of its profile`() async throws {
        try await World.run(profiles: Self.profiles) { world in
            let (_, level) = try await world.level()
            #expect(level.service?.name == "Battery")
            #expect(level.service?.profile.tag == "Samples")
            #expect(level.name == "Level Enabled")
            #expect(level.stringValues == ["No", "Yes"])
        }
    }

    @Test
    func `a characteristic that its service's profile does not have is unknown, with hexadecimal text`() async throws {
        try await World.run(profiles: Self.profiles) { world in
            let (peripheral, _) = try await world.level()
            let status = try peripheral.characteristic("2A1A")
            let call = await world.start { try await status.readStringValue() }
            await world.answer(.read(.one, Battery.status), .value([0x01, 0xff]))
            #expect(call.value == ["Unknown": "01ff"])
            #expect(status.name == "Unknown")
        }
    }

    @Test func `without profiles everything is unknown`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            #expect(level.service?.name == "Unknown")
            #expect(level.name == "Unknown")
            #expect(level.stringValues == [])
        }
    }

    @Test func `the text of the last value is there without a call, and not before the first`() async throws {
        try await World.run(profiles: Self.profiles) { world in
            let (_, level) = try await world.level()
            #expect(level.stringValue == nil)
            let call = await world.start { try await level.read() }
            await world.answer(Self.read, .value([1]))
            #expect(call.isDone)
            #expect(level.stringValue == ["Level Enabled": "Yes"])
        }
    }

    @Test
    func `a value that the profile does not know has no text, and reading it as text gives its bytes in the error`()
        async throws
    {
        try await World.run(profiles: Self.profiles) { world in
            let (_, level) = try await world.level()
            let call = await world.start { try await level.readStringValue() }
            await world.answer(Self.read, .value([9]))
            #expect(call.error as? CharacteristicError == .undecodable(.invalidValue(offset: 0), [9], from: "2A19"))
            #expect(level.stringValue == nil)
            #expect(level.value == [9])
        }
    }

    @Test func `text is written as the bytes of its value`() async throws {
        try await World.run(profiles: Self.profiles) { world in
            let (_, level) = try await world.level()
            let call = await world.start { try await level.write(stringValue: ["Level Enabled": "Yes"]) }
            await world.answer(.write(.one, Battery.level, [1], .withResponse), .done)
            #expect(call.value != nil)
        }
    }

    @Test func `text that means nothing is refused without a word to the peer`() async throws {
        try await World.run(profiles: Self.profiles) { world in
            let (_, level) = try await world.level()
            let call = await world.start { try await level.write(stringValue: ["Level Enabled": "Maybe"]) }
            #expect(call.error as? CharacteristicError == .notSerializable)
            #expect(await world.backend.pending == [])
        }
    }
}
