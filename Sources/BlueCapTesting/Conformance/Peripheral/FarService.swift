// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A service as a far central found it.
public struct FarService: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// Its characteristics, in their order.
    public var characteristics: [FarCharacteristic]

    /// Creates a service.
    public init(uuid: BluetoothUUID, characteristics: [FarCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}
