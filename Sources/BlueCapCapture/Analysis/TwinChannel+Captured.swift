// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

extension TwinChannel {
    /// Refusals that are about the request rather than the PSM, or come from a device without the PSM.
    private static let passing: Set<ChannelRefusal> = [.psmNotSupported, .invalidSource, .sourceInUse]
    /// The refusals of a device that wants a safer link.
    private static let demands: Set<ChannelRefusal> = [.insufficientAuthentication, .insufficientEncryption]

    /// Returns the PSMs of a device that some captured channels show, in the order of the first requests for them.
    static func channels(_ captured: [CapturedChannel]) -> [TwinChannel] {
        var order: [UInt16] = []
        var byPSM: [UInt16: [CapturedChannel]] = [:]
        for channel in captured where (1...0xFF).contains(channel.psm) {
            if byPSM[channel.psm] == nil { order.append(channel.psm) }
            byPSM[channel.psm, default: []].append(channel)
        }
        return order.compactMap { TwinChannel(psm: $0, byPSM[$0] ?? []) }
    }

    /// The PSM as its channels show it: the first one over which the device sent something, or else the first one that
    /// was opened, is played. Nil where the device takes none.
    private init?(psm: UInt16, _ captured: [CapturedChannel]) {
        let accepted = captured.filter(\.isAccepted)
        let refusals = captured.compactMap { channel -> (refusal: ChannelRefusal, isEncrypted: Bool)? in
            guard case .refused(let refusal) = channel.outcome else { return nil }
            return (refusal, channel.isEncrypted)
        }
        let refusesPlain = refusals.contains { !$0.isEncrypted && Self.demands.contains($0.refusal) }
        guard let played = accepted.first(where: { $0.device.unitCount > 0 }) ?? accepted.first else {
            guard let last = refusals.last(where: { !Self.passing.contains($0.refusal) }) else { return nil }
            let wantsEncryption = last.refusal == .insufficientEncryption && !last.isEncrypted
            self.init(psm: psm, isEncrypted: wantsEncryption, refusal: wantsEncryption ? nil : last.refusal)
            return
        }
        let isEcho = played.isEcho
        self.init(
            psm: psm, behaviour: isEcho ? .echo : .keep,
            isEncrypted: refusesPlain && accepted.allSatisfy(\.isEncrypted),
            maximumReceiveLength: played.device.maximumUnitLength, units: isEcho ? [] : played.deviceUnits,
            closesAfter: played.outcome == .closedByDevice ? played.peer.unitCount : nil)
    }
}

extension CapturedChannel {
    /// Whether the device sent back each unit of the peer, and nothing else.
    fileprivate var isEcho: Bool {
        guard device.unitCount > 0, device.unitCount == peer.unitCount else { return false }
        let sent = units.filter(\.isFromDevice)
        let received = units.filter { !$0.isFromDevice }
        var ahead = 0
        for unit in units {
            ahead += unit.isFromDevice ? -1 : 1
            // A device that speaks first is no echo.
            if ahead < 0 { return false }
        }
        return sent.elementsEqual(received) { $0.value == $1.value }
    }

    /// The units of the device, each with the time from the unit before, of either side.
    fileprivate var deviceUnits: [TwinUnit] {
        var received = 0
        var last = time
        var found: [TwinUnit] = []
        for unit in units {
            let now = unit.time ?? last
            defer { last = now }
            guard unit.isFromDevice else {
                received += 1
                continue
            }
            var after = Duration.zero
            if let now, let last { after = max(now - last, .zero) }
            if !unit.value.isEmpty { found.append(TwinUnit(received: received, after: after, value: unit.value)) }
        }
        return found
    }
}
