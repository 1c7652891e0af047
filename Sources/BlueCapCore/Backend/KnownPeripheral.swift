// SPDX-License-Identifier: MIT

/// A peripheral that the platform knows without a sighting in a scan of ours.
public struct KnownPeripheral: Sendable, Hashable {
    /// Which peripheral.
    public var id: PeerIdentifier
    /// Its name, if the platform knows one.
    public var name: String?
    /// What the platform last saw it advertise.
    public var advertisements: PeripheralAdvertisements
    /// Whether the platform has a connection to it, of this program's or of another's.
    public var isConnected: Bool
    /// Whether there are keys for it; nil where the platform does not say.
    public var isBonded: Bool?

    /// A known peripheral.
    public init(
        id: PeerIdentifier, name: String? = nil,
        advertisements: PeripheralAdvertisements = PeripheralAdvertisements(), isConnected: Bool = false,
        isBonded: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.advertisements = advertisements
        self.isConnected = isConnected
        self.isBonded = isBonded
    }
}
