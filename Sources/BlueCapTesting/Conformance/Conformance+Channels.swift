// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Connection-oriented channels from the central's side.
    static let channels: [Behaviour] = unitsOfChannels + openingChannels + endsOfChannels

    private static let psm: UInt16 = 0x80

    // MARK: Units

    private static let unitsOfChannels: [Behaviour] = [
        behaviour("units go both ways over a channel, each whole and in order", .init(behaviour: .echo)) { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            let units: [Bytes] = (1...40).map { Bytes.numbered($0, size: 4 + $0 * 7) }
            async let echoes: Void = scene.expect(units, from: channel)
            for unit in units { try await channel.send(unit) }
            try await echoes
            try scene.expectUnits(try await scene.channels.channelUnits(psm: psm), units)
        },
        behaviour("a unit of the longest length goes through, and a longer one is refused") { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            try expectEqual(channel.maximumSendLength, 2048, "the longest unit that the peer takes")
            let unit = Bytes.numbered(7, size: 2048)
            try await channel.send(unit)
            try await expectThrows(ChannelError.unitTooLong(count: 2049, maximum: 2048), "a longer unit") {
                try await channel.send(Bytes.numbered(8, size: 2049))
            }
            try await channel.send([1])
            try await scene.arrived(2049)
            try scene.expectUnits(try await scene.channels.channelUnits(psm: psm), [unit, [1]])
        },
        behaviour("an empty unit is refused, and the channel goes on") { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            try await expectThrows(ChannelError.emptyUnit, "an empty unit") { try await channel.send([]) }
            try await channel.send([5])
            try await scene.arrived(1)
        },
        behaviour("units of the peer wait for a reader that comes late, and none is lost") { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            let units = (0..<300).map { Bytes.numbered($0, size: 100) }
            try await scene.channels.sendUnits(units, psm: psm)
            try await scene.pass(.seconds(2))
            try expect(channel.statistics.receivedUnitCount < 50, "units came without a reader's credits")
            try await scene.expect(units, from: channel)
        },
        behaviour("a hundred thousand bytes arrive whole and in order") { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            let units = (0..<200).map { Bytes.numbered($0, size: 500) }
            for unit in units { try await channel.send(unit) }
            try await scene.arrived(100_000)
            try scene.expectUnits(try await scene.channels.channelUnits(psm: psm), units)
        },
        behaviour("units and bytes are counted", .init(behaviour: .echo)) { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            async let echoes: Void = scene.expect([[1, 2, 3], [4]], from: channel)
            try await channel.send([1, 2, 3])
            try await channel.send([4])
            try await echoes
            var expected = ChannelStatistics()
            (expected.sentUnitCount, expected.sentByteCount) = (2, 4)
            (expected.receivedUnitCount, expected.receivedByteCount) = (2, 4)
            if scene.world.limit(.unitBoundaries) != nil {
                expected.receivedUnitCount = channel.statistics.receivedUnitCount
            }
            try expectEqual(channel.statistics, expected, "the counts")
        },
        behaviour("eight channels on one link have units of their own", .init(behaviour: .echo)) { scene in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let channel = try await scene.peripheral.openChannel(psm: psm)
                        let units = (0..<20).map { Bytes.numbered(number * 100 + $0, size: 300) }
                        async let echoes: Void = scene.expect(units, from: channel)
                        for unit in units { try await channel.send(unit) }
                        try await echoes
                    }
                }
                try await group.waitForAll()
            }
        },
    ]

    // MARK: Opening

    private static let openingChannels: [Behaviour] = [
        behaviour("a PSM out of range is refused before anything is sent") { scene in
            for number: UInt16 in [0, 256, .max] {
                try await expectThrows(ChannelError.psmOutOfRange(number), "opening a channel") {
                    try await scene.peripheral.openChannel(psm: number)
                }
            }
        },
        behaviour("a PSM on which the peer takes no channels is refused by it") { scene in
            try await expectThrows(ChannelError.refused(scene.told(.psmNotSupported)), "opening a channel") {
                try await scene.peripheral.openChannel(psm: 0x99)
            }
            _ = try await scene.peripheral.openChannel(psm: psm)
        },
        behaviour("each result code of a refusal reaches the caller") { scene in
            for code: UInt16 in [2, 4, 5, 6, 7, 8, 9, 10, 11, 0x1234] {
                let refusal = ChannelRefusal(rawValue: code)
                if scene.told(refusal) == nil, refusal.isOfSecurity { continue }
                try await scene.channels.publish(TwinChannel(psm: 0x81, refusal: refusal))
                try await expectThrows(ChannelError.refused(scene.told(refusal)), "opening a channel") {
                    try await scene.peripheral.openChannel(psm: 0x81)
                }
            }
            try await scene.channels.publish(TwinChannel(psm: 0x81))
            _ = try await scene.peripheral.openChannel(psm: 0x81)
        },
        behaviour("a channel for no connection is refused") { scene in
            await scene.peripheral.disconnect()
            try await expectThrows(ChannelError.disconnected, "opening a channel") {
                try await scene.peripheral.openChannel(psm: psm)
            }
        },
        behaviour("a link has 64 channels, and another one after one was closed") { scene in
            var channels: [Channel] = []
            for _ in 0..<64 { channels.append(try await scene.peripheral.openChannel(psm: psm)) }
            try await expectThrows(ChannelError.tooManyChannels, "opening the 65th channel") {
                try await scene.peripheral.openChannel(psm: psm)
            }
            channels[10].close()
            try await scene.channels.wait(forChannels: 63, psm: psm)
            // The peer's answer to the end has to come before the number is free.
            try await scene.pass(.seconds(1))
            channels[10] = try await scene.peripheral.openChannel(psm: psm)
            try await channels[10].send([1])
            try await scene.arrived(1)
        },
        behaviour("a channel that is opened and closed over and over leaves nothing behind") { scene in
            for number: UInt8 in 0..<200 {
                let channel = try await scene.peripheral.openChannel(psm: psm)
                try await channel.send([number])
                try await scene.arrived(Int(number) + 1)
                channel.close()
            }
            try await scene.channels.wait(forChannels: 0, psm: psm)
        },
        behaviour("a PSM that wants encryption refuses a link without", .init(isEncrypted: true)) { scene in
            guard scene.told(.insufficientEncryption) == nil else {
                return try await expectThrows(ChannelError.refused(.insufficientEncryption), "opening a channel") {
                    try await scene.peripheral.openChannel(psm: psm)
                }
            }
            // The platform pairs by itself, in vain without an answer; the link may end with that.
            async let outcome = outcome(of: {
                _ = try await scene.peripheral.openChannel(psm: psm, timeout: .seconds(3))
            })
            try await scene.pass(.seconds(4))
            if case .failure(let error as ChannelError) = await outcome, error == .disconnected { return }
            try expectFailure(await outcome, ChannelError.openTimeout, "opening a channel")
        },
        behaviour("an encrypted channel pairs first", .init(behaviour: .echo, isEncrypted: true)) { scene in
            let requests = scene.central.pairingRequests()
            let channel = try await scene.peripheral.openChannel(psm: psm, encrypted: true)
            withExtendedLifetime(requests) {}
            try expect(scene.peripheral.isBonded, "the peripheral is not bonded")
            async let echoes: Void = scene.expect([[9]], from: channel)
            try await channel.send([9])
            try await echoes
        },
        behaviour("a channel is not opened in the clear where the peer does not pair", pairs: false) { scene in
            try await expectThrows(for: [.pairing(.failed), .pairing(.rejected)], "opening an encrypted channel") {
                try await scene.peripheral.openChannel(psm: psm, encrypted: true)
            }
            try await scene.channels.wait(forChannels: 0, psm: psm)
        },
    ]

    // MARK: Ends

    private static let endsOfChannels: [Behaviour] = [
        behaviour("a channel that the peer closes ends quietly after its units") { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            try await scene.channels.sendUnits([[1], [2]], psm: psm)
            try await scene.expect([[1], [2]], from: channel)
            try await scene.channels.closeChannels(psm: psm)
            try expectEqual(try await channel.prefix(9), [], "the units after the end")
            try expect(!channel.isOpen, "the channel is open")
            try await expectThrows(ChannelError.closed, "a unit after the end") { try await channel.send([3]) }
            try expect(scene.peripheral.isConnected, "the link has ended with the channel")
        },
        behaviour("a channel that is closed sends nothing more, and the peer hears of it") { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            try await scene.channels.wait(forChannels: 1, psm: psm)
            channel.close()
            try await expectThrows(ChannelError.closed, "a unit after the end") { try await channel.send([3]) }
            try await scene.channels.wait(forChannels: 0, psm: psm)
            try expectEqual(try await channel.prefix(9), [], "the units after the end")
        },
        behaviour("a channel that is released is closed") { scene in
            do { _ = try await scene.peripheral.openChannel(psm: psm) }
            try await scene.channels.wait(forChannels: 0, psm: psm)
        },
        behaviour("a channel ends with its link") { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            try await scene.losingLink { try await scene.peer.disconnect() }
            try await expectThrows(ChannelError.disconnected, "the units") { try await channel.prefix(1) }
            try await expectThrows(ChannelError.disconnected, "a unit") { try await channel.send([1]) }
        },
        behaviour("a unit that waits for credits ends with the link", .init(behaviour: .stall)) { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            async let outcome = outcome(of: { for _ in 0..<100 { try await channel.send([1]) } })
            try await scene.pass(.seconds(2))
            try expect(channel.statistics.sentUnitCount < 100, "no unit waits for credits")
            try await scene.losingLink { try await scene.peer.disconnect() }
            try expectFailure(await outcome, ChannelError.disconnected, "a unit without credits")
        },
        behaviour("a unit that waits for credits is given up by its caller", .init(behaviour: .stall)) { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            let other = try await scene.peripheral.openChannel(psm: psm)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for _ in 0..<100 { try await channel.send([1]) } }
                try await scene.pass(.seconds(2))
                group.cancelAll()
                let result = try require(await group.nextResult(), "the end of the sending task")
                try expectFailure(result, ChannelError.cancelled, "a unit without credits")
            }
            // Another channel has credits of its own.
            try await other.send([2])
        },
        behaviour("a peer that exceeds its credits has that channel closed alone") { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            try await scene.channels.publish(TwinChannel(psm: 0x81, behaviour: .echo))
            let other = try await scene.peripheral.openChannel(psm: 0x81)
            try await scene.channels.misbehave(.exceedingCredits, psm: psm)
            try await scene.ended(channel)
            try await scene.expectFault(.peerExceededCredits) { try await channel.prefix(1000) }
            async let echoes: Void = scene.expect([[1]], from: other)
            try await other.send([1])
            try await echoes
        },
        behaviour("a peer that exceeds the longest length has the channel closed") { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            try await scene.channels.misbehave(.exceedingLength, psm: psm)
            try await scene.ended(channel)
            try await scene.expectFault(.peerExceededLength) { try await channel.prefix(1) }
            try await scene.channels.wait(forChannels: 0, psm: psm)
        },
        behaviour("a channel that the peer closes in the middle of a unit ends without it") { scene in
            let channel = try await scene.peripheral.openChannel(psm: psm)
            try await scene.channels.misbehave(.closingWithinUnit, psm: psm)
            try expectEqual(try await channel.prefix(1), [], "the units")
        },
    ]

    /// A behaviour of channels to a peer that takes them, or of their refusal where there are none.
    private static func behaviour(
        _ name: String, _ channel: TwinChannel = TwinChannel(), pairs: Bool = true,
        _ body: @escaping @Sendable (Scene) async throws -> Void
    ) -> Behaviour {
        Behaviour(name) { world in
            let scene = try await Scene.connected(
                Twin(name: "Peer"), pairing: PeerPairing(accepts: pairs), in: world)
            if let reason = world.limit(.channels)?.error {
                return try await expectThrows(for: [reason], "opening a channel") {
                    try await scene.peripheral.openChannel(psm: channel.psm)
                }
            }
            try await scene.channels.publish(channel)
            try await body(scene)
        }
    }
}

