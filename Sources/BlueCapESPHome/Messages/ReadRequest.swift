// SPDX-License-Identifier: MIT

/// Reads a characteristic.
package struct ReadRequest: AttributeMessage {
    package static let number: UInt16 = 73
    package static let fields = attributeFields

    package var address: UInt64 = 0
    package var handle: UInt32 = 0

    package init() {}
}

/// Reads a descriptor.
package struct ReadDescriptorRequest: AttributeMessage {
    package static let number: UInt16 = 76
    package static let fields = attributeFields

    package var address: UInt64 = 0
    package var handle: UInt32 = 0

    package init() {}
}

/// Answers the reading of a characteristic and of a descriptor.
package struct ReadResponse: ValueMessage {
    package static let number: UInt16 = 74
    package static let fields = valueFields

    package var address: UInt64 = 0
    package var handle: UInt32 = 0
    package var data: [UInt8] = []

    package init() {}
}

/// Writes a characteristic.
package struct WriteRequest: AttributeMessage {
    package static let number: UInt16 = 75
    package static let fields: [APIField<Self>] = attributeFields + [.bool(3, \.needsResponse), .bytes(4, \.data)]

    package var address: UInt64 = 0
    package var handle: UInt32 = 0
    package var needsResponse: Bool = false
    package var data: [UInt8] = []

    package init() {}
}

/// Writes a descriptor.
package struct WriteDescriptorRequest: ValueMessage {
    package static let number: UInt16 = 77
    package static let fields = valueFields

    package var address: UInt64 = 0
    package var handle: UInt32 = 0
    package var data: [UInt8] = []

    package init() {}
}

/// Answers each write, also one without a response.
package struct WriteResponse: AttributeMessage {
    package static let number: UInt16 = 83
    package static let fields = attributeFields

    package var address: UInt64 = 0
    package var handle: UInt32 = 0

    package init() {}
}

/// Begins or ends to listen to a characteristic.
package struct NotifyRequest: AttributeMessage {
    package static let number: UInt16 = 78
    package static let fields: [APIField<Self>] = attributeFields + [.bool(3, \.isOn)]

    package var address: UInt64 = 0
    package var handle: UInt32 = 0
    package var isOn: Bool = false

    package init() {}
}

/// It began, or ended.
package struct NotifyResponse: AttributeMessage {
    package static let number: UInt16 = 84
    package static let fields = attributeFields

    package var address: UInt64 = 0
    package var handle: UInt32 = 0

    package init() {}
}

/// A value of a characteristic that notifies.
package struct NotifiedValueResponse: ValueMessage {
    package static let number: UInt16 = 79
    package static let fields = valueFields

    package var address: UInt64 = 0
    package var handle: UInt32 = 0
    package var data: [UInt8] = []

    package init() {}
}

/// Answers any request of a handle.
package struct ErrorResponse: AttributeMessage {
    package static let number: UInt16 = 82
    package static let fields: [APIField<Self>] = attributeFields + [.signed(3, \.error)]

    package var address: UInt64 = 0
    package var handle: UInt32 = 0
    /// A code of ATT, or negative: -1 not connected, -2 out of memory.
    package var error: Int32 = 0

    package init() {}

    package init(_ address: UInt64, _ handle: UInt32, _ error: Int32) {
        (self.address, self.handle, self.error) = (address, handle, error)
    }
}
