// SPDX-License-Identifier: MIT

public import BlueCapCore

/// A far device, declared as data, so that any world can play it: the virtual radio, a scripted BlueZ, another
/// Bluetooth stack in another process.
///
/// As `Codable` it is the `peer` object of the test bed's protocol: UUIDs as text, bytes as lower-case hexadecimal
/// text, company identifiers as decimal keys, properties by name.
public struct PeerDescription: Sendable, Hashable {
    /// The device's name (Generic Access, Device Name). It is advertised only if the advertisement says so.
    public var name: String
    /// Its address; the world picks one that was never used before when it is absent.
    public var address: PeerIdentifier?
    /// The largest ATT_MTU it agrees to; the world's own when absent.
    public var mtu: Int?
    /// What it advertises once it is told to.
    public var advertisement: PeerAdvertisement
    /// How it pairs.
    public var pairing: PeerPairing
    /// Its GATT database. Generic Access and Generic Attribute come by themselves and are not counted.
    public var services: [PeerService]

    /// A far device. Without an advertisement, it advertises its name and nothing else.
    public init(
        name: String, address: PeerIdentifier? = nil, mtu: Int? = nil,
        advertisement: PeerAdvertisement? = nil, pairing: PeerPairing = PeerPairing(), services: [PeerService] = []
    ) {
        self.pairing = pairing
        self.name = name
        self.address = address
        self.mtu = mtu
        self.advertisement = advertisement ?? PeerAdvertisement(localName: name)
        self.services = services
    }
}
