// SPDX-License-Identifier: MIT

import BlueCapCore
public import Foundation

/// A characteristic of a peripheral's service, or a local one.
public class CBCharacteristic: CBAttribute {
    public internal(set) weak var service: CBService?
    public internal(set) var properties: CBCharacteristicProperties
    /// The value of the latest callback, read or notified: the next one overwrites it (E1, E2).
    public internal(set) var value: Data?
    /// The descriptors found by a discovery (D1); nil before one.
    public internal(set) var descriptors: [CBDescriptor]?
    public internal(set) var isNotifying = false

    init(
        uuid: CBUUID, number: AttributeID, properties: CBCharacteristicProperties, service: CBService?, host: StandIn
    ) {
        self.properties = properties
        self.service = service
        super.init(uuid: uuid, number: number, .characteristics, in: host)
    }

    /// Always false: no iOS device broadcasts values of characteristics.
    public var isBroadcasted: Bool { false }
}
