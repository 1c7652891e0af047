// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth

/// The values of restored peripherals that come before the manager has discovered their characteristics again.
///
/// R3: subscriptions of a restored peripheral stand, so that its values begin at once. Often the first of them is the
/// one for which the system has started the program.
final class EarlyValues {
    private struct Value {
        let characteristic: CBCharacteristic
        let bytes: Bytes
    }

    /// The number of values that are held for a peripheral; of more the oldest are lost.
    private static let limit = 256

    private var values: [PeerIdentifier: [Value]] = [:]

    /// Holds values of a restored peripheral from now on.
    func expect(_ id: PeerIdentifier) { values[id] = [] }

    /// Holds a value.
    ///
    /// - Returns: Whether values of the peripheral are held.
    func hold(_ bytes: Bytes, of characteristic: CBCharacteristic, _ id: PeerIdentifier) -> Bool {
        guard var held = values.removeValue(forKey: id) else { return false }
        if held.count == Self.limit { held.removeFirst() }
        held.append(Value(characteristic: characteristic, bytes: bytes))
        values[id] = held
        return true
    }

    /// Removes the values of the characteristics that are known by now, and returns them in the order of coming.
    func take(
        _ id: PeerIdentifier, _ number: (CBCharacteristic) -> AttributeID?
    ) -> [(characteristic: AttributeID, bytes: Bytes)] {
        guard let held = values[id], !held.isEmpty else { return [] }
        values[id] = held.filter { number($0.characteristic) == nil }
        return held.compactMap { value in number(value.characteristic).map { ($0, value.bytes) } }
    }

    /// Holds values of a peripheral no longer.
    func forget(_ id: PeerIdentifier) { values[id] = nil }

    /// Holds no values any more.
    func removeAll() { values = [:] }
}
#endif
