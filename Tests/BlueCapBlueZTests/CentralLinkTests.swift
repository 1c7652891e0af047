// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import Testing

extension OverABus {
    /// Devices that connect, and what follows from their properties for the security of their links.
    @Suite(.timeLimit(.minutes(60)))
    struct CentralLinkTests {
        private static let id: PeerIdentifier = "C0:00:00:00:00:02"
        private let options: StubBlueZ.Properties = ["device": .objectPath(PeripheralStage.other), "mtu": .uint16(185)]

        /// The next event, which is to be a connection or a change.
        private func central(_ stage: PeripheralStage) async throws -> Central {
            switch try await stage.nextOfLink() {
            case .centralConnected(let central), .centralChanged(_, let central): return central
            case let event: throw Unexpected("\(event)")
            }
        }

        private func set(_ properties: StubBlueZ.Properties, _ stage: PeripheralStage) async {
            await stage.stub.run { $0.set(PeripheralStage.other, BlueZInterface.device, properties) }
        }

        @Test func `a device that connects is a central until its link ends or it is forgotten`() async throws {
            let stage = try await PeripheralStage()
            await stage.addOther()
            #expect(try await central(stage) == Central(identifier: Self.id, security: .unencrypted))
            await stage.endOther()
            guard case .centralDisconnected(Self.id, nil, [:]) = try await stage.nextOfLink() else {
                throw Unexpected("no end")
            }
            await set(["Connected": .bool(true)], stage)
            #expect(try await central(stage).identifier == Self.id)
            await stage.stub.run { $0.remove(PeripheralStage.other, [BlueZInterface.device]) }
            guard case .centralDisconnected(Self.id, nil, [:]) = try await stage.nextOfLink() else {
                throw Unexpected("no end")
            }
        }

        @Test func `a device that was connected before is a central with its first access`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.read)
            let options: StubBlueZ.Properties = ["device": .objectPath(Stage.device)]
            let call = try await served.begin("ReadValue", [.properties(options)])
            #expect(try await central(stage).identifier == Stage.id)
            let access = try await stage.access()
            await stage.command { $0.respond(to: access.id, .success([])) }
            _ = try await call.value.get()
        }

        @Test func `keys that come over a link encrypt it, and an attribute that needs more shows more`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.read, permissions: .readAuthenticationRequired)
            await stage.addOther()
            #expect(try await central(stage).security == .unencrypted)
            await set(["Paired": .bool(true)], stage)
            #expect(try await central(stage).security == .encrypted)
            let call = try await served.begin("ReadValue", [.properties(options)])
            #expect(try await central(stage).security == .authenticated)
            let access = try await stage.access()
            #expect(access.central?.security == .authenticated)
            await stage.command { $0.respond(to: access.id, .success([])) }
            _ = try await call.value.get()
            // The next link has keys, and nothing shows whether it is encrypted.
            await stage.endOther()
            _ = try await stage.nextOfLink()
            await set(["Connected": .bool(true)], stage)
            #expect(try await central(stage).security == nil)
        }

        @Test func `a link is ended when its device says so, and a refusal is the request's`() async throws {
            let stage = try await PeripheralStage()
            let unknown = await stage.request(.disconnect(Self.id, .userTerminated))
            #expect(try await stage.failure(of: unknown) == .disconnected)
            await stage.addOther()
            _ = try await central(stage)
            let refused = await stage.request(.disconnect(Self.id, .userTerminated))
            try await stage.stub.call("Disconnect").fail("Failed", "no")
            guard case .backend(let failure)? = try await stage.failure(of: refused) else {
                throw Unexpected("done")
            }
            #expect(failure.name == BlueZError.failed)
            let ended = await stage.request(.disconnect(Self.id, .lowResources))
            try await stage.stub.call("Disconnect").reply()
            await stage.endOther()
            guard case .centralDisconnected(Self.id, nil, [:]) = try await stage.nextOfLink() else {
                throw Unexpected("no end")
            }
            try await stage.answer(to: ended).get()
        }
    }
}
#endif
