// SPDX-License-Identifier: MIT

/// One packet, or merged view of packets, of an advertising peripheral.
public struct Sighting: Sendable, Hashable {
    /// Which peripheral.
    public var peripheral: PeerIdentifier
    /// Its name, if the platform knows one.
    public var name: String?
    /// What it advertises.
    public var advertisements: PeripheralAdvertisements
    /// Signal strength in dBm; absent where the platform did not measure it (CoreBluetooth's and BlueZ's 127).
    public var rssi: Int?
    /// Whether there are keys for it; nil where the platform does not say.
    public var isBonded: Bool?

    /// A sighting.
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
