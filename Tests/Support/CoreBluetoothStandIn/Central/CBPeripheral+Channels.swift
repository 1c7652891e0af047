// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual
import Foundation

extension CBPeripheral {
    /// Opens a channel. One that wants a safer link makes the system pair, and try once more (F1).
    public func openL2CAPChannel(_ psm: CBL2CAPPSM) {
        guard let manager = managerForCommand("openL2CAPChannel") else { return }
        if host.has(.failsToOpen) {
            return manager.tellRefusal { [self] in tell(nil, .bluetooth(.unknown, host: host)) }
        }
        open(psm, by: manager) { [self, weak manager] first in
            guard let manager, case .failure(.refused(let refusal)) = first,
                [.insufficientAuthentication, .insufficientEncryption].contains(refusal)
            else { return answer(first) }
            manager.perform(.pair(peer), of: peer) { [self, weak manager] result in
                guard let manager, case .success = result else { return answer(first) }
                open(psm, by: manager) { [self] in answer($0) }
            }
        }
    }

    private func open(_ psm: UInt16, by manager: CBCentralManager, then: @escaping SystemChannels.Answer) {
        let operation = ChannelOperation.open(peer, psm: psm, isEncrypted: false, maximumReceiveLength: 2_048)
        manager.channels.perform(operation, then: then)
    }

    private func answer(_ result: Result<ChannelReply, ChannelError>) {
        guard let manager, !host.has(.silentOpen) else { return drop(result) }
        if !host.has(.lateOpen) { return tell(result, manager) }
        let (port, peer) = (manager.port, peer)
        _ = host.radio.clock.schedule(after: .seconds(3)) {
            port.post { manager in
                guard let manager = manager as? CBCentralManager, let peripheral = manager.known(peer) else { return }
                peripheral.tell(result, manager)
            }
        }
    }

    private func tell(_ result: Result<ChannelReply, ChannelError>, _ manager: CBCentralManager) {
        guard case .success(.opened(let channel)) = result else {
            return tell(nil, .channel(result, host: host))
        }
        if host.has(.opensNothing) {
            drop(result)
            return tell(nil, nil)
        }
        tell(manager.channels.object(channel, self), nil)
    }

    private func tell(_ channel: CBL2CAPChannel?, _ error: NSError?) {
        delegate?.peripheral(self, didOpen: channel, error: error)
    }

    private func drop(_ result: Result<ChannelReply, ChannelError>) {
        if case .success(.opened(let channel)) = result { manager?.channels.tell(.close(channel.id)) }
    }
}

extension NSError {
    /// The error of a channel that is not opened. The result code of the peer is not told (L2).
    fileprivate static func channel(_ result: Result<ChannelReply, ChannelError>, host: StandIn) -> NSError {
        guard case .failure(let failure) = result else { return bluetooth(.unknown, host: host) }
        return switch failure {
        case .disconnected, .poweredOff: bluetooth(.notConnected, host: host)
        case .refused(.insufficientAuthentication): attribute(.insufficientAuthentication, host: host)
        case .refused(.insufficientEncryption): attribute(.insufficientEncryption, host: host)
        default: bluetooth(.unknown, host: host)
        }
    }
}
