// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation

/// The throughput of a channel of ours beside that of the plainest loop over a socket, on the same link, in turns.
///
/// The far device takes the time of both, from the first unit to the last. Units go out from an ordinary task, and
/// from a body that runs on the manager's executor, where no other thread is woken for a unit.
enum ThroughputBehaviours {
    private static let (psm, loopPSM): (UInt16, UInt16) = (0x80, 0x81)
    private static let (count, size) = (512, 2048)
    /// The least part of the loop's throughput.
    private static let goal = 0.8

    /// - Parameter rounds: How often each is measured; none where it is 0.
    static func all(rounds: Int) -> [DaemonBehaviour] {
        guard rounds > 0 else { return [] }
        return [(true, false), (true, true), (false, false)].map { isOut, isRun in
            let way = (isOut ? "out" : "in") + (isRun ? " from the manager's executor" : "")
            return DaemonBehaviour("throughput: a channel carries a megabyte \(way) like a plain loop") { world in
                let channel = TwinChannel(psm: psm)
                let (peer, peripheral, central) = try await ChannelBehaviours.connected(channel, in: world)
                try await peer.publish(TwinChannel(psm: loopPSM))
                var (own, plain) = ([Double](), [Double]())
                for _ in 0..<rounds {
                    own.append(
                        try await isOut
                            ? sent(to: peer, peripheral, by: isRun ? central : nil) : received(from: peer, peripheral))
                    plain.append(try await looped(peer, peripheral, isOut))
                }
                let (ours, loops) = (median(own), median(plain))
                let line = String(
                    format: "       1 MB %@: %.2f s, the loop %.2f s, so %.2f of its throughput\n",
                    way, ours, loops, loops / ours)
                FileHandle.standardOutput.write(Data(line.utf8))
                guard loops / ours >= goal else { throw ConformanceFailure("it is less than \(goal)") }
            }
        }
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// - Parameter central: The manager on whose executor the units are sent; nil for an ordinary task.
    private static func sent(
        to peer: BedPeer, _ peripheral: Peripheral, by central: CentralManager?
    ) async throws -> Double {
        let channel = try await peripheral.openChannel(psm: psm)
        let unit = UnitLoad(count: 1, size: size).units[0]
        if let central {
            try await central.run { for _ in 0..<count { try await channel.send(unit) } }
        } else {
            for _ in 0..<count { try await channel.send(unit) }
        }
        return try await peer.summary(ofUnits: count, psm: psm).seconds
    }

    private static func received(from peer: BedPeer, _ peripheral: Peripheral) async throws -> Double {
        let channel = try await peripheral.openChannel(psm: psm)
        async let units = channel.next(count)
        _ = try await peer.sendMadeUnits(count: count, size: size, psm: psm)
        let seconds = try await peer.secondsOfSending(psm: psm)
        try expectEqual(try await units.count, count, "the units")
        return seconds
    }

    private static func looped(_ peer: BedPeer, _ peripheral: Peripheral, _ isOut: Bool) async throws -> Double {
        let environment = ProcessInfo.processInfo.environment
        let process = Process()
        process.executableURL = URL(fileURLWithPath: environment["BED_PYTHON"] ?? "/usr/bin/python3")
        process.environment = environment.merging(["PYTHONPATH": environment["BED_DIR"] ?? ""]) { $1 }
        process.arguments =
            ["-m", "tools.channelloop", peripheral.identifier.text, "\(loopPSM)", isOut ? "out" : "in"]
            + ["\(count)", "\(size)"]
        try process.run()
        defer { process.waitUntilExit() }
        if isOut {
            let seconds = try await peer.summary(ofUnits: count, psm: loopPSM).seconds
            try await peer.closeChannels(psm: loopPSM)
            return seconds
        }
        try await peer.wait(forChannels: 1, psm: loopPSM)
        _ = try await peer.sendMadeUnits(count: count, size: size, psm: loopPSM)
        return try await peer.secondsOfSending(psm: loopPSM)
    }
}
#endif
