// SPDX-License-Identifier: MIT

/// Begins to listen; may be repeated.
package struct SubscribeAdvertisementsRequest: APIMessage {
    package static let number: UInt16 = 66
    package static let fields: [APIField<Self>] = [.unsigned(1, \.flags)]

    package var flags: UInt32 = 0

    package init() {}
}

/// Ends to listen.
package struct UnsubscribeAdvertisementsRequest: APIMessage {
    package static let number: UInt16 = 87

    package init() {}
}

/// Up to sixteen advertisements.
package struct RawAdvertisementsResponse: APIMessage {
    package static let number: UInt16 = 93
    package static let fields: [APIField<Self>] = [.groups(1, \.advertisements)]

    package var advertisements: [RawAdvertisement] = []

    package init() {}
}

/// The packets of a device, joined.
package struct RawAdvertisement: APIGroup {
    package static let fields: [APIField<Self>] = [
        .unsigned(1, \.address), .zigzag(2, \.rssi), .unsigned(3, \.addressType), .bytes(4, \.data),
    ]

    package var address: UInt64 = 0
    package var rssi: Int32 = 0
    /// 0 public, 1 random.
    package var addressType: UInt32 = 0
    package var data: [UInt8] = []

    package init() {}
}

/// The state of the scan; follows each subscription.
package struct ScannerStateResponse: APIMessage {
    package static let number: UInt16 = 126
    package static let fields: [APIField<Self>] = [
        .unsigned(1, \.state), .unsigned(2, \.mode), .unsigned(3, \.configuredMode),
    ]

    /// 0 idle, 1 starting, 2 running, 3 failed, 4 stopping, 5 stopped.
    package var state: UInt32 = 0
    /// 0 passive, 1 active.
    package var mode: UInt32 = 0
    package var configuredMode: UInt32 = 0

    package init() {}
}

/// Asks for an active or a passive scan.
package struct ScannerModeRequest: APIMessage {
    package static let number: UInt16 = 127
    package static let fields: [APIField<Self>] = [.unsigned(1, \.mode)]

    package var mode: UInt32 = 0

    package init() {}
}
