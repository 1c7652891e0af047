// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The channels of a virtual peripheral, with the firmware's part in them.
final class PeripheralChannels {
    private let facts: Locked<PeripheralFacts>
    var happened: (VirtualPeripheralEvent) -> Void = { _ in }
    private var published: [UInt16: TwinChannel] = [:]
    private var open: [LinkChannel] = []

    init(_ facts: Locked<PeripheralFacts>) { self.facts = facts }

    func publish(_ channel: TwinChannel) { published[channel.psm] = channel }

    func withdraw(_ psm: UInt16) { published[psm] = nil }

    func answer(toChannelOn psm: UInt16, over link: VirtualLink) -> ChannelAnswer {
        guard let description = published[psm] else { return .refuse(.psmNotSupported) }
        if let refusal = description.refusal { return .refuse(refusal) }
        if description.isEncrypted, link.level == .open { return .refuse(.insufficientEncryption) }
        return .accept(maximumUnitLength: description.maximumReceiveLength) { [weak self] in
            self?.take($0, description)
        }
    }

    private func take(_ channel: LinkChannel, _ description: TwinChannel) {
        open.append(channel)
        let replay = UnitReplay(channel, description) { [weak self] in self?.close($0) }
        channel.received = { [weak self, weak channel] unit in
            guard let self, let channel else { return }
            facts.withLock { $0.took(unit, on: channel.psm) }
            if description.behaviour == .echo {
                echo(unit, over: channel) { replay.unitReceived() }
            } else {
                channel.allow(1)
                replay.unitReceived()
            }
            happened(.unitReceived(psm: channel.psm, unit))
        }
        channel.ended = { [weak self, weak channel] _ in
            guard let self, let channel else { return }
            forget(channel)
        }
        if description.behaviour != .stall { channel.allow(LinkChannel.window) }
        count(channel.psm)
        happened(.channelOpened(psm: channel.psm))
        replay.goOn()
    }

    private func forget(_ channel: LinkChannel) {
        open.removeAll { $0 === channel }
        count(channel.psm)
        happened(.channelClosed(psm: channel.psm))
    }

    private func count(_ psm: UInt16) {
        let count = open.count { $0.psm == psm }
        facts.withLock { $0.count(count, on: psm) }
    }

    private func channels(_ psm: UInt16) -> [LinkChannel] { open.filter { $0.psm == psm } }

    func send(_ units: [Bytes], _ psm: UInt16) {
        for channel in channels(psm) { send(units, over: channel) }
    }

    /// Sends a unit back, and takes the next one when it has gone out, so that a central that gives no credits is held
    /// up. One that is longer than the central takes is left out.
    private func echo(_ unit: Bytes, over channel: LinkChannel, echoed: @escaping () -> Void) {
        let finished = { [weak channel] in
            channel?.allow(1)
            echoed()
        }
        if unit.count > channel.terms?.maximumUnitLength ?? 0 { return finished() }
        channel.send(unit) { _ in finished() }
    }

    private func send(_ units: [Bytes], over channel: LinkChannel) {
        let maximum = channel.terms?.maximumUnitLength ?? 0
        for unit in units where (1...max(maximum, 1)).contains(unit.count) { channel.send(unit) { _ in } }
    }

    func close(_ psm: UInt16) {
        for channel in channels(psm) { close(channel) }
    }

    private func close(_ channel: LinkChannel) {
        channel.link.close(channel)
        forget(channel)
    }

    func misbehave(_ fault: TwinChannel.Fault, _ psm: UInt16) {
        for channel in channels(psm) {
            switch fault {
            case .exceedingCredits:
                // The units are whole and short, so the central holds what it did not ask for.
                for number in 0..<1000 { channel.sendRaw(unitLength: 1, [UInt8(truncatingIfNeeded: number)]) }
            case .exceedingLength:
                channel.sendRaw(unitLength: (channel.terms?.maximumUnitLength ?? 0) + 1, [0])
            case .closingWithinUnit:
                channel.sendRaw(unitLength: 2, [0])
                channel.link.close(channel)
                forget(channel)
            }
        }
    }
}
