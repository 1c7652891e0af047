// SPDX-License-Identifier: MIT

import BlueCapCore
import Foundation

/// A local service. What is published no longer changes: later assignments change this object alone (G5).
public final class CBMutableService: CBService {
    public init(type uuid: CBUUID, primary isPrimary: Bool) {
        super.init(
            uuid: uuid, number: AttributeID(rawValue: 0), isPrimary: isPrimary, peripheral: nil, host: .current)
    }

    init(type uuid: CBUUID, primary isPrimary: Bool, host: StandIn) {
        super.init(uuid: uuid, number: AttributeID(rawValue: 0), isPrimary: isPrimary, peripheral: nil, host: host)
    }

    public override var includedServices: [CBService]? {
        get { super.includedServices }
        set { super.includedServices = newValue }
    }

    public override var characteristics: [CBCharacteristic]? {
        get { super.characteristics }
        set {
            super.characteristics = newValue
            for characteristic in newValue ?? [] { characteristic.service = self }
        }
    }
}
