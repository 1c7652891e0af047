// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Foundation

/// A local descriptor: a user description or a presentation format, with a value that never changes (G4).
public final class CBMutableDescriptor: CBDescriptor {
    let bytes: [UInt8]

    /// A descriptor; one of another kind, or with a value of the wrong class, raises an exception (G4).
    public init(type uuid: CBUUID, value: Any?) {
        switch uuid.identity.uint16 {
        case 0x2901:
            guard let text = value as? String else {
                preconditionFailure("CBMutableDescriptor: a user description needs an NSString")
            }
            bytes = Array(text.utf8)
        case 0x2904:
            guard let data = value as? Data else {
                preconditionFailure("CBMutableDescriptor: a presentation format needs NSData")
            }
            bytes = Array(data)
        default:
            preconditionFailure("CBMutableDescriptor: \(uuid.uuidString) is not offered, only 2901 and 2904 are")
        }
        super.init(uuid: uuid, number: AttributeID(rawValue: 0), characteristic: nil, host: .current)
        self.value = value
    }
}
