// SPDX-License-Identifier: MIT

import BlueCapCore
public import Foundation

/// A local characteristic.
public final class CBMutableCharacteristic: CBCharacteristic {
    public var permissions: CBAttributePermissions
    private var centrals: [CBCentral] = []

    /// A characteristic; with a value it is read-only and the system answers reads, anything else raises an exception
    /// (G3). Broadcast and extended properties are not for local characteristics (G6).
    public init(
        type uuid: CBUUID, properties: CBCharacteristicProperties, value: Data?, permissions: CBAttributePermissions
    ) {
        precondition(
            value == nil || (properties == .read && permissions.isSubset(of: [.readable, .readEncryptionRequired])),
            "CBMutableCharacteristic: characteristics with cached values must be read-only")
        precondition(
            properties.isDisjoint(with: [.broadcast, .extendedProperties]),
            "CBMutableCharacteristic: broadcast and extended properties are not allowed for local characteristics")
        self.permissions = permissions
        super.init(
            uuid: uuid, number: AttributeID(rawValue: 0), properties: properties, service: nil, host: .current)
        self.value = value
    }

    init(
        type uuid: CBUUID, properties: CBCharacteristicProperties, permissions: CBAttributePermissions, host: StandIn
    ) {
        self.permissions = permissions
        super.init(uuid: uuid, number: AttributeID(rawValue: 0), properties: properties, service: nil, host: host)
    }

    /// The centrals that have subscribed (J5).
    public var subscribedCentrals: [CBCentral]? { centrals }

    public override var properties: CBCharacteristicProperties {
        get { super.properties }
        set { super.properties = newValue }
    }

    public override var value: Data? {
        get { super.value }
        set { super.value = newValue }
    }

    public override var descriptors: [CBDescriptor]? {
        get { super.descriptors }
        set {
            super.descriptors = newValue
            for descriptor in newValue ?? [] { descriptor.characteristic = self }
        }
    }

    /// Adds a central.
    ///
    /// - Returns: Whether it was none of them before.
    func subscribe(_ central: CBCentral) -> Bool {
        if centrals.contains(where: { $0 === central }) { return false }
        centrals.append(central)
        return true
    }

    /// Takes a central out.
    ///
    /// - Returns: Whether it was one of them before.
    func unsubscribe(_ central: CBCentral) -> Bool {
        let count = centrals.count
        centrals.removeAll { $0 === central }
        return centrals.count < count
    }

    func forgetSubscribers() { centrals = [] }
}
