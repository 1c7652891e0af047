// SPDX-License-Identifier: MIT

public import BlueCapCore

/// What a capture shows of a device.
public struct CapturedDevice: Sendable, Hashable {
    /// Its address, or a name that stands for it where the capture begins within a link: `HCI0/0X0040`.
    public var identifier: PeerIdentifier
    /// Whether the address is a random one; nil where it is not known.
    public var isRandom: Bool?
    /// Whether it is the controller that the capture was made at.
    public var isOwn: Bool
    /// The name that it advertised, or that was read from it.
    public var name: String?
    /// When it was first heard.
    public var firstSeen: Timestamp?
    /// When it was last heard.
    public var lastSeen: Timestamp?
    /// The signal strength of its last advertisement, in dBm.
    public var rssi: Int?
    /// How many of its advertisements and scan responses there are.
    public var advertisementCount: Int
    /// How many links to it there are.
    public var connectionCount: Int
    /// How many services were discovered.
    public var serviceCount: Int
    /// How many notifications and indications it sent.
    public var notificationCount: Int
    /// How many attributes were read, written or notified that no discovery in the capture explains: the central knew
    /// the device from before.
    public var unexplainedCount: Int
}
