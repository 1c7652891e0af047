// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
public import BlueCapCore
import CoreBluetooth

/// Channels of L2CAP to peripherals.
extension CoreBluetoothCentralBackend: ChannelHost {
    /// Begins an operation on channels.
    public func performOnChannels(_ request: ChannelRequest) { commanded { begin(request) } }

    private func begin(_ request: ChannelRequest) {
        let id = request.id
        guard radio.poweredOn != nil else { return answer(id, channel: .failure(.poweredOff)) }
        switch request.operation {
        case .open(let peer, let psm, let isEncrypted, let maximum):
            guard let link = links[peer], link.isUp else { return answer(id, channel: .failure(.disconnected)) }
            // F1: nothing says whether the link is encrypted.
            if isEncrypted { return answer(id, channel: .failure(.backend(.pairing))) }
            link.openings.add(psm, maximumReceiveLength: maximum, id, self)
        case .publish: answer(id, channel: .failure(.channelsNotSupported))
        case .send(let channel, let unit): channels.send(unit, over: channel, id, self)
        }
    }

    /// Takes a command about channels.
    public func command(_ command: ChannelCommand) {
        commanded {
            switch command {
            case .allow(let id, let count): channels.allow(id, count, self)
            case .close(let id): channels.close(id, self)
            case .withdraw: break
            }
        }
    }

    func hasLink(_ peer: PeerIdentifier) -> Bool { links[peer]?.isUp ?? false }

    func ended(_ channel: OpenedChannel) {}
}
#endif
