// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting

/// Channels that another stack's central opens to a PSM of ours.
enum FarChannelBehaviours {
    static let all: [DaemonBehaviour] = [
        DaemonBehaviour("a far central opens a channel, and a megabyte goes each way with equal SHA-256") { world in
            let scene = try await Scene(world)
            let published = try await scene.manager.publishChannel()
            try expectEqual(published.psm, 0x80, "the PSM that the platform chose")
            var channels = published.makeAsyncIterator()
            let (channel, number) = try await scene.open(&channels)
            try expectEqual(channel.maximumSendLength, 2048, "the longest unit that the central takes")
            let sent = try await scene.far.sendMadeUnits(count: 512, size: 2048, over: number)
            try expectEqual(try UnitLoad(try await channel.next(512)).sha256, sent, "SHA-256 of those received")
            let load = UnitLoad(count: 512, size: 2048)
            for unit in load.units { try await channel.send(unit) }
            try expectEqual(
                try await scene.far.summary(ofUnits: 512, of: number).sha256, try load.sha256, "SHA-256 of those sent")
        },
        DaemonBehaviour("a far central is refused on a PSM that is not published, or not any more") { world in
            let scene = try await Scene(world)
            try await scene.expectRefusal(.psmNotSupported, 0x90)
            do {
                let published = try await scene.manager.publishChannel(psm: 0x90)
                do throws(ChannelError) {
                    _ = try await scene.manager.publishChannel(psm: 0x90)
                    throw .closed
                } catch { try expectEqual(error, .psmTaken(0x90), "publishing it again") }
                var channels = published.makeAsyncIterator()
                _ = try await scene.open(&channels, psm: 0x90)
            }
            // The PSM is taken back a moment after its publication was released.
            for _ in 0..<50 {
                if case .failure = try await scene.far.openChannel(psm: 0x90) { break }
                try await world.elapse(.milliseconds(100))
            }
            try await scene.expectRefusal(.psmNotSupported, 0x90)
        },
        DaemonBehaviour("an encrypted PSM refuses a far central until it has paired") { world in
            let scene = try await Scene(world)
            let published = try await scene.manager.publishChannel(encrypted: true)
            try await scene.expectRefusal(.insufficientEncryption, published.psm)
            async let isPaired = scene.far.pair()
            async let isAccepted = scene.requests.first { _ in true }?.accept()
            guard try await isPaired else { throw ConformanceFailure("the far central did not pair") }
            try expectEqual(await isAccepted, true, "the answer to its request")
            var channels = published.makeAsyncIterator()
            let (channel, number) = try await scene.open(&channels)
            try await channel.send([1])
            try expectEqual(try await scene.far.units(of: number, count: 1), [[1]], "the unit")
        },
        DaemonBehaviour("a channel of a far central ends for both, whichever closes it") { world in
            let scene = try await Scene(world)
            var channels = try await scene.manager.publishChannel().makeAsyncIterator()
            let (first, firstNumber) = try await scene.open(&channels)
            try await scene.far.sendUnits([[1], [2]], over: firstNumber)
            try expectEqual(try await first.next(2), [[1], [2]], "the units")
            try await scene.far.closeChannel(firstNumber)
            try expectEqual(try await first.next(1), [], "the units after the end")
            let (second, secondNumber) = try await scene.open(&channels)
            second.close()
            try await scene.far.waitForEnd(of: secondNumber)
        },
        DaemonBehaviour("a far central that exceeds credits or length has that channel closed alone") { world in
            let scene = try await Scene(world)
            var channels = try await scene.manager.publishChannel().makeAsyncIterator()
            let (other, otherNumber) = try await scene.open(&channels, .echo)
            for fault in [TwinChannel.Fault.exceedingCredits, .exceedingLength] {
                let (channel, number) = try await scene.open(&channels)
                try await scene.far.misbehave(fault, on: number)
                try await scene.far.waitForEnd(of: number)
                do throws(ChannelError) {
                    let units = try await channel.next(2000)
                    throw .backend(BackendFailure(name: "none", message: "\(units.count) units and the end"))
                } catch {
                    // The kernel does not tell which rule it was.
                    guard case .backend(let failure) = error, failure.name == "Channel.Reset" else {
                        throw ConformanceFailure("\(fault) ended the channel by \(error)")
                    }
                }
            }
            try await other.send([1])
            try expectEqual(try await scene.far.units(of: otherNumber, count: 1), [[1]], "the unit")
            try expectEqual(try await other.next(1), [[1]], "the unit that came back")
        },
    ]

    private struct Scene {
        let manager: PeripheralManager
        /// Of those that pair, from before one could connect.
        let requests: AsyncStream<PairingRequest>
        let far: BedCentral

        init(_ world: BedWorld) async throws {
            manager = try await world.makePeripheralManager()
            try await manager.whenPoweredOn()
            requests = manager.pairingRequests()
            try await manager.startAdvertising("Ours")
            far = try await world.makeFarCentral(0)
            _ = try await far.connect(to: try await far.hear { $0.localName == "Ours" })
        }

        func open(
            _ channels: inout PublishedChannels.Iterator, psm: UInt16 = 0x80,
            _ behaviour: TwinChannel.Behaviour = .keep
        ) async throws -> (Channel, Int) {
            let number = try await far.openChannel(psm: psm, behaviour: behaviour).get()
            guard let channel = try await channels.next() else { throw ConformanceFailure("no channel came") }
            try expectEqual(channel.peer, far.address, "the central")
            return (channel, number)
        }

        func expectRefusal(_ expected: ChannelRefusal, _ psm: UInt16) async throws {
            let outcome = try await far.openChannel(psm: psm)
            guard case .failure(expected) = outcome else { throw ConformanceFailure("it was not refused: \(outcome)") }
        }
    }
}
#endif
