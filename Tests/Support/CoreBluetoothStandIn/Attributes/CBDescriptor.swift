// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Foundation

/// A descriptor of a peripheral's characteristic, or a local one.
public class CBDescriptor: CBAttribute {
    public internal(set) weak var characteristic: CBCharacteristic?
    /// A number for 2900, 2902 and 2903, a text for 2901, data for the others (D7).
    public internal(set) var value: Any?

    init(uuid: CBUUID, number: AttributeID, characteristic: CBCharacteristic?, host: StandIn) {
        self.characteristic = characteristic
        super.init(uuid: uuid, number: number, .descriptors, in: host)
    }

    /// The class of the value follows from the UUID (D7).
    func setValue(_ bytes: [UInt8]) {
        switch uuid.identity.uint16 {
        case 0x2900, 0x2902, 0x2903:
            value = NSNumber(value: bytes.prefix(2).reversed().reduce(0) { Int($0) << 8 | Int($1) })
        case 0x2901: value = NSString(string: String(decoding: bytes, as: UTF8.self))
        default: value = NSData(data: Data(bytes))
        }
    }
}
