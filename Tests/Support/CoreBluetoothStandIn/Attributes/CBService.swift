// SPDX-License-Identifier: MIT

import BlueCapCore
import Foundation

/// A service of a peripheral, or a local one.
public class CBService: CBAttribute {
    public internal(set) weak var peripheral: CBPeripheral?
    public let isPrimary: Bool
    /// The services found by a discovery (D1); nil before one.
    public internal(set) var includedServices: [CBService]?
    /// The characteristics found by a discovery (D1); nil before one.
    public internal(set) var characteristics: [CBCharacteristic]?

    init(uuid: CBUUID, number: AttributeID, isPrimary: Bool, peripheral: CBPeripheral?, host: StandIn) {
        self.isPrimary = isPrimary
        self.peripheral = peripheral
        super.init(uuid: uuid, number: number, .services, in: host)
    }

    /// Makes the service and everything below it useless.
    func invalidate() {
        isValid = false
        for characteristic in characteristics ?? [] {
            characteristic.isValid = false
            for descriptor in characteristic.descriptors ?? [] { descriptor.isValid = false }
        }
    }
}
