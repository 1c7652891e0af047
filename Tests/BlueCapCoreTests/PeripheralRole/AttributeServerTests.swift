// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// Reads and writes of centrals, without a manager.
@Suite("Attribute server", .timeLimit(.minutes(60)))
struct AttributeServerTests {
    static func read(_ number: UInt64, _ attribute: AttributeID, at offset: Int = 0) -> AttributeAccess {
        AttributeAccess(
            id: AccessID(rawValue: number), attribute: attribute, central: PeripheralWorld.one,
            kind: .read(offset: offset))
    }

    @Test func `a value is read without the app, and an attribute that is not there is refused`() async throws {
        try await PeripheralRooms.run { stage, _ in
            try await stage.act { stage in
                let level = try stage.add(MutableCharacteristic(uuid: "2A19", value: [1, 2, 3]))
                stage.server.accessed(Self.read(1, level, at: 1), stage)
                stage.server.accessed(Self.read(2, level, at: 4), stage)
                stage.server.accessed(Self.read(3, AttributeID(rawValue: 99)), stage)
                #expect(stage.answers(to: 1) == [.success([2, 3])])
                #expect(stage.answers(to: 2) == [.failure(.invalidOffset)])
                #expect(stage.answers(to: 3) == [.failure(.unlikelyError)])
                #expect(stage.server.openCount == 0)
            }
        }
    }

    @Test func `a write without a loop is refused, and one beyond the longest value too`() async throws {
        try await PeripheralRooms.run { stage, _ in
            try await stage.act { stage in
                let level = try stage.add(MutableCharacteristic(uuid: "2A19"))
                for (number, offset) in [(1, 0), (2, 512), (3, 513)] as [(UInt64, Int)] {
                    let kind = AttributeAccess.Kind.write([1], offset: offset, .request)
                    stage.server.accessed(
                        AttributeAccess(
                            id: AccessID(rawValue: number), attribute: level, central: PeripheralWorld.one, kind: kind),
                        stage)
                }
                #expect(stage.answers(to: 1) == [.failure(.requestNotSupported)])
                #expect(stage.answers(to: 2) == [.failure(.invalidAttributeValueLength)])
                #expect(stage.answers(to: 3) == [.failure(.invalidOffset)])
            }
        }
    }

    @Test func `an access that the app leaves open is answered in time, and one beyond the limit at once`() async throws
    {
        try await PeripheralRooms.run(maximumOpenRequests: 1) { stage, time in
            let characteristic = MutableCharacteristic(uuid: "2A19")
            let requests = characteristic.readRequests()
            try await stage.act { stage in
                let level = try stage.add(characteristic)
                stage.server.accessed(Self.read(1, level), stage)
                stage.server.accessed(Self.read(2, level), stage)
                #expect(stage.server.openCount == 1)
                #expect(stage.answers(to: 2) == [.failure(.insufficientResources)])
            }
            await time.pass(24)
            #expect(await stage.answers(to: 1) == [])
            await time.pass(1)
            #expect(await stage.answers(to: 1) == [.failure(.unlikelyError)])
            await stage.act { #expect($0.server.openCount == 0) }
            withExtendedLifetime(requests) {}
        }
    }
}
