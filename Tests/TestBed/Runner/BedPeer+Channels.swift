// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting

extension BedPeer: ChannelPeer {
    func publish(_ channel: TwinChannel) async throws {
        try await send(
            "publish_channel",
            [
                "psm": .int(Int(channel.psm)), "behaviour": .string(channel.behaviour.rawValue),
                "isEncrypted": .bool(channel.isEncrypted),
                "refusal": channel.refusal.map { .int(Int($0.rawValue)) } ?? .null,
                "maximumReceiveLength": .int(channel.maximumReceiveLength),
            ])
    }

    func channelUnits(psm: UInt16) async throws -> [Bytes] {
        let new = try await send("channel_units", ["psm": .int(Int(psm))], as: ChannelUnits.self).bytes
        return units.withLock { units in
            units[psm, default: []] += new
            return units[psm, default: []]
        }
    }

    func wait(forChannels count: Int, psm: UInt16) async throws { _ = try await opened(whenOpen: count, psm: psm) }

    /// Waits until so many channels are open, and returns the number of those that ever were.
    func opened(whenOpen count: Int, psm: UInt16) async throws -> Int {
        struct Answer: Decodable { let opened: Int }
        let parameters: [String: JSON] = ["psm": .int(Int(psm)), "count": .int(count), "timeout": .int(120)]
        return try await send("wait_channels", parameters, as: Answer.self).opened
    }

    func sendUnits(_ units: [Bytes], psm: UInt16) async throws {
        try await send("send_units", ["psm": .int(Int(psm)), "units": .list(units.map(JSON.bytes))])
    }

    func closeChannels(psm: UInt16) async throws { try await send("close_channels", ["psm": .int(Int(psm))]) }

    func misbehave(_ fault: TwinChannel.Fault, psm: UInt16) async throws {
        try await send("misbehave", ["psm": .int(Int(psm)), "fault": .string(fault.rawValue)])
    }

    // MARK: Loads

    /// Sends units that the device makes up to each channel on a PSM, and returns the SHA-256 of all of them.
    func sendMadeUnits(count: Int, size: Int, psm: UInt16) async throws -> String {
        let parameters: [String: JSON] = ["psm": .int(Int(psm)), "count": .int(count), "size": .int(size)]
        return try await send("send_many_units", parameters, as: UnitDigest.self).sha256
    }

    /// Waits for so many units on a PSM, and returns all that came since the last call.
    func summary(ofUnits count: Int, psm: UInt16) async throws -> UnitSummary {
        let parameters: [String: JSON] = [
            "psm": .int(Int(psm)), "count": .int(count), "summary": .bool(true), "timeout": .int(60),
        ]
        return try await send("channel_units", parameters, as: UnitSummary.self)
    }

    /// Waits until all units on a PSM have gone out, and returns how many seconds that took.
    func secondsOfSending(psm: UInt16) async throws -> Double {
        struct Answer: Decodable { let seconds: Double }
        let parameters: [String: JSON] = ["psm": .int(Int(psm)), "timeout": .int(60)]
        return try await send("wait_sent", parameters, as: Answer.self).seconds
    }
}
#endif
