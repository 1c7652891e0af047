// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import BlueCapPrivateBus
import Testing

extension OverABus {
    @Suite("BlueZ: where services stand", .timeLimit(.minutes(60)))
    struct PlacingTests {
        private static func service(at handle: UInt16?) -> LocalService {
            LocalService(id: AttributeID(rawValue: 1), uuid: "180D", handle: handle, characteristics: [])
        }

        private func handle(_ call: StubCall, _ stage: PeripheralStage) async throws -> DBusValue? {
            let served = Served(client: call.call.sender, root: try stage.root(of: call), stub: stage.stub)
            return try await served.objects(BlueZInterface.service).values.first?["Handle"]
        }

        @Test func `a service asks for its place, and stands elsewhere when the daemon refuses it`() async throws {
            let stage = try await PeripheralStage()
            let id = await stage.request(.add(Self.service(at: 0x40)))
            let first = try await stage.stub.call("RegisterApplication")
            #expect(try await handle(first, stage) == .uint16(0x40))
            first.fail("Failed", "Failed to create entry in database")
            let second = try await stage.stub.call("RegisterApplication")
            #expect(try await handle(second, stage) == .uint16(0))
            second.reply()
            try await stage.answer(to: id).get()
        }

        @Test func `the daemon tells where it has put a service that asks`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.add(Self.service(at: 0))
            let path = try #require(try await served.objects(BlueZInterface.service).keys.first)
            func set(_ value: DBusValue) async -> Result<Message, DBusError> {
                await stage.stub.invoke(
                    served.client, path, StandardInterface.properties, "Set",
                    [.string(BlueZInterface.service), .string("Handle"), .variant(value)])
            }
            _ = try await set(.uint16(0x20)).get()
            guard case .servicePlaced(AttributeID(rawValue: 1), handle: 0x20) = try await stage.next() else {
                throw Unexpected("not placed")
            }
            guard case .failure = await set(.string("20")) else { throw Unexpected("a text was taken") }
        }

        @Test func `a service of a program that keeps no journal does not ask`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.add(Self.service(at: nil))
            #expect(try await served.objects(BlueZInterface.service).values.first?["Handle"] == nil)
        }
    }
}
#endif
