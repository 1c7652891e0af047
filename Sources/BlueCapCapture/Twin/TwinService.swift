// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A service of a twin.
public struct TwinService: Sendable, Hashable {
    /// Its UUID. Several services may have the same.
    public var uuid: BluetoothUUID
    /// The handle of its declaration; nil where it is not known.
    public var handle: UInt16?
    /// Whether it is a primary service.
    public var isPrimary: Bool
    /// The services that it includes, by their index in ``Twin/services``.
    public var includes: [Int]
    /// Its characteristics in the order of their handles.
    public var characteristics: [TwinCharacteristic]

    /// A service.
    ///
    /// - Parameters:
    ///   - uuid: Its UUID.
    ///   - handle: The handle of its declaration.
    ///   - isPrimary: Whether it is a primary service.
    ///   - includes: The services that it includes, by their index.
    ///   - characteristics: Its characteristics.
    public init(
        _ uuid: BluetoothUUID, handle: UInt16? = nil, isPrimary: Bool = true, includes: [Int] = [],
        characteristics: [TwinCharacteristic] = []
    ) {
        self.uuid = uuid
        self.handle = handle
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }
}
