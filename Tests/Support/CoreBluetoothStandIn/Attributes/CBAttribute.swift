// SPDX-License-Identifier: MIT

import BlueCapCore
public import Foundation

/// A service, a characteristic or a descriptor: an object that is the same as long as it is valid (D6), without a
/// handle that a program could see.
public class CBAttribute: NSObject {
    public let uuid: CBUUID
    /// The place in the peer's database, or the number of a local attribute. Nothing public tells it.
    var number: AttributeID
    /// False after Service Changed, a reset of the radio, or the end of the process (D3, M5).
    var isValid = true
    private let count: ObjectCount

    init(uuid: CBUUID, number: AttributeID, _ kind: StandInObject, in host: StandIn) {
        self.uuid = uuid
        self.number = number
        count = ObjectCount(kind, in: host.counts)
    }
}
