// SPDX-License-Identifier: MIT

/// Connects, disconnects, pairs: see ``DeviceRequest/Kind``.
package struct DeviceRequest: DeviceMessage {
    package static let number: UInt16 = 68
    package static let fields: [APIField<Self>] =
        deviceFields + [.unsigned(2, \.kind), .bool(3, \.hasAddressType), .unsigned(4, \.addressType)]

    package var address: UInt64 = 0
    package var kind: UInt32 = 0
    package var hasAddressType: Bool = false
    package var addressType: UInt32 = 0

    package init() {}
}

/// Whether a device is connected now.
package struct DeviceConnectionResponse: DeviceMessage {
    package static let number: UInt16 = 69
    package static let fields: [APIField<Self>] =
        deviceFields + [.bool(2, \.isConnected), .unsigned(3, \.maximumTransmissionUnit), .signed(4, \.error)]

    package var address: UInt64 = 0
    package var isConnected: Bool = false
    package var maximumTransmissionUnit: UInt32 = 0
    /// A reason of HCI, or 0 for a refusal.
    package var error: Int32 = 0

    package init() {}

    /// The device is connected.
    package init(_ address: UInt64, maximumTransmissionUnit: UInt32) {
        (self.address, isConnected, self.maximumTransmissionUnit) = (address, true, maximumTransmissionUnit)
    }

    /// The connection has ended.
    package init(_ address: UInt64, error: Int32) { (self.address, self.error) = (address, error) }
}

/// Asks for the free slots, now and whenever they change.
package struct SubscribeSlotsRequest: APIMessage {
    package static let number: UInt16 = 80

    package init() {}
}

/// How many connections there may still be.
package struct SlotsResponse: APIMessage {
    package static let number: UInt16 = 81
    package static let fields: [APIField<Self>] = [
        .unsigned(1, \.free), .unsigned(2, \.limit), .numbers(3, \.allocated),
    ]

    package var free: UInt32 = 0
    package var limit: UInt32 = 0
    /// The addresses that have a slot, and no zeros.
    package var allocated: [UInt64] = []

    package init() {}
}

/// Whether the device is paired.
package struct PairingResponse: OutcomeMessage {
    package static let number: UInt16 = 85
    package static let fields = outcomeFields

    package var address: UInt64 = 0
    package var isDone: Bool = false
    package var error: Int32 = 0

    package init() {}
}

/// Whether the keys are gone.
package struct UnpairingResponse: OutcomeMessage {
    package static let number: UInt16 = 86
    package static let fields = outcomeFields

    package var address: UInt64 = 0
    package var isDone: Bool = false
    package var error: Int32 = 0

    package init() {}
}

/// Whether the cache is empty.
package struct ClearCacheResponse: OutcomeMessage {
    package static let number: UInt16 = 88
    package static let fields = outcomeFields

    package var address: UInt64 = 0
    package var isDone: Bool = false
    package var error: Int32 = 0

    package init() {}
}

extension DeviceRequest {
    package enum Kind: UInt32, Sendable {
        /// Of clients before 2022, without a cache.
        case connectOldStyle
        case disconnect
        case pair
        case unpair
        case connectWithCache
        case connectWithoutCache
        case clearCache
    }
}
