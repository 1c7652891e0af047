// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapKernel

// Channels are the kernel's, on the address of the adapter.
extension BlueZPeripheralBackend: ChannelRole {
    public func activateChannels(_ sink: ChannelEventSink) { channels.activate(sink) }

    public func performOnChannels(_ request: ChannelRequest) {
        guard isOn else { return channels.reply(request.id, .failure(.poweredOff), self) }
        switch request.operation {
        case .publish(let psm, let isEncrypted, let length):
            guard let (place, local) = channelPlace else {
                return channels.reply(request.id, .failure(.poweredOff), self)
            }
            let terms = ChannelTerms(
                local: local, psm: psm ?? 0, isEncrypted: isEncrypted, receiveLength: UInt16(clamping: length))
            channels.publish(request.id, psm: psm, terms, at: place, self)
        case .send(let id, let unit): channels.send(unit, over: id, request.id, self)
        case .open: channels.reply(request.id, .failure(.channelsNotSupported), self)
        }
    }

    public func command(_ command: ChannelCommand) { channels.command(command) }

    /// It is a central, even if its link was there before this backend.
    func channelOpened(by peer: PeerIdentifier) {
        if let device = device(at: peer) { centrals.uses(device, nil, self) }
    }

    /// The path of a device stays when its address becomes known.
    func hasLink(to peer: PeerIdentifier) -> Bool {
        centrals.hasLink(to: peer) || device(at: peer).map(isConnected) ?? false
    }

    private func device(at address: PeerIdentifier) -> String? {
        adapter.flatMap { BlueZPath.device(address, adapter: $0) }
    }
}
#endif
