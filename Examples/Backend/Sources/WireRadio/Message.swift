// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A message between a central and a device. Each is one line of JSON on the wire.
public enum Message: Codable, Equatable, Sendable {
    // Sent by the central.

    /// Connect; the link has this number.
    case connect(link: UInt64)
    /// The link has ended, or is no longer wanted.
    case disconnect(link: UInt64)
    /// Read the value of an attribute. Answered by `value` or `refusal`.
    case read(request: UInt64, attribute: UInt32)
    /// Write the value of an attribute. Answered by `done` or `refusal`.
    case write(request: UInt64, attribute: UInt32, value: Bytes)
    /// Write the value of an attribute; there is no answer.
    case command(attribute: UInt32, value: Bytes)
    /// Switch notifications or indications on or off. Answered by `done` or `refusal`.
    case subscribe(request: UInt64, attribute: UInt32, isOn: Bool)
    /// An indication has arrived.
    case confirmation(attribute: UInt32)

    // Sent by the device.

    /// One packet of the advertisement, with its scan response, as they would be on the air.
    case advertisement(packets: [Bytes], rssi: Int)
    /// The device advertises no longer.
    case silence
    /// The link stands.
    case connected(link: UInt64, maximumTransmissionUnit: Int, services: [WireService])
    /// The link has ended, or the device did not accept it.
    case disconnected(link: UInt64)
    /// The device's database has changed to this one.
    case services([WireService])
    /// The answer to a read.
    case value(request: UInt64, value: Bytes)
    /// The answer to a write or a subscription.
    case done(request: UInt64)
    /// The answer to a request that is refused.
    case refusal(request: UInt64, error: ATTError)
    /// A value for a subscriber.
    case notification(attribute: UInt32, value: Bytes)
    /// A value for a subscriber. Answered by `confirmation`.
    case indication(attribute: UInt32, value: Bytes)
}
