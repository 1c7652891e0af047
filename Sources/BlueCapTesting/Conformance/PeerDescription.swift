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
    /// The address of the device; nil lets the world choose one that was never used before.
    public var address: PeerIdentifier?
    /// The largest ATT_MTU that the device agrees to in bytes; nil for the world's own.
    public var mtu: Int?
    /// The advertisement, which ``ConformancePeer/advertise(_:)`` starts and stops.
    public var advertisement: PeerAdvertisement
    /// The behaviour when a central pairs.
    public var pairing: PeerPairing
    /// The GATT database. Generic Access and Generic Attribute come by themselves and are not counted.
    public var services: [PeerService]

    /// Creates a far device.
    ///
    /// - Parameters:
    ///   - name: The name of the device (Generic Access, Device Name).
    ///   - address: The address of the device; nil lets the world choose one.
    ///   - mtu: The largest ATT_MTU that the device agrees to in bytes; nil for the world's own.
    ///   - advertisement: The advertisement; nil advertises the name and nothing else.
    ///   - pairing: The behaviour when a central pairs.
    ///   - services: The GATT database.
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
