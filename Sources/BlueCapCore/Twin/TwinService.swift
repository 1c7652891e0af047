// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A service of a twin.
public struct TwinService: Sendable, Hashable {
    /// The UUID of the service. Several services may have the same.
    public var uuid: BluetoothUUID
    /// The handle of the declaration; nil where it is not known.
    public var handle: UInt16?
    /// A Boolean value that is true if it is a primary service.
    public var isPrimary: Bool
    /// The services that it includes, by their index in ``Twin/services``.
    public var includes: [Int]
    /// The characteristics in the order of their handles.
    public var characteristics: [TwinCharacteristic]

    /// Creates a service of a twin.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the service.
    ///   - handle: The handle of the declaration.
    ///   - isPrimary: Whether it is a primary service.
    ///   - includes: The services that it includes, by their index.
    ///   - characteristics: The characteristics in the order of their handles.
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

    /// Whether platforms have it by themselves: Generic Access (1800) or Generic Attribute (1801).
    package var isOfStack: Bool { uuid.isOfStack }
}

extension BluetoothUUID {
    private static let stack: Set<BluetoothUUID> = ["1800", "1801"]

    /// Whether it is the UUID of Generic Access (1800) or Generic Attribute (1801), which platforms have by themselves.
    var isOfStack: Bool { Self.stack.contains(self) }
}
