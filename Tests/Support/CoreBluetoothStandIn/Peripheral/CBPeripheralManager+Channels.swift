// SPDX-License-Identifier: MIT

import BlueCapCore
import Foundation

extension CBPeripheralManager {
    /// Takes channels on a PSM that the system chooses (L1).
    public func publishL2CAPChannel(withEncryption encryptionRequired: Bool) {
        guard isOn("publishL2CAPChannel") else { return }
        if host.has(.failsToOpen) {
            return tellRefusal { [self] in
                let error = NSError.bluetooth(.unknown, host: host)
                delegate?.peripheralManager(self, didPublishL2CAPChannel: 0, error: error)
            }
        }
        let operation = ChannelOperation.publish(psm: nil, isEncrypted: encryptionRequired, maximumReceiveLength: 2_048)
        channels.perform(operation) { [self] result in
            guard !host.has(.silentOpen), case .success(.published(let psm)) = result else { return }
            delegate?.peripheralManager(self, didPublishL2CAPChannel: host.settings.psmOfChannels ?? psm, error: nil)
        }
    }

    /// Takes no more channels on a PSM, and closes those that are open (L1).
    public func unpublishL2CAPChannel(_ psm: CBL2CAPPSM) {
        guard isOn("unpublishL2CAPChannel") else { return }
        channels.tell(.withdraw(psm: psm))
        channels.close(psm)
        later { [self] in delegate?.peripheralManager(self, didUnpublishL2CAPChannel: psm, error: nil) }
    }

    func accepted(_ channel: OpenedChannel) {
        if host.has(.opensNothing) {
            channels.tell(.close(channel.id))
            delegate?.peripheralManager(self, didOpen: nil, error: nil)
            return
        }
        let object = channels.object(channel, central(Central(identifier: channel.peer)))
        delegate?.peripheralManager(self, didOpen: object, error: nil)
    }
}
