// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

// What the daemon says most often, values and packets, is taken straight off the message; all else goes into the mirror
// as a whole (`BlueZSession+Objects.swift`).
extension BlueZSession {
    /// Properties of an object have changed. Nil is one that cannot be understood.
    func receive(_ change: PropertiesChanged?) {
        guard let change else { return metrics.malformedSignals += 1 }
        if isMirrorTrue, !change.hasInvalidated {
            if let object = tree.objectOfValue(like: change), let bytes = change.firstBytes {
                return tell(.value(object: object, Bytes(bytes)))
            }
            if change.isOf(BlueZInterface.characteristic), takeValue(change) { return }
            if change.isOf(BlueZInterface.device), takePacket(change) { return }
        }
        receive(change.message)
    }

    /// A characteristic has a value, which the mirror does not hold.
    private func takeValue(_ change: PropertiesChanged) -> Bool {
        guard let property = change.next(), change.isNamed(GattCharacteristic1.value.name, property),
            let bytes = change.bytes(of: property), change.next(after: property) == nil,
            let object = tree.objectOfValue(change)
        else { return false }
        tell(.value(object: object, Bytes(bytes)))
        return true
    }

    /// A device was received: only what its packet had is read, and renewed.
    private func takePacket(_ change: PropertiesChanged) -> Bool {
        var next = change.next()
        while let property = next {
            guard change.isNamed(Device1.rssi.name, property) || Device1.ofPackets(change.name(of: property)) != nil
            else { return false }
            next = change.next(after: property)
        }
        guard let object = tree.renew(with: change) else { return false }
        tell(.packet(object: object))
        return true
    }
}
#endif
