// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting

/// Loads of channels that our central opens to another stack's peripheral.
enum ChannelBehaviours {
    private static let psm: UInt16 = 0x80

    /// - Parameter stall: How long a peer gives no credits.
    static func all(stall: Duration) -> [DaemonBehaviour] {
        [
            DaemonBehaviour("a megabyte goes each way over a channel, with equal SHA-256") { world in
                let (peer, peripheral, _) = try await connected(TwinChannel(psm: psm), in: world)
                let channel = try await peripheral.openChannel(psm: psm)
                let load = UnitLoad(count: 512, size: 2048)
                for unit in load.units { try await channel.send(unit) }
                let arrived = try await peer.summary(ofUnits: 512, psm: psm)
                try expectEqual(arrived.sha256, try load.sha256, "SHA-256 of those sent")
                let sent = try await peer.sendMadeUnits(count: 512, size: 2048, psm: psm)
                try expectEqual(try UnitLoad(try await channel.next(512)).sha256, sent, "SHA-256 of those received")
            },
            DaemonBehaviour("eight channels at once carry 64 kB each way, and mix nothing") { world in
                let (_, peripheral, _) = try await connected(TwinChannel(psm: psm, behaviour: .echo), in: world)
                var channels: [Channel] = []
                for _ in 0..<8 { channels.append(try await peripheral.openChannel(psm: psm)) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, channel) in channels.enumerated() {
                        group.addTask {
                            let load = UnitLoad(count: 128, size: 512, seed: UInt64(number + 1))
                            async let echoes = channel.next(128)
                            for unit in load.units { try await channel.send(unit) }
                            try expectEqual(try await echoes, load.units, "the units of channel \(number)")
                        }
                    }
                    try await group.waitForAll()
                }
            },
            DaemonBehaviour("a thousand channels are opened and closed on one link, and none leaves anything behind") {
                world in
                let (peer, peripheral, _) = try await connected(TwinChannel(psm: psm), in: world)
                try await peripheral.openChannel(psm: psm).close()
                try await peer.wait(forChannels: 0, psm: psm)
                let before = Footprint()
                for _ in 0..<1000 { try await peripheral.openChannel(psm: psm).close() }
                let opened = try await peer.opened(whenOpen: 0, psm: psm)
                try expectEqual(opened, 1001, "the channels that were opened")
                try expectEqual(try await peer.connections().total, 1, "the links that there were")
                let after = Footprint()
                guard after.descriptors <= before.descriptors,
                    after.kilobytes - before.kilobytes <= Footprint.noise
                else { throw ConformanceFailure("\(before) became \(after)") }
            },
            DaemonBehaviour("an encrypted channel pairs before it is asked for") { world in
                let (peer, peripheral, central) = try await connected(
                    TwinChannel(psm: psm, isEncrypted: true), in: world)
                let requests = central.pairingRequests()
                let channel = try await peripheral.openChannel(psm: psm, encrypted: true)
                withExtendedLifetime(requests) {}
                try await channel.send([1])
                try expectEqual(try await peer.opened(whenOpen: 1, psm: psm), 1, "the channels that were opened")
                guard peripheral.isBonded else { throw ConformanceFailure("it is not bonded") }
            },
            DaemonBehaviour("a peer that gives no credits for \(stall) leaves the memory as it is") { world in
                let (_, peripheral, _) = try await connected(TwinChannel(psm: psm, behaviour: .stall), in: world)
                let channel = try await peripheral.openChannel(psm: psm)
                let load = UnitLoad(count: 64, size: 2048)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { while true { for unit in load.units { try await channel.send(unit) } } }
                    // What the first credits let out.
                    try await world.elapse(.seconds(1))
                    let (before, sent) = (Footprint(), channel.statistics.sentUnitCount)
                    try await world.elapse(stall)
                    let after = Footprint()
                    group.cancelAll()
                    try expectEqual(channel.statistics.sentUnitCount, sent, "the units that went out")
                    guard after.kilobytes - before.kilobytes <= 1024 else {
                        throw ConformanceFailure("\(before) became \(after)")
                    }
                    while await group.nextResult() != nil {}
                }
            },
        ]
    }

    static func connected(
        _ channel: TwinChannel, in world: BedWorld
    ) async throws -> (BedPeer, Peripheral, CentralManager) {
        let central = try await world.makeCentral()
        try await central.whenPoweredOn()
        guard let peer = try await world.peer(0) as? BedPeer else { throw ConformanceFailure("no peer of the bed") }
        let identifier = try await peer.configure(Twin(name: "Peer"), pairing: PeerPairing())
        try await peer.publish(channel)
        try await peer.advertise(true)
        let options = ScanOptions(addressPrefix: identifier.text)
        let peripheral = try await central.firstDiscovery(options: options).peripheral
        try await peripheral.connect()
        return (peer, peripheral, central)
    }
}
#endif
