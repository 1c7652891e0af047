public import BlueCapSerDe

/// A service of a virtual peripheral.
public final class VirtualService: Sendable {
    /// Its UUID.
    public let uuid: BluetoothUUID
    /// Whether it is a primary service; secondary ones are found through services that include them.
    public let isPrimary: Bool
    /// The services that it includes. They need not be listed with the peripheral's own.
    public let includedServices: [VirtualService]
    /// Its characteristics, in the order of their handles.
    public let characteristics: [VirtualCharacteristic]

    /// A service with the given characteristics.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, includedServices: [VirtualService] = [],
        characteristics: [VirtualCharacteristic] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includedServices = includedServices
        self.characteristics = characteristics
    }

    /// A service with the characteristics listed in braces.
    public convenience init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, includedServices: [VirtualService] = [],
        @VirtualCharacteristicList _ characteristics: () -> [VirtualCharacteristic]
    ) {
        self.init(
            uuid, isPrimary: isPrimary, includedServices: includedServices, characteristics: characteristics())
    }

    /// The characteristics with a UUID.
    public func characteristics(withUUID uuid: BluetoothUUID) -> [VirtualCharacteristic] {
        characteristics.filter { $0.uuid == uuid }
    }
}

/// Lists characteristics in braces, one a line.
@resultBuilder
public enum VirtualCharacteristicList {
    /// The characteristics of all lines.
    public static func buildBlock(_ parts: [VirtualCharacteristic]...) -> [VirtualCharacteristic] {
        parts.flatMap { $0 }
    }
    /// One line's characteristic.
    public static func buildExpression(_ characteristic: VirtualCharacteristic) -> [VirtualCharacteristic] {
        [characteristic]
    }
    /// One line's characteristics.
    public static func buildExpression(_ characteristics: [VirtualCharacteristic]) -> [VirtualCharacteristic] {
        characteristics
    }
    /// The characteristics of a condition that holds.
    public static func buildOptional(_ part: [VirtualCharacteristic]?) -> [VirtualCharacteristic] { part ?? [] }
    /// The characteristics of a condition's first branch.
    public static func buildEither(first part: [VirtualCharacteristic]) -> [VirtualCharacteristic] { part }
    /// The characteristics of a condition's second branch.
    public static func buildEither(second part: [VirtualCharacteristic]) -> [VirtualCharacteristic] { part }
    /// The characteristics of a loop.
    public static func buildArray(_ parts: [[VirtualCharacteristic]]) -> [VirtualCharacteristic] {
        parts.flatMap { $0 }
    }
}
