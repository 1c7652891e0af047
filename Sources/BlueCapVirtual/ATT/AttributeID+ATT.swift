// SPDX-License-Identifier: MIT

import BlueCapCore

extension AttributeID {
    /// The attribute's handle; 0, which no attribute has, for an identifier that is none.
    var handle: UInt16 { UInt16(exactly: rawValue) ?? 0 }
}
