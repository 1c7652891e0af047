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
import BlueCapTestExecutor
import Testing

extension OverABus {
    /// Channels of the central role, over the kernel's sockets.
    @Suite(.timeLimit(.minutes(60)))
    struct ChannelOpeningTests {
        private typealias Kit = ChannelKit<BlueZCentralBackend>

        private static func open(psm: UInt16 = 0x80, isEncrypted: Bool = false) -> ChannelOperation {
            .open(Stage.id, psm: psm, isEncrypted: isEncrypted, maximumReceiveLength: 100)
        }

        private func connected(isPaired: Bool = false) async throws -> (Stage, Kit) {
            let stage = try await Stage.connected()
            await stage.stub.run {
                $0.set(Stage.device, BlueZInterface.device, ["AddressType": .string("random")])
                if isPaired { $0.set(Stage.device, BlueZInterface.device, ["Paired": .bool(true)]) }
            }
            if isPaired {
                guard case .bondChanged = try await stage.events.next() else { throw Unexpected("no bond") }
            }
            try await stage.settle()
            return (stage, try await Kit(stage.backend, on: stage))
        }

        private func opened() async throws -> (Stage, Kit, OpenedChannel, FakeChannel) {
            let (stage, kit) = try await connected()
            let id = await kit.request(Self.open())
            let far = await kit.farEnd()
            try await kit.far { () throws(LoopError) in try far.accept(takes: 300) }
            guard case .success(.opened(let channel)) = try await kit.answer(to: id) else { throw Unexpected("none") }
            return (stage, kit, channel, far)
        }

        // MARK: Opening

        @Test func `a channel goes to the device's address, from that of the adapter`() async throws {
            let (_, kit, channel, far) = try await opened()
            #expect(far.peer == KernelAddress("C0:00:00:00:00:01", isRandom: true))
            #expect(far.terms.local == KernelAddress("C0:DE:00:00:00:01", isRandom: false))
            #expect(far.terms.psm == 0x80)
            #expect(!far.terms.isEncrypted)
            #expect(
                channel
                    == OpenedChannel(
                        id: channel.id, peer: Stage.id, psm: 0x80, maximumSendLength: 300, maximumReceiveLength: 100))
            await kit.end()
        }

        @Test func `no channel is opened without a link, which the kernel would make by itself`() async throws {
            let (stage, kit) = try await connected()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            _ = try await stage.events.next()
            #expect(try await kit.perform(Self.open()) == .failure(.disconnected))
            #expect(kit.opened.count == 0)
            await kit.end()
        }

