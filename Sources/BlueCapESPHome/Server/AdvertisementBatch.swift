// SPDX-License-Identifier: MIT

import BlueCapCore

/// The advertisements that go out with the next message, which is one for all clients.
struct AdvertisementBatch {
    /// How many advertisements a message has at most, and for how long the first one waits.
    static let (capacity, patience) = (16, Duration.milliseconds(100))
    /// Of a platform that did not measure the signal.
    private static let unknownSignal: Int32 = -127

    private var message = RawAdvertisementsResponse()

    var count: Int { message.advertisements.count }
    var isFull: Bool { count >= Self.capacity }

    mutating func add(_ advertisement: RawAdvertisement) { message.advertisements.append(advertisement) }

    /// The message, if there is one; the next batch begins.
    mutating func take() -> RawAdvertisementsResponse? {
        guard count > 0 else { return nil }
        defer { message.advertisements.removeAll(keepingCapacity: true) }
        return message
    }

    static func advertisement(_ discovery: Discovery) -> RawAdvertisement {
        let address = DeviceAddress(discovery.peripheral.identifier)
        var advertisement = RawAdvertisement()
        advertisement.address = address.number
        advertisement.addressType = address.type(isRandom: discovery.hasRandomAddress)
        advertisement.rssi = discovery.rssi.map { Int32(clamping: $0) } ?? unknownSignal
        advertisement.data = discovery.advertisements.packet
        return advertisement
    }
}
