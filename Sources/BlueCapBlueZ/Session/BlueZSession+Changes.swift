// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

// What the daemon says most often, values and packets, is taken straight off the message; all else goes into the mirror as a
// whole (`BlueZSession+Objects.swift`).
extension BlueZSession {
    /// Properties of an object have changed. Nil is one that cannot be understood.
    func receive(_ change: PropertiesChanged?) {
        guard let change else { return metrics.malformedSignals += 1 }
        if reading == nil, status == .ready, !change.hasInvalidated, let object = tree.number(of: change.path) {
            if takeValue(change, of: object) || takePacket(change, of: object) { return }
        }
        receive(change.message)
    }

    /// A characteristic has a value, which the mirror does not hold.
    private func takeValue(_ change: PropertiesChanged, of object: Int) -> Bool {
        guard Self.isNamed(BlueZInterface.characteristic, change.interface),
            let property = change.next(), GattCharacteristic1.value.isNamed(change.name(of: property)),
            let bytes = change.bytes(of: property), change.next(after: property) == nil,
            tree.has(BlueZInterface.characteristic, object)
        else { return false }
        tell(.value(object: object, Bytes(bytes)))
        return true
    }

    /// A device was received: only what its packet had is read, and renewed.
    private func takePacket(_ change: PropertiesChanged, of object: Int) -> Bool {
        guard Self.isNamed(BlueZInterface.device, change.interface), tree.has(BlueZInterface.device, object) else {
            return false
        }
        var next = change.next()
        while let property = next {
            guard Device1.ofPackets(change.name(of: property)) != nil else { return false }
            next = change.next(after: property)
        }
        tree.renew(object, with: change)
        tell(.packet(object: object))
        return true
    }

    private static func isNamed(_ interface: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.span.isEqual(to: interface.utf8Span.span)
    }
}
#endif