extension ChannelRefusal {
    /// Whether the peer wants another security than the link has.
    fileprivate var isOfSecurity: Bool { self == .insufficientAuthentication || self == .insufficientEncryption }
}

extension Channel {
    /// The next units, fewer where the channel ends.
    fileprivate func prefix(_ count: Int) async throws(ChannelError) -> [Bytes] {
        var units: [Bytes] = []
        var iterator = makeAsyncIterator()
        while units.count < count, let unit = try await iterator.next() { units.append(unit) }
        return units
    }
}

extension Scene {
    /// The peer, which takes channels.
    fileprivate var channels: any ChannelPeer {
        get throws { try require(peer as? any ChannelPeer, "the peer's ability to take channels") }
    }

    /// Lets time pass on the world's clock.
    fileprivate func pass(_ duration: Duration) async throws {
        // A world may wait for a timer before it passes time. A task that sleeps could be late: time would pass for
        // another timer, and not for it.
        let timer = world.clock.schedule(after: duration) {}
        try await world.elapse(duration)
        timer.cancel()
    }

    /// The result code of a refusal that reaches the caller; nil where the platform does not know it.
    fileprivate func told(_ refusal: ChannelRefusal) -> ChannelRefusal? {
        world.limit(.channelRefusal) == nil ? refusal : nil
    }

