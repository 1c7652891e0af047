// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A service of a peer's database.
public struct PeerService: Sendable, Hashable {
    /// The UUID of the service. Several services may have the same.
    public var uuid: BluetoothUUID
    /// A Boolean value that is true if it is a primary service.
    public var isPrimary: Bool
    /// The services that it includes, by their index in the peer's list.
    public var includes: [Int]
    /// The characteristics of the service.
    public var characteristics: [PeerCharacteristic]

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the service.
    ///   - isPrimary: Whether it is a primary service.
    ///   - includes: The services that it includes, by their index in the peer's list.
    ///   - characteristics: The characteristics of the service.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, includes: [Int] = [], characteristics: [PeerCharacteristic] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }
}
