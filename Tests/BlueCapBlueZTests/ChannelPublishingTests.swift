// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapFakeKernel
import BlueCapKernel
import BlueCapLoop
import BlueCapPlatform
import BlueCapSerDe
import Testing

extension OverABus {
    /// Channels of the peripheral role, over the kernel's sockets.
    @Suite(.timeLimit(.minutes(60)))
    struct ChannelPublishingTests {
        private typealias Kit = ChannelKit<BlueZPeripheralBackend>

        private static let central: PeerIdentifier = "C0:00:00:00:00:01"

        private static func publish(_ psm: UInt16? = nil, isEncrypted: Bool = false) -> ChannelOperation {
            .publish(psm: psm, isEncrypted: isEncrypted, maximumReceiveLength: 100)
        }

        private func stage() async throws -> (PeripheralStage, Kit) {
            let stage = try await PeripheralStage()
            return (stage, try await Kit(stage.backend, on: stage))
        }

        private func call(_ kit: Kit, psm: UInt16 = 0x80) async throws -> FakeChannel {
            guard let address = KernelAddress(Self.central.text, isRandom: true) else { throw Unexpected("no address") }
            return try await kit.far { [fake = kit.fake] () throws(LoopError) in
                try fake.open(psm: psm, from: address, takes: 300)
            }
        }

        private func accepted(_ kit: Kit) async throws -> OpenedChannel {
            guard case .accepted(let channel) = try await kit.next() else { throw Unexpected("no channel") }
            return channel
        }

        @Test func `a PSM is published on the adapter's address, of the kernel's choice unless given`() async throws {
            let (_, kit) = try await stage()
            #expect(try await kit.perform(Self.publish(isEncrypted: true)) == .success(.published(psm: 0x80)))
            #expect(try await kit.perform(Self.publish(0x92)) == .success(.published(psm: 0x92)))
            let local = KernelAddress("C0:DE:00:00:00:01", isRandom: false)
            let terms = [kit.fake.terms(of: 0x80), kit.fake.terms(of: 0x92)]
            #expect(terms.map { $0?.local } == [local, local])
            #expect(terms.map { $0?.isEncrypted } == [true, false])
            #expect(terms.map { $0?.receiveLength } == [100, 100])
            await kit.end()
        }

        @Test func `a PSM that is taken is refused by its number, until it is withdrawn`() async throws {
            let (_, kit) = try await stage()
            _ = try await kit.perform(Self.publish(0x90))
            #expect(try await kit.perform(Self.publish(0x90)) == .failure(.psmTaken(0x90)))
            await kit.command(.withdraw(psm: 0x90))
            #expect(try await kit.perform(Self.publish(0x90)) == .success(.published(psm: 0x90)))
            await kit.end()
        }

        @Test func `without Bluetooth sockets the refusal says what a container needs`() async throws {
            let (_, kit) = try await stage()
            kit.fake.refuse(EAFNOSUPPORT)
            guard case .failure(.backend(let failure)) = try await kit.perform(Self.publish()) else {
                throw Unexpected("no failure")
            }
            #expect(failure.name == "Channel.NoBluetooth")
            await kit.end()
        }

        @Test func `a central's channel comes with its address, and units go both ways`() async throws {
            let (_, kit) = try await stage()
            _ = try await kit.perform(Self.publish())
            let far = try await call(kit)
            let channel = try await accepted(kit)
            #expect(
                channel
                    == OpenedChannel(
                        id: channel.id, peer: Self.central, psm: 0x80, maximumSendLength: 300,
                        maximumReceiveLength: 100))
            await kit.command(.allow(channel.id, count: 1))
            await kit.far { far.send([1]) }
            #expect(try await kit.received() == [1])
            #expect(try await kit.perform(.send(channel.id, [2])) == .success(.done))
            await kit.far { far.close() }
            await kit.command(.allow(channel.id, count: 1))
            #expect(try await kit.end(of: channel.id) == nil)
            await kit.end()
        }

        @Test func `channels that are open stay when their PSM is withdrawn`() async throws {
            let (_, kit) = try await stage()
            _ = try await kit.perform(Self.publish())
            let far = try await call(kit)
            let channel = try await accepted(kit)
            await kit.command(.withdraw(psm: 0x80))
            #expect(kit.fake.terms(of: 0x80) == nil)
            await kit.command(.allow(channel.id, count: 1))
            await kit.far { far.send([1]) }
            #expect(try await kit.received() == [1])
            await kit.far { far.close() }
            await kit.end()
        }

        @Test func `a central's channels end with its link`() async throws {
            let (stage, kit) = try await stage()
            _ = try await kit.perform(Self.publish())
            let far = try await call(kit)
            _ = try await accepted(kit)
            guard case .centralConnected = try await stage.nextOfLink() else { throw Unexpected("no central") }
            await stage.set(["Connected": .bool(false)])
            while await kit.far({ far.isOpen }) {}
            #expect(await kit.eventCount() == 0)
            await kit.end()
        }

        @Test func `a central's channels end with its link although its address has become another`() async throws {
            let (stage, kit) = try await stage()
            _ = try await kit.perform(Self.publish())
            let far = try await call(kit)
            _ = try await accepted(kit)
            guard case .centralConnected = try await stage.nextOfLink() else { throw Unexpected("no central") }
            await stage.set(["Address": .string("C0:00:00:00:00:02")])
            guard case .centralChanged = try await stage.nextOfLink() else { throw Unexpected("no change") }
            await stage.command { backend in
                let isLinked = backend.hasLink(to: "C0:00:00:00:00:02")
                #expect(isLinked)
            }
            await stage.set(["Connected": .bool(false)])
            guard case .centralDisconnected = try await stage.nextOfLink() else { throw Unexpected("no end") }
            var turns = 0
            while turns < 1_000, await kit.far({ far.isOpen }) { turns += 1 }
            #expect(await !kit.far { far.isOpen })
            #expect(await kit.eventCount() == 0)
            await kit.end()
        }

        @Test func `a radio that goes off takes the publications back and closes the channels`() async throws {
            let (stage, kit) = try await stage()
            _ = try await kit.perform(Self.publish())
            let far = try await call(kit)
            _ = try await accepted(kit)
            await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)]) }
            while await kit.far({ far.isOpen }) {}
            // Behind the turn of the backend that ended all.
            #expect(await kit.eventCount() == 0)
            #expect(kit.fake.terms(of: 0x80) == nil)
            #expect(try await kit.perform(Self.publish()) == .failure(.poweredOff))
            await kit.end()
        }
    }
}
#endif
