// SPDX-License-Identifier: MIT

public import BlueCapCore

/// The facts that a capture shows of a device.
public struct CapturedDevice: Sendable, Hashable {
    /// The address, or a name that stands for it where the capture begins within a link: the controller and the handle
    /// of the link, `HCI0/0040`, or its access address, `LINK/50C0DE01`. A further link by that handle or access
    /// address whose beginning is missing, too, has a number behind it: `HCI0/0040/2`.
    public var identifier: PeerIdentifier
    /// A Boolean value that is true if the address is a random one; nil where it is not known.
    public var isRandom: Bool?
    /// A Boolean value that is true for the controller at which the capture was made.
    public var isOwn: Bool
    /// The name that the device advertised, or that a central read from it.
    public var name: String?
    /// The time of the first packet from the device.
    public var firstSeen: Timestamp?
    /// The time of the last packet from the device.
    public var lastSeen: Timestamp?
    /// The signal strength of the last advertisement in dBm.
    public var rssi: Int?
    /// The number of advertisements and scan responses.
    public var advertisementCount: Int
    /// The number of links to the device.
    public var connectionCount: Int
    /// The number of services that were discovered.
    public var serviceCount: Int
    /// The number of notifications and indications that the device sent.
    public var notificationCount: Int
    /// The number of attributes that were read, written or notified and that no discovery in the capture explains: the
    /// central knew the device from before.
    public var unexplainedCount: Int
    /// The number of characteristics and descriptors that were discovered without the service, or the characteristic,
    /// that they belong to: the packets with those were not captured, and so they have no place in the twin.
    public var unplacedCount: Int
    /// The number of connection-oriented channels for which the device was asked.
    public var channelCount: Int
}
