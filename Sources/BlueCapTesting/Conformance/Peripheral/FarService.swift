// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A service as a far central discovered it.
public struct FarService: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// The characteristics in the order of their handles.
    public var characteristics: [FarCharacteristic]

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the service.
    ///   - characteristics: The characteristics in the order of their handles.
    public init(uuid: BluetoothUUID, characteristics: [FarCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}
