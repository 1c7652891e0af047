// SPDX-License-Identifier: MIT

import BlueCapCore

/// The advertisements that go out with the next message, which is one for all clients.
struct AdvertisementBatch {
    /// How many advertisements a message has at most, and for how long the first one waits.
    static let (capacity, patience) = (16, Duration.milliseconds(100))
    private var message = RawAdvertisementsResponse()
    /// When the first advertisement of the message came.
    private var begun = Duration.zero
    /// Whether a timer runs for this message or for one before it.
    private var isTimed = false

    var count: Int { message.advertisements.count }

    /// What is to be done.
    enum Due {
        /// The message has to go out.
        case now
        /// ``timePassed(at:)`` has to be called after so long.
        case after(Duration)
    }

    mutating func add(_ advertisement: RawAdvertisement, at elapsed: Duration) -> Due? {
        if count == 0 { begun = elapsed }
        message.advertisements.append(advertisement)
        if count >= Self.capacity { return .now }
        if isTimed { return nil }
        isTimed = true
        return .after(Self.patience)
    }

    /// The time has come that was asked for. The message that it was for may have gone out when it was full.
    mutating func timePassed(at elapsed: Duration) -> Due? {
        let left = begun + Self.patience - elapsed
        isTimed = count > 0 && left > .zero
        return isTimed ? .after(left) : count > 0 ? .now : nil
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

    /// - Parameter data: The packets, if they are known to be those of the discovery; nil to write them.
    init(_ discovery: Discovery, _ address: DeviceAddress, data: [UInt8]? = nil) {
        self.address = address.number
        addressType = address.type(isRandom: discovery.hasRandomAddress)
        rssi = discovery.rssi.map { Int32(clamping: $0) } ?? Self.unknownSignal
        self.data = data ?? discovery.advertisements.packet
    }
}
