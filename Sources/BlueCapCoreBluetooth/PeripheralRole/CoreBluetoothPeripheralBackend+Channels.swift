// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
public import BlueCapCore
import CoreBluetooth

/// Channels of L2CAP from centrals.
extension CoreBluetoothPeripheralBackend: ChannelHost {
    /// Begins an operation on channels.
    public func performOnChannels(_ request: ChannelRequest) { commanded { begin(request) } }

    private func begin(_ request: ChannelRequest) {
        let id = request.id
        guard let manager = radio.poweredOn else { return answer(id, channel: .failure(.poweredOff)) }
        switch request.operation {
        case .open: answer(id, channel: .failure(.channelsNotSupported))
        case .publish(let psm, let isEncrypted, let maximum):
            if psm != nil { return answer(id, channel: .failure(.backend(.chosenPSM))) }
            publications.add(isEncrypted: isEncrypted, maximumReceiveLength: maximum, id, manager, self)
        case .send(let channel, let unit): channels.send(unit, over: channel, id, self)
        }
    }

    /// Takes a command about channels.
    public func command(_ command: ChannelCommand) {
        commanded {
            switch command {
            case .allow(let id, let count): channels.allow(id, count, self)
            case .close(let id): channels.close(id, self)
            case .withdraw(let psm): publications.withdraw(psm, self)
            }
        }
    }

    var channels: OpenChannels { publications.channels }

    /// J5: nothing tells of the links of centrals.
    func hasLink(_ peer: PeerIdentifier) -> Bool { true }

    func ended(_ channel: OpenedChannel) { publications.ended(channel.psm, self) }
}

extension BackendFailure {
    /// L1: the system chooses the PSM.
    fileprivate static var chosenPSM: BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.chosenPSM", message: "the system alone chooses the PSM of a channel",
            advice: "publish without a PSM, and tell centrals the one that the system chose")
    }
}
#endif
