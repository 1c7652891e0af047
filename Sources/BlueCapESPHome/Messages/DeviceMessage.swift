// SPDX-License-Identifier: MIT

/// A message about a device. Messages with the same fields share their table, as those of the protocols below do.
package protocol DeviceMessage: APIMessage {
    var address: UInt64 { get set }
}

/// A message about an attribute of a device.
package protocol AttributeMessage: DeviceMessage {
    var handle: UInt32 { get set }
}

/// A message with the value of an attribute.
package protocol ValueMessage: AttributeMessage {
    var data: [UInt8] { get set }
}

/// The answer to a wish for a device that needs no attribute.
package protocol OutcomeMessage: DeviceMessage {
    var isDone: Bool { get set }
    /// A code of ATT, or negative: see ``ErrorResponse``.
    var error: Int32 { get set }
}

extension DeviceMessage {
    static var deviceFields: [APIField<Self>] { [.unsigned(1, \.address)] }

    package init(_ address: UInt64) {
        self.init()
        self.address = address
    }
}

extension AttributeMessage {
    static var attributeFields: [APIField<Self>] { deviceFields + [.unsigned(2, \.handle)] }

    package init(_ address: UInt64, _ handle: UInt32) {
        self.init(address)
        self.handle = handle
    }
}

extension ValueMessage {
    static var valueFields: [APIField<Self>] { attributeFields + [.bytes(3, \.data)] }

    package init(_ address: UInt64, _ handle: UInt32, _ data: [UInt8]) {
        self.init(address, handle)
        self.data = data
    }
}

extension OutcomeMessage {
    static var outcomeFields: [APIField<Self>] { deviceFields + [.bool(2, \.isDone), .signed(3, \.error)] }

    package init(_ address: UInt64, isDone: Bool, error: Int32 = 0) {
        self.init(address)
        (self.isDone, self.error) = (isDone, error)
    }
}
