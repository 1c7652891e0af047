// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture

/// A connection-oriented channel of a capture, as `twin` prints it.
struct CapturedChannelFacts: Encodable, Sendable {
    /// An end of the channel.
    struct End: Encodable, Sendable {
        var number: Int
        var mtu: Int
        var mps: Int
        var credits: Int
        var addedCredits: Int
        var frames: Int
        /// The units that it sent, and the bytes in them.
        var units: Int
        var bytes: Int

        init(_ end: CapturedChannel.End) {
            (number, mtu, mps) = (Int(end.number), end.maximumUnitLength, end.maximumFrameLength)
            (credits, addedCredits) = (end.initialCredits, end.addedCredits)
            (frames, units, bytes) = (end.frameCount, end.unitCount, end.byteCount)
        }

        fileprivate var text: String { "\(TextLayout.count(units, "unit")) (\(TextLayout.count(bytes, "byte")))" }
    }

    var psm: Int
    /// Whether the device accepted it.
    var accepted: Bool
    /// Whether the link was encrypted.
    var encrypted: Bool
    /// `"refused"`, `"closedByDevice"`, `"closedByPeer"` or `"linkEnded"`; nil where the capture does not show the end.
    var end: String?
    /// The result code of a refusal.
    var refusal: Int?
    var device: End
    var peer: End
    var malformed: Int
    var date: String?

    init(_ channel: CapturedChannel) {
        (psm, accepted, encrypted) = (Int(channel.psm), channel.isAccepted, channel.isEncrypted)
        (device, peer, malformed) = (End(channel.device), End(channel.peer), channel.malformedCount)
        date = channel.time.map(JSONLine.date)
        switch channel.outcome {
        case .refused(let code): (end, refusal) = ("refused", Int(code.rawValue))
        case .closedByDevice: end = "closedByDevice"
        case .closedByPeer: end = "closedByPeer"
        case .linkEnded: end = "linkEnded"
        case nil: break
        }
    }

    /// `"channel on PSM 128: 3 units (1500 bytes) from the device, 2 units (40 bytes) to it, closed by the device"`.
    var line: String {
        var parts: [String] = []
        if accepted { parts = ["\(device.text) from the device, \(peer.text) to it"] }
        switch end {
        case "refused":
            let code = ChannelRefusal(rawValue: UInt16(clamping: refusal ?? 0))
            parts.append("refused: \(code)")
        case "closedByDevice": parts.append("closed by the device")
        case "closedByPeer": parts.append("closed by the peer")
        case "linkEnded": parts.append("ended with the link")
        default: parts.append(accepted ? "open at the end" : "without an answer")
        }
        if malformed > 0 { parts.append("\(malformed) malformed") }
        return "channel on PSM \(psm): " + parts.joined(separator: ", ")
    }
}

/// A unit of a channel in a capture.
struct CapturedUnitEvent: Encodable, Sendable {
    /// `"unitSent"` by the device, or `"unitReceived"` by it.
    var event: String
    var id: String
    var psm: Int
    /// Hexadecimal digits.
    var value: String
    var date: String?

    init(_ joined: CaptureAnalysis.JoinedUnit, by device: PeerIdentifier) {
        event = joined.unit.isFromDevice ? "unitSent" : "unitReceived"
        (id, psm, value) = (device.text, Int(joined.psm), joined.unit.value.hex)
        date = joined.unit.time.map(JSONLine.date)
    }

    /// `"2026-01-01T00:00:01.000Z  unitSent  C0:DE:00:00:00:01  PSM 128  0102"`.
    var line: String { "\(date ?? "-")  \(TextLayout.pad(event, to: 12))  \(id)  PSM \(psm)  \(value)" }
}