    /// Returns when a channel has ended, or once the peer has had the time to end it: a platform may tell the end
    /// behind the last unit only, and look first whether the link has ended.
    fileprivate func ended(_ channel: Channel) async throws {
        let looks = world.linkInterval > .milliseconds(300) ? 50 : 10
        for _ in 0..<looks where channel.isOpen { try await pass(.milliseconds(500)) }
    }

    /// Expects the error of a rule that the peer has broken; the platform's own failure where it names no rules.
    fileprivate func expectFault(
        _ error: ChannelError, _ units: @Sendable () async throws -> [Bytes]
    ) async throws {
        if world.limit(.channelFault) == nil { return try await expectThrows(error, "the units", units) }
        do {
            _ = try await units()
        } catch ChannelError.backend {
            return
        }
        throw ConformanceFailure("the channel ended without an error")
    }

    /// Returns when this many bytes have arrived at the peer.
    fileprivate func arrived(_ count: Int) async throws {
        func arrived() async throws -> Int { try await channels.channelUnits(psm: 0x80).reduce(0) { $0 + $1.count } }
        for look in 0..<240 {
            if try await arrived() >= count { break }
            // A world may pass shorter times by itself, and then waits for them in vain.
            if look >= 40 { try await pass(.milliseconds(300)) }
        }
        try expectEqual(try await arrived(), count, "the number of bytes at the peer")
    }

    /// Takes units from a channel, and holds them against those that were sent.
    fileprivate func expect(_ units: [Bytes], from channel: Channel) async throws {
        let count = units.reduce(0) { $0 + $1.count }
        var (taken, received): ([Bytes], Int) = ([], 0)
        var iterator = channel.makeAsyncIterator()
        while received < count, let unit = try await iterator.next() {
            taken.append(unit)
            received += unit.count
        }
        try expectUnits(taken, units)
    }

    /// Holds units against those that were sent: their bytes alone where the platform joins and cuts units.
    fileprivate func expectUnits(_ actual: [Bytes], _ expected: [Bytes]) throws {
        guard world.limit(.unitBoundaries) != nil else { return try expectEqual(actual, expected, "the units") }
        try expectEqual(Array(actual.joined()), Array(expected.joined()), "the bytes of the units")
    }
}
