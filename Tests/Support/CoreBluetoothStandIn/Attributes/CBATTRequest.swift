// SPDX-License-Identifier: MIT

import BlueCapCore
public import Foundation

/// A read or a write of a central, which looks alike with and without a response (I1, I3).
public final class CBATTRequest: NSObject {
    public let central: CBCentral
    public let characteristic: CBCharacteristic
    public let offset: Int
    /// The value of a write, or that which answers a read (I1).
    public var value: Data?
    private let count: ObjectCount

    init(central: CBCentral, characteristic: CBCharacteristic, offset: Int, value: Data?, host: StandIn) {
        self.central = central
        self.characteristic = characteristic
        self.offset = offset
        self.value = value
        count = ObjectCount(.requests, in: host.counts)
    }
}
