// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapFakeKernel
import BlueCapKernel
import BlueCapPlatform
import BlueCapSerDe

/// The channels that a far device takes, as its firmware treats them; on the fake's thread only.
package final class FarChannels {
    private struct Open {
        let channel: FakeChannel
        let psm: UInt16
    }

    private var published: [UInt16: TwinChannel] = [:]
    private var units: [UInt16: [Bytes]] = [:]
    private var open: [Open] = []
    /// The attempts that the kernel never ends: it pairs for them in vain.
    private var hanging: [FakeChannel] = []
    /// Called whenever units or channels come or go.
    var changed: () -> Void = {}

    func publish(_ channel: TwinChannel) { published[channel.psm] = channel }

    func units(of psm: UInt16) -> [Bytes] { units[psm] ?? [] }

    func count(of psm: UInt16) -> Int { open.count { $0.psm == psm } }

    /// The kernel's answer to a program that opens a channel over a link that stands.
    func take(_ channel: FakeChannel) {
        guard let description = published[channel.terms.psm] else { return channel.refuse(ECONNREFUSED) }
        let refusal: ChannelRefusal? =
            description.isEncrypted && !channel.terms.isEncrypted ? .insufficientEncryption : description.refusal
        switch refusal {
        case nil: begin(channel, description)
        case .insufficientAuthentication, .insufficientEncryption: hanging.append(channel)
        case _?: channel.refuse(ECONNREFUSED)
        }
    }

    private func begin(_ channel: FakeChannel, _ description: TwinChannel) {
        let psm = description.psm
        guard (try? channel.accept(takes: description.maximumReceiveLength)) != nil else { return }
        open.append(Open(channel: channel, psm: psm))
        if description.behaviour == .stall { channel.pause() }
        channel.onUnit = { [weak self, weak channel] unit in
            guard let self, let channel else { return }
            units[psm, default: []].append(Bytes(unit))
            if description.behaviour == .echo {
                channel.pause()
                channel.send(unit) { [weak channel] in channel?.resume() }
            }
            changed()
        }
        channel.onClose = { [weak self, weak channel] in if let channel { self?.forget(channel) } }
        changed()
    }

    private func forget(_ channel: FakeChannel) {
        open.removeAll { $0.channel === channel }
        changed()
    }

    private func channels(_ psm: UInt16) -> [FakeChannel] { open.filter { $0.psm == psm }.map(\.channel) }

    func send(_ units: [Bytes], psm: UInt16) {
        for channel in channels(psm) { for unit in units { channel.send([UInt8](unit)) } }
    }

    func close(psm: UInt16, failure: Int32? = nil) {
        for channel in channels(psm) {
            channel.close(failure: failure)
            forget(channel)
        }
    }

    /// The kernel resets the channel of a peer that breaks a rule.
    func misbehave(_ fault: TwinChannel.Fault, psm: UInt16) {
        switch fault {
        case .exceedingCredits, .exceedingLength: close(psm: psm, failure: ECONNRESET)
        case .closingWithinUnit: close(psm: psm)
        }
    }

    /// The link has ended, and all channels with it.
    func linkEnded() {
        for channel in hanging { channel.refuse(ECONNRESET) }
        hanging = []
        for psm in Set(open.map(\.psm)) { close(psm: psm, failure: ECONNRESET) }
    }
}
#endif
