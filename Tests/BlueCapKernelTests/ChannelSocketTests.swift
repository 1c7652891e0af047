// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapKernel
import BlueCapFakeKernel
import BlueCapLoop
import BlueCapPlatform
import BlueCapSerDe
import BlueCapTestExecutor
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ChannelSocketTests {
    private static func units(_ count: Int) -> [Bytes] { (1...count).map { [UInt8($0), 7] } }

    // MARK: Opening

    @Test func `a channel is open once the peer has said so, with the lengths of both`() async throws {
        let stage = try ChannelStage()
        let far = try await stage.connecting()
        #expect(far.terms == ChannelStage.terms())
        #expect(far.peer == ChannelStage.other)
        #expect(stage.events.count == 0)
        try await stage.run { _ throws(LoopError) in try far.accept(takes: 300) }
        await stage.events.wait(for: 1)
        #expect(stage.events.all == [.opened(ChannelLengths(sent: 300, received: 100))])
        await stage.end()
    }

    @Test(arguments: [ECONNREFUSED, ETIMEDOUT, EHOSTUNREACH, EACCES])
    func `a channel that is not opened ends by the kernel's reason`(errno: Int32) async throws {
        let stage = try ChannelStage()
        let far = try await stage.connecting()
        await stage.run { _ in far.refuse(errno) }
        await stage.events.wait(for: 1)
        #expect(stage.events.all == [.ended(.failed(errno: errno))])
        await stage.end()
    }

    // MARK: Units

    @Test func `units come whole and in order, as many as are allowed`() async throws {
        let stage = try ChannelStage()
        let far = try await stage.connected()
        await stage.send(Self.units(5), from: far)
        await stage.allow(3)
        await stage.units.wait(for: 3)
        await stage.allow(1)
        await stage.units.wait(for: 4)
        // Another one had come by now.
        await stage.run { _ in }
        #expect(stage.units.all == Array(Self.units(5).prefix(4)))
        await stage.allow(1)
        await stage.units.wait(for: 5)
        #expect(stage.units.all == Self.units(5))
        await stage.end()
    }

    @Test func `a unit without bytes is no end`() async throws {
        let stage = try ChannelStage()
        let far = try await stage.connected()
        await stage.allow(9)
        await stage.send([[], [1]], from: far)
        await stage.units.wait(for: 2)
        #expect(stage.units.all == [[], [1]])
        await stage.end()
    }

    @Test func `a unit goes out at once where there is room, and later where there is none`() async throws {
        let stage = try ChannelStage()
        let arrived = Recorder<[UInt8]>()
        let far = try await stage.connected()
        await stage.run { _ in
            far.onUnit = { arrived.add($0) }
            far.pause()
        }
        let count = await stage.run { stage in
            var count = 1
            while stage.socket?.send([UInt8(count)]) == .sent { count += 1 }
            // One unit at a time.
            #expect(stage.socket?.send([0]) == .refused(errno: ENOTCONN))
            return count
        }
        #expect(stage.events.count == 1)
        await stage.run { _ in far.resume() }
        await stage.events.wait(for: 2)
        #expect(stage.events.all[1] == .sent)
        await arrived.wait(for: count)
        #expect(arrived.all == (1...count).map { [UInt8($0)] })
        await stage.end()
    }

    @Test func `a unit that is longer than the socket takes is refused alone`() async throws {
        let stage = try ChannelStage()
        let far = try await stage.connected()
        let arrived = Recorder<[UInt8]>()
        await stage.run { stage in
            far.onUnit = { arrived.add($0) }
            let long = Bytes([UInt8](repeating: 1, count: 100_000))
            #expect(stage.socket?.send(long) == .refused(errno: EMSGSIZE))
            #expect(stage.socket?.send([1]) == .sent)
        }
        await arrived.wait(for: 1)
        #expect(arrived.all == [[1]])
        await stage.end()
    }

    // MARK: Ends

    @Test func `a peer's end comes behind its units`() async throws {
        let stage = try ChannelStage()
        let far = try await stage.connected()
        await stage.send(Self.units(3), from: far)
        await stage.run { _ in far.close() }
        await stage.allow(2)
        await stage.units.wait(for: 2)
        #expect(stage.events.count == 1)
        await stage.allow(2)
        await stage.events.wait(for: 2)
        #expect(stage.units.all == Self.units(3))
        #expect(stage.events.all[1] == .ended(.closedByPeer))
        await stage.end()
    }

    @Test func `a reset by a peer that has closed the channel is its quiet end`() async throws {
        let stage = try ChannelStage()
        let far = try await stage.connected()
        await stage.allow(9)
        await stage.run { stage in
            far.pause()
            // What a peer has not read makes its end a reset.
            _ = stage.socket?.send([1])
            far.send([2])
            far.close()
        }
        await stage.events.wait(for: 2)
        #expect(stage.units.all == [[2]])
        #expect(stage.events.all[1] == .ended(.closedByPeer))
        await stage.end()
    }

    @Test(arguments: [ECONNRESET, ETIMEDOUT, ECONNABORTED])
    func `an end that is no peer's comes behind the units, with its reason`(errno: Int32) async throws {
        let stage = try ChannelStage()
        let far = try await stage.connected()
        await stage.send(Self.units(2), from: far)
        await stage.run { _ in far.close(failure: errno) }
        await stage.allow(9)
        await stage.events.wait(for: 2)
        #expect(stage.units.all == Self.units(2))
        #expect(stage.events.all[1] == .ended(.failed(errno: errno)))
        await stage.end()
    }

    @Test func `a unit over the agreed length ends the channel`() async throws {
        let stage = try ChannelStage()
        let far = try await stage.connected()
        await stage.allow(9)
        await stage.send([[1], Bytes([UInt8](repeating: 2, count: 101)), [3]], from: far)
        await stage.events.wait(for: 2)
        #expect(stage.units.all == [[1]])
        #expect(stage.events.all[1] == .ended(.failed(errno: EMSGSIZE)))
        await stage.end()
    }

    @Test func `a unit that waits when the channel ends does not go out, although units wait to be taken`() async throws
    {
        let stage = try ChannelStage()
        let far = try await stage.connected()
        await stage.send([[1]], from: far)
        await stage.run { stage in
            far.pause()
            while stage.socket?.send([5]) == .sent {}
            far.close(failure: ETIMEDOUT)
        }
        await stage.events.wait(for: 2)
        #expect(stage.events.all[1] == .notSent(errno: ETIMEDOUT))
        await stage.run { #expect($0.socket?.send([6]) == .refused(errno: ETIMEDOUT)) }
        await stage.allow(1)
        await stage.units.wait(for: 1)
        await stage.allow(1)
        await stage.events.wait(for: 3)
        #expect(stage.events.all[2] == .ended(.failed(errno: ETIMEDOUT)))
        await stage.end()
    }

    @Test func `a channel that is closed tells the peer, and its owner nothing more`() async throws {
        let stage = try ChannelStage()
        let ends = Recorder<Bool>()
        let far = try await stage.connected()
        await stage.run { stage in
            far.onClose = { ends.add(true) }
            far.send([1])
            stage.socket?.close()
        }
        await ends.wait(for: 1)
        #expect(stage.events.count == 1)
        #expect(stage.units.count == 0)
        await stage.end()
    }

    @Test func `units that have arrived are drained before an end`() async throws {
        let stage = try ChannelStage()
        let far = try await stage.connected()
        await stage.run { stage in
            stage.socket?.allow(9)
            far.send([1])
            far.send([2])
            stage.socket?.drain()
            stage.socket?.close()
        }
        #expect(stage.units.all == [[1], [2]])
        await stage.end()
    }

    // MARK: Listening

    @Test func `a listener takes channels with the device that opens them`() async throws {
        let stage = try ChannelStage()
        #expect(try await stage.listen(psm: 0) == 0x80)
        let far = try await stage.open(psm: 0x80)
        await stage.accepted.wait(for: 1)
        let channel = stage.accepted.all[0]
        #expect(channel.peer == ChannelStage.other)
        #expect(channel.peer.text == "C0:00:00:00:00:02")
        #expect(channel.psm == 0x80)
        #expect(channel.lengths == ChannelLengths(sent: 2_048, received: 100))
        await stage.allow(1)
        await stage.send([[4]], from: far)
        await stage.units.wait(for: 1)
        await stage.end()
    }

    @Test func `a PSM is taken while a listener has it`() async throws {
        let stage = try ChannelStage()
        _ = try await stage.listen(psm: 0x85)
        await #expect(throws: LoopError(call: "bind", errno: EADDRINUSE)) { try await stage.listen(psm: 0x85) }
        await stage.run { $0.listener?.close() }
        #expect(try await stage.listen(psm: 0x85) == 0x85)
        await stage.end()
    }

    @Test func `without Bluetooth the kernel's own refusal comes`() async throws {
        let sockets = KernelChannelSockets()
        do throws(LoopError) {
            _ = try sockets.listen(ChannelStage.terms(psm: 0x80))
        } catch {
            // No machine has this adapter; many that build have no Bluetooth at all.
            #expect([EAFNOSUPPORT, EADDRNOTAVAIL, EADDRINUSE, EPERM].contains(error.errno))
        }
    }
}
#endif
