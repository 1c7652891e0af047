// SPDX-License-Identifier: MIT

#if Gateway
/// The work of a gateway over connections to a device.
package struct ConnectionRule: Hashable, Sendable {
    /// The characteristics that are read after each connection, and in each ``interval``.
    package var read: [CharacteristicName] = []
    /// The characteristics whose values are notified; with one the device stays connected.
    package var subscribe: [CharacteristicName] = []
    /// The characteristics that commands of the broker may write.
    package var write: [CharacteristicName] = []
    /// The time between two readings.
    package var interval: Duration?

    package init() {}

    /// Whether the device stays connected.
    package var isLasting: Bool { !subscribe.isEmpty }

    /// How long the values of a reading hold; nil for a device that stays connected.
    var patience: Duration? { isLasting ? nil : interval.map { $0 * 3 } }

    /// Whether another rule has values of other characteristics.
    func hasOtherValues(than other: ConnectionRule?) -> Bool {
        Set(read + subscribe) != other.map { Set($0.read + $0.subscribe) } ?? []
    }
}
#endif
