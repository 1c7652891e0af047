// SPDX-License-Identifier: MIT

package import BlueCapCore

/// Something that an adapter of a virtual radio hears, sends or learns, as observers of the radio receive it.
package enum AirEvent: Sendable {
    /// An adapter that scans heard an advertisement, and the scan response where there was one.
    case advertisement(AirAdvertisement)
    /// A link came up.
    case opened(AirLink)
    /// One side of a link handed a frame of L2CAP to its controller.
    case sent(AirLink, fromCentral: Bool, AirFrame)
    /// A frame of L2CAP reached the other side of a link.
    case delivered(AirLink, fromCentral: Bool, AirFrame)
    /// A link is encrypted from now on.
    case encrypted(AirLink)
    /// A link has another timing from now on.
    case timed(AirLink)
    /// A link ended, for a reason of the Core Specification, Vol 1, Part F, as each side sees it.
    case closed(AirLink, central: UInt8, peripheral: UInt8)
}

/// An advertisement as an adapter heard it.
package struct AirAdvertisement: Sendable {
    /// The adapter that heard it.
    package let receiver: String
    package let sender: PeerIdentifier
    /// Whether the sender is an adapter, whose address is a public one.
    package let isFromAdapter: Bool
    package let data: PeripheralAdvertisements
    package let scanResponse: PeripheralAdvertisements?
    /// Nil for legacy advertising.
    package let secondaryPHY: SecondaryPHY?
    package let isConnectable: Bool
    package let rssi: Int
}

/// A link between an adapter and a peripheral, or two adapters.
package struct AirLink: Sendable {
    /// A number that no other link of the radio has.
    package let number: UInt64
    /// The central's adapter.
    package let central: String
    package let peripheral: PeerIdentifier
    /// Whether the peripheral is another adapter of the radio, rather than a virtual peripheral.
    package let isBetweenAdapters: Bool
    package internal(set) var interval: Duration
    package internal(set) var latency: Int
    package internal(set) var supervisionTimeout: Duration
}

/// A basic frame of L2CAP (Core Specification, Vol 3, Part A, 3.1).
package struct AirFrame: Sendable {
    /// The fixed channels of LE links (Core Specification, Vol 3, Part A, 2.1, table 2.2).
    static let attributeChannel: UInt16 = 4
    static let signalingChannel: UInt16 = 5

    /// The number of the receiver's end of the channel.
    package let channel: UInt16
    /// The bytes behind the header.
    package let payload: [UInt8]
}
