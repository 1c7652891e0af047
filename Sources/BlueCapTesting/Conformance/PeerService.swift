// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// One service of a peer's database.
public struct PeerService: Sendable, Hashable {
    /// Its UUID. Several services may have the same.
    public var uuid: BluetoothUUID
    /// Whether it is a primary service.
    public var isPrimary: Bool
    /// The services that it includes, by their index in the peer's list.
    public var includes: [Int]
    /// The characteristics of the service.
    public var characteristics: [PeerCharacteristic]

    /// Creates a service.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, includes: [Int] = [], characteristics: [PeerCharacteristic] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }
}
