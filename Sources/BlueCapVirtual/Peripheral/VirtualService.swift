// SPDX-License-Identifier: MIT

import BlueCapCore
public import BlueCapSerDe

/// A service of a virtual peripheral.
public final class VirtualService: Sendable {
    /// The UUID of the attribute.
    public let uuid: BluetoothUUID
    /// Whether it is a primary service; secondary ones are found through services that include them.
    public let isPrimary: Bool
    /// The services that it includes. They need not be listed with the peripheral's own.
    public let includedServices: [VirtualService]
    /// Its characteristics, in the order of their handles.
    public let characteristics: [VirtualCharacteristic]
    /// Where it is to stand, if that is free.
    let wantedHandle: UInt16?

    init(_ service: LocalService, includedServices: [VirtualService], characteristics: [VirtualCharacteristic]) {
        uuid = service.uuid
        isPrimary = service.isPrimary
        self.includedServices = includedServices
        self.characteristics = characteristics
        wantedHandle = service.handle == 0 ? nil : service.handle
    }

    /// A service with the given characteristics.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, includedServices: [VirtualService] = [],
        characteristics: [VirtualCharacteristic] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includedServices = includedServices
        self.characteristics = characteristics
        wantedHandle = nil
    }

    /// A service that stands at a handle, if that is free.
    package init(
        _ uuid: BluetoothUUID, isPrimary: Bool, handle: UInt16?, includedServices: [VirtualService],
        characteristics: [VirtualCharacteristic]
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includedServices = includedServices
        self.characteristics = characteristics
        wantedHandle = handle
    }

    /// A service with the characteristics listed in braces.
    public convenience init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, includedServices: [VirtualService] = [],
        @VirtualList<VirtualCharacteristic> _ characteristics: () -> [VirtualCharacteristic]
    ) {
        self.init(
            uuid, isPrimary: isPrimary, includedServices: includedServices, characteristics: characteristics())
    }

    /// The characteristics with a UUID.
    public func characteristics(withUUID uuid: BluetoothUUID) -> [VirtualCharacteristic] {
        characteristics.filter { $0.uuid == uuid }
    }
}
