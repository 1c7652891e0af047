// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapKernel

// Channels are the kernel's, over the links that bluetoothd makes.
extension BlueZCentralBackend: ChannelRole {
    public func activateChannels(_ sink: ChannelEventSink) { channels.activate(sink) }

    public func performOnChannels(_ request: ChannelRequest) {
        guard state == .poweredOn else { return channels.reply(request.id, .failure(.poweredOff), self) }
        switch request.operation {
        case .open(let peer, let psm, let isEncrypted, let length):
            open(request.id, peer, psm: psm, isEncrypted: isEncrypted, length)
        case .send(let id, let unit): channels.send(unit, over: id, request.id, self)
        case .publish: channels.reply(request.id, .failure(.channelsNotSupported), self)
        }
    }

    public func command(_ command: ChannelCommand) { channels.command(command) }

    func channelOpened(by peer: PeerIdentifier) {}

    func hasLink(to peer: PeerIdentifier) -> Bool { links.all.contains { $0.id == peer && $0.isConnected } }

    /// Opens a channel on a link that stands: without one the kernel would connect by itself. Nor is it to pair by
    /// itself, as that hangs when it is refused, so an encrypted channel needs keys.
    private func open(_ request: RequestID, _ peer: PeerIdentifier, psm: UInt16, isEncrypted: Bool, _ length: Int) {
        guard let link = links.all.first(where: { $0.id == peer && $0.isConnected }),
            let address = kernelAddress(of: link), let (place, local) = channelPlace
        else { return channels.reply(request, .failure(.disconnected), self) }
        // bluetoothd reports the bond before that it is paired.
        if isEncrypted, facts(link.path).map({ $0.isPaired || $0.isBonded }) != true {
            return channels.reply(request, .failure(.refused(.insufficientEncryption)), self)
        }
        let terms = ChannelTerms(
            local: local, psm: psm, isEncrypted: isEncrypted, receiveLength: UInt16(clamping: length))
        channels.open(request, terms, to: address, of: peer, at: place, self)
    }
}
#endif