        @Test func `an encrypted channel is not asked for without keys`() async throws {
            let (_, kit) = try await connected()
            #expect(
                try await kit.perform(Self.open(isEncrypted: true)) == .failure(.refused(.insufficientEncryption)))
            #expect(kit.opened.count == 0)
            await kit.end()
        }

        @Test func `a bond counts as keys before bluetoothd says that the device is paired`() async throws {
            let (stage, kit) = try await connected()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Bonded": .bool(true)]) }
            _ = try await stage.events.next()
            await kit.request(Self.open(isEncrypted: true))
            #expect(await kit.farEnd().terms.isEncrypted)
            await kit.end()
        }

        @Test func `a channel that hangs up without an error, on a link that stands, was closed for a fault`() {
            #expect(ChannelError(ending: ENOTCONN) == ChannelError(ending: ECONNRESET))
        }

        @Test func `with keys the kernel has to encrypt the link for an encrypted channel`() async throws {
            let (_, kit) = try await connected(isPaired: true)
            await kit.request(Self.open(isEncrypted: true))
            #expect(await kit.farEnd().terms.isEncrypted)
            await kit.end()
        }

        @Test func `a refusal has no result code`() async throws {
            let (_, kit) = try await connected()
            let id = await kit.request(Self.open())
            let far = await kit.farEnd()
            await kit.far { far.refuse(ECONNREFUSED) }
            #expect(try await kit.answer(to: id) == .failure(.refused(nil)))
            await kit.end()
        }

        @Test func `an attempt of which the kernel tells nothing ends after half a minute`() async throws {
            let (stage, kit) = try await connected()
            let id = await kit.request(Self.open())
            _ = await kit.farEnd()
            await stage.clock.waitForTimer(within: .seconds(30))
            stage.clock.advance(by: .seconds(30))
            #expect(try await kit.answer(to: id) == .failure(.openTimeout))
            await kit.end()
        }

        @Test func `the 65th channel on a link is refused before the kernel is asked`() async throws {
            let (_, kit) = try await connected()
            for _ in 0..<64 { await kit.request(Self.open()) }
            #expect(try await kit.perform(Self.open()) == .failure(.tooManyChannels))
            await kit.opened.wait(for: 64)
            #expect(kit.opened.count == 64)
            await kit.end()
        }

        @Test func `without Bluetooth sockets the refusal says what a container needs`() async throws {
            let (_, kit) = try await connected()
            kit.fake.refuse(EAFNOSUPPORT)
            guard case .failure(.backend(let failure)) = try await kit.perform(Self.open()) else {
                throw Unexpected("no failure")
            }
            #expect(failure.name == "Channel.NoBluetooth")
            #expect(failure.advice == "a container needs the network of its host")
            await kit.end()
        }

        // MARK: Units

        @Test func `units go both ways, and those that the manager does not allow wait`() async throws {
            let (_, kit, channel, far) = try await opened()
            #expect(try await kit.perform(.send(channel.id, [1, 2])) == .success(.done))
            await kit.far { for number: UInt8 in 1...3 { far.send([number]) } }
            #expect(await kit.eventCount() == 0)
            await kit.command(.allow(channel.id, count: 2))
            #expect(try await kit.received() == [1])
            #expect(try await kit.received() == [2])
            #expect(await kit.eventCount() == 0)
            await kit.command(.allow(channel.id, count: 2))
            #expect(try await kit.received() == [3])
            await kit.end()
        }

        @Test func `a unit for which the peer gives no credits waits for them, or for the end`() async throws {
            let (_, kit, channel, far) = try await opened()
            await kit.far { far.pause() }
            var waiting = RequestID(rawValue: 0)
            repeat {
                waiting = await kit.request(.send(channel.id, [1]))
                if await kit.eventCount() == 0 { break }
            } while try await kit.answer(to: waiting) == .success(.done)
            await kit.far { far.resume() }
            #expect(try await kit.answer(to: waiting) == .success(.done))
            await kit.end()
        }

        // MARK: Ends

        @Test func `a channel that the peer closes ends quietly behind its units`() async throws {
            let (_, kit, channel, far) = try await opened()
            await kit.far {
                far.send([1])
                far.close()
            }
            await kit.command(.allow(channel.id, count: 9))
            #expect(try await kit.received() == [1])
            #expect(try await kit.end(of: channel.id) == nil)
            #expect(try await kit.perform(.send(channel.id, [1])) == .failure(.closed))
            await kit.end()
        }

        @Test(
            arguments: [
                (ECONNRESET, nil), (ETIMEDOUT, .disconnected), (ECONNABORTED, .disconnected),
            ] as [(Int32, ChannelError?)])
        func `an end that may be the link's is told once the link has had time to end`(
            errno: Int32, error: ChannelError?
        ) async throws {
            let (stage, kit, channel, far) = try await opened()
            await kit.command(.allow(channel.id, count: 9))
            await kit.far { far.close(failure: errno) }
            await stage.clock.waitForTimer(within: .seconds(2))
            #expect(await kit.eventCount() == 0)
            stage.clock.advance(by: .seconds(2))
            let end = try await kit.end(of: channel.id)
            if let error {
                #expect(end == error)
            } else {
                guard case .backend(let failure)? = end else { throw Unexpected("\(String(describing: end))") }
                #expect(failure.name == "Channel.Reset")
            }
            await kit.end()
        }

        @Test func `the end of a link is that of its channels, of which nothing is told but what had come`()
            async throws
        {
            let (stage, kit, channel, far) = try await opened()
            await kit.command(.allow(channel.id, count: 9))
            await kit.far {
                far.send([7])
                far.close(failure: ECONNRESET)
            }
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            guard case .disconnected = try await stage.events.next() else { throw Unexpected("no end") }
            #expect(try await kit.received() == [7])
            stage.clock.advance(by: .seconds(9))
            #expect(await kit.eventCount() == 0)
            await kit.end()
        }

        @Test func `a channel that the manager closes is closed at the peer`() async throws {
            let (_, kit, channel, far) = try await opened()
            await kit.command(.close(channel.id))
            while await kit.far({ far.isOpen }) {}
            #expect(await kit.eventCount() == 0)
            await kit.end()
        }

        @Test func `a radio that goes off closes the channels without a word`() async throws {
            let (stage, kit, _, far) = try await opened()
            await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)]) }
            #expect(try await stage.events.state() == .poweredOff)
            while await kit.far({ far.isOpen }) {}
            #expect(await kit.eventCount() == 0)
            #expect(try await kit.perform(Self.open()) == .failure(.poweredOff))
            await kit.end()
        }

        @Test func `the end of one channel touches no other`() async throws {
            let (stage, kit, channel, _) = try await opened()
            let id = await kit.request(Self.open())
            let other = await kit.farEnd(2)
            try await kit.far { () throws(LoopError) in try other.accept() }
            guard case .success(.opened(let second)) = try await kit.answer(to: id) else { throw Unexpected("none") }
            await kit.command(.allow(second.id, count: 9))
            await kit.far { other.close(failure: ECONNRESET) }
            await stage.clock.waitForTimer(within: .seconds(2))
            #expect(try await kit.perform(.send(channel.id, [1])) == .success(.done))
            stage.clock.advance(by: .seconds(2))
            guard case .backend? = try await kit.end(of: second.id) else { throw Unexpected("no reset") }
            await kit.end()
        }
    }
}
#endif
