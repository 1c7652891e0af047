// SPDX-License-Identifier: MIT

/// One packet, or merged view of packets, of an advertising peripheral.
public struct Sighting: Sendable, Hashable {
    /// The identifier of the peripheral that sent the packet.
    public var peripheral: PeerIdentifier
    /// Its name, if the platform knows one.
    public var name: String?
    /// The fields of the packet, or of all packets that the platform has merged.
    public var advertisements: PeripheralAdvertisements
    /// Signal strength in dBm; absent where the platform did not measure it (CoreBluetooth's and BlueZ's 127).
    public var rssi: Int?
    /// Whether there are keys for it; nil where the platform does not say.
    public var isBonded: Bool?

    /// Creates a sighting, as a backend reports it by ``CentralEvent``.
    ///
    /// - Parameters:
    ///   - peripheral: The identifier under which a manager can connect to the sender.
    ///   - name: The name that the platform knows; nil where it knows none.
    ///   - advertisements: The fields of the packet, or of all packets that the platform has merged.
    ///   - rssi: The signal strength in dBm; nil where the platform did not measure it.
    ///   - isBonded: Whether the platform keeps keys for the peripheral; nil where the platform does not say.
    public init(
        peripheral: PeerIdentifier, name: String? = nil, advertisements: PeripheralAdvertisements, rssi: Int?,
        isBonded: Bool? = nil
    ) {
        self.peripheral = peripheral
        self.name = name
        self.advertisements = advertisements
        self.rssi = rssi
        self.isBonded = isBonded
    }
}
