// SPDX-License-Identifier: MIT

/// A peripheral that the platform knows without a sighting in a scan of ours.
public struct KnownPeripheral: Sendable, Hashable {
    /// The identifier under which the platform knows the peripheral, and a manager connects to it.
    public var id: PeerIdentifier
    /// Its name, if the platform knows one.
    public var name: String?
    /// What the platform last saw it advertise.
    public var advertisements: PeripheralAdvertisements
    /// Whether the platform has a connection to it, of this program's or of another's.
    public var isConnected: Bool
    /// Whether there are keys for it; nil where the platform does not say.
    public var isBonded: Bool?

    /// Creates a description of a peripheral that the platform remembers.
    ///
    /// - Parameters:
    ///   - id: The identifier under which a manager can connect to it.
    ///   - name: The name that the platform remembers; nil where it has none.
    ///   - advertisements: The fields of its last advertisement that the platform remembers; none by default.
    ///   - isConnected: Whether the link to it is up, for this program or for another.
    ///   - isBonded: Whether the platform keeps keys for it; nil where the platform does not say.
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
