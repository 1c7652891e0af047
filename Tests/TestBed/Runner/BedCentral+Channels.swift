// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting

extension BedCentral {
    /// Opens a channel to a PSM of the device to which it is connected: its number, or the result code of a refusal.
    func openChannel(
        psm: UInt16, behaviour: TwinChannel.Behaviour = .keep
    ) async throws -> Result<Int, ChannelRefusal> {
        struct Answer: Decodable {
            let channel: Int?
            let refusal: UInt16?
        }
        let parameters: [String: JSON] = ["psm": .int(Int(psm)), "behaviour": .string(behaviour.rawValue)]
        let answer = try await send("central_open_channel", parameters, as: Answer.self)
        if let channel = answer.channel { return .success(channel) }
        return .failure(ChannelRefusal(rawValue: answer.refusal ?? 0))
    }

    /// Waits for so many units of a channel, and returns those that came since the last call.
    func units(of channel: Int, count: Int) async throws -> [Bytes] {
        let parameters: [String: JSON] = ["channel": .int(channel), "count": .int(count), "timeout": .int(60)]
        return try await send("central_channel_units", parameters, as: ChannelUnits.self).bytes
    }

    /// The same, as a summary.
    func summary(ofUnits count: Int, of channel: Int) async throws -> UnitSummary {
        let parameters: [String: JSON] = [
            "channel": .int(channel), "count": .int(count), "summary": .bool(true), "timeout": .int(60),
        ]
        return try await send("central_channel_units", parameters, as: UnitSummary.self)
    }

    func sendUnits(_ units: [Bytes], over channel: Int) async throws {
        try await send("central_send_units", ["channel": .int(channel), "units": .list(units.map(JSON.bytes))])
    }

    /// Sends units that the device makes up, and returns the SHA-256 of all of them.
    func sendMadeUnits(count: Int, size: Int, over channel: Int) async throws -> String {
        let parameters: [String: JSON] = ["channel": .int(channel), "count": .int(count), "size": .int(size)]
        return try await send("central_send_many_units", parameters, as: UnitDigest.self).sha256
    }

    func closeChannel(_ channel: Int) async throws {
        try await send("central_close_channel", ["channel": .int(channel)])
    }

    func misbehave(_ fault: TwinChannel.Fault, on channel: Int) async throws {
        try await send("central_misbehave", ["channel": .int(channel), "fault": .string(fault.rawValue)])
    }

    /// Returns when a channel has ended, by whomever.
    func waitForEnd(of channel: Int) async throws {
        try await send("central_channel_closed", ["channel": .int(channel)])
    }
}
#endif
