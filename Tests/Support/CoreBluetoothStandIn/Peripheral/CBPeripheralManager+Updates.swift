// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
public import Foundation

extension CBPeripheralManager {
    /// Sends a value to subscribers, cut to the length that each takes (J3).
    ///
    /// - Returns: False if the transmit queue is full: peripheralManagerIsReady follows once, for all characteristics
    ///   (J1). Without a subscriber it says nothing (J2).
    public func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic, onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool {
        guard isOn("updateValue"), publishedCharacteristic(characteristic.number) === characteristic else {
            return false
        }
        let subscribers = (characteristic.subscribedCentrals ?? []).filter { subscriber in
            centrals?.contains { $0 === subscriber } ?? true
        }
        guard !subscribers.isEmpty else { return true }
        guard updateCount < host.settings.updateRoom else {
            isUpdateWanted = true
            return false
        }
        updateCount += 1
        var remaining = subscribers.count
        for subscriber in subscribers {
            let bytes = Bytes(value.prefix(subscriber.maximumUpdateValueLength))
            // Confirmations are not reported; the answer only frees the room (J4).
            perform(.update(characteristic.number, bytes, central: peers[subscriber.identifier])) { [self] _ in
                remaining -= 1
                if remaining == 0 { updateEnded() }
            }
        }
        return true
    }

    private func updateEnded() {
        updateCount = max(0, updateCount - 1)
        guard isUpdateWanted else { return }
        isUpdateWanted = false
        delegate?.peripheralManagerIsReady(toUpdateSubscribers: self)
    }
}
