// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe

/// A device as data: what it advertises, its database with values, and what it notified when.
///
/// A twin comes from a capture (``CaptureAnalysis/twin(of:)``), from a device that was recorded, or from JSON that
/// somebody wrote or sent by mail. It becomes a device again on the virtual radio (`VirtualRadio.add(twin:)`) or with a
/// `PeripheralManager` (``TwinPeripheral``). <doc:TwinFormat> describes its JSON.
///
/// A twin is the device as it was seen, not its program: it sends what was sent, and keeps what is written to it.
public struct Twin: Sendable, Hashable {
    /// The version of the JSON that is written, and the newest that is read.
    public static let version = 1

    /// The address that it had.
    public var address: PeerIdentifier?
    /// Whether that address was a random one.
    public var isAddressRandom: Bool?
    /// The name of the device.
    public var name: String?
    /// When it was recorded, or first heard.
    public var recorded: Timestamp?
    /// What it advertises; nil where nothing of it was heard.
    public var advertisement: TwinAdvertisement?
    /// The longest ATT packet that it takes, 23 to 517.
    public var mtu: Int?
    /// Its services in the order of their handles, Generic Access and Generic Attribute included where they were
    /// discovered.
    public var services: [TwinService]

    /// A twin.
    ///
    /// - Parameters:
    ///   - address: The address that it had.
    ///   - isAddressRandom: Whether that address was a random one.
    ///   - name: Its name.
    ///   - recorded: When it was recorded.
    ///   - advertisement: What it advertises.
    ///   - mtu: The longest ATT packet that it takes.
    ///   - services: Its services.
    public init(
        address: PeerIdentifier? = nil, isAddressRandom: Bool? = nil, name: String? = nil,
        recorded: Timestamp? = nil, advertisement: TwinAdvertisement? = nil, mtu: Int? = nil,
        services: [TwinService] = []
    ) {
        self.address = address
        self.isAddressRandom = isAddressRandom
        self.name = name
        self.recorded = recorded
        self.advertisement = advertisement
        self.mtu = mtu
        self.services = services
    }

    /// The name that it goes by: its own, or the one that it advertises.
    public var displayName: String? {
        name ?? advertisement?.data.localName ?? advertisement?.scanResponse?.localName
    }

    /// The services that a platform does not have by itself: all but Generic Access (1800) and Generic Attribute
    /// (1801).
    public var ownServices: [TwinService] {
        services.filter { $0.uuid != .genericAccess && $0.uuid != .genericAttribute }
    }
}
