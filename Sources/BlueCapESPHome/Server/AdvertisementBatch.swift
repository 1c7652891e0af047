// SPDX-License-Identifier: MIT

import BlueCapCore

/// The advertisements that go out with the next message, which is one for all clients.
struct AdvertisementBatch {
    /// How many advertisements a message has at most, and for how long the first one waits.
    static let (capacity, patience) = (16, Duration.milliseconds(100))
    private var message = RawAdvertisementsResponse()

    var count: Int { message.advertisements.count }

    /// When the message has to go out; nil where it waits already.
    enum Due {
        case now
        case soon
    }

    mutating func add(_ advertisement: RawAdvertisement) -> Due? {
        message.advertisements.append(advertisement)
        return count >= Self.capacity ? .now : count == 1 ? .soon : nil
    }

    /// The message, if there is one; the next batch begins.
    mutating func take() -> RawAdvertisementsResponse? {
        guard count > 0 else { return nil }
        defer { message.advertisements.removeAll(keepingCapacity: true) }
        return message
    }
}

extension RawAdvertisement {
    /// Of a platform that did not measure the signal.
    private static let unknownSignal: Int32 = -127

    init(_ discovery: Discovery) {
        let address = DeviceAddress(discovery.peripheral.identifier)
        self.address = address.number
        addressType = address.type(isRandom: discovery.hasRandomAddress)
        rssi = discovery.rssi.map { Int32(clamping: $0) } ?? Self.unknownSignal
        data = discovery.advertisements.packet
    }
}
