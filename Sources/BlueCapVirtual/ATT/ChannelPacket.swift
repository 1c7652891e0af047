// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A packet of L2CAP about connection-oriented channels (Core Specification, Vol 3, Part A, 4 and 3.4).
///
/// The first number of a packet of signalling is its identifier, which an answer repeats.
enum ChannelPacket {
    /// Asks for a channel; the numbers are those of the asking side.
    case request(UInt8, ChannelTerms, psm: UInt16)
    /// The answer to a request for a channel of the asking side: the other side's terms, or its refusal.
    case response(UInt8, source: UInt16, Result<ChannelTerms, ChannelRefusal>)
    /// More credits for the sender's channel.
    case credits(UInt8, source: UInt16, count: Int)
    /// A part of a unit to the receiver's channel; the first one has the unit's length.
    case frame(destination: UInt16, unitLength: Int?, Bytes)
    /// Ends a channel.
    case disconnect(UInt8, destination: UInt16, source: UInt16)
    /// The answer to that, with the same numbers: that of the receiver's end, the source, can be used again.
    case disconnected(UInt8, destination: UInt16, source: UInt16)
}

/// The terms of one side of a channel.
struct ChannelTerms {
    /// The number of its end (Core Specification, Vol 3, Part A, 2.1).
    var source: UInt16
    /// The longest unit that it takes in bytes.
    var maximumUnitLength: Int
    /// The longest part that it takes in bytes.
    var maximumFrameLength: Int
    /// How many parts it takes before it gives more credits.
    var credits: Int
}
