// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// A device as data: its advertisement, its database with values, and the notifications that it sent with their times.
///
/// A twin is declared in code, or comes from a capture, from a device that was recorded, or from JSON: `BlueCapCapture`
/// has `CaptureAnalysis.twin(of:)`, `TwinRecorder` and `Twin(json:)`. It becomes a device again on the virtual radio
/// (`VirtualRadio.add(twin:)`) or with a `PeripheralManager` (`TwinPeripheral` in `BlueCapCapture`).
///
/// A twin is the device as it was seen, not its program: it sends the recorded notifications, keeps values written to
/// it, and answers writes by rules (``TwinCharacteristic/answers``).
public struct Twin: Sendable, Hashable {
    /// The address that the device had.
    public var address: PeerIdentifier?
    /// A Boolean value that is true if the address was a random one.
    public var isAddressRandom: Bool?
    /// The name of the device.
    public var name: String?
    /// The time at which the device was recorded, or first heard.
    public var recorded: Timestamp?
    /// The advertisement; nil where none was heard.
    public var advertisement: TwinAdvertisement?
    /// The longest ATT packet that the device accepts in bytes, 23 to 517.
    public var mtu: Int?
    /// The services in the order of their handles, Generic Access and Generic Attribute included where they were
    /// discovered.
    public var services: [TwinService]
    /// The PSMs on which the device takes connection-oriented channels, each once.
    public var channels: [TwinChannel]

    /// Creates the twin of a device.
    ///
    /// - Parameters:
    ///   - address: The address that the device had.
    ///   - isAddressRandom: Whether that address was a random one.
    ///   - name: The name of the device.
    ///   - recorded: The time at which it was recorded.
    ///   - advertisement: The advertisement.
    ///   - mtu: The longest ATT packet that the device accepts in bytes.
    ///   - services: The services in the order of their handles.
    ///   - channels: The PSMs on which the device takes connection-oriented channels.
    public init(
        address: PeerIdentifier? = nil, isAddressRandom: Bool? = nil, name: String? = nil,
        recorded: Timestamp? = nil, advertisement: TwinAdvertisement? = nil, mtu: Int? = nil,
        services: [TwinService] = [], channels: [TwinChannel] = []
    ) {
        self.address = address
        self.isAddressRandom = isAddressRandom
        self.name = name
        self.recorded = recorded
        self.advertisement = advertisement
        self.mtu = mtu
        self.services = services
        self.channels = channels
    }

    /// The name of the device, or else the one that it advertises.
    public var displayName: String? {
        if let name, !name.isEmpty { return name }
        return advertisement?.data.localName ?? advertisement?.scanResponse?.localName
    }

    /// The services that a platform does not have by itself: all but Generic Access (1800) and Generic Attribute
    /// (1801).
    public var ownServices: [TwinService] { services.filter { !$0.isOfStack } }
}
