// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapSerDe
import Foundation

extension Bytes {
    /// Creates the bytes of a descriptor's value, which CoreBluetooth hands over as an object (D7): a number for
    /// Extended Properties and both configurations, a text for the User Description, and bytes for all others.
    ///
    /// - Parameter object: The object; nil, and an object of another class, stand for no bytes.
    init(object: Any?) {
        if let data = object as? Data {
            self.init(data)
        } else if let text = object as? String {
            self.init(text.utf8)
        } else if let number = object as? NSNumber {
            let bits = UInt16(truncatingIfNeeded: number.intValue)
            self.init([UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)])
        } else {
            self.init()
        }
    }
}
#endif
