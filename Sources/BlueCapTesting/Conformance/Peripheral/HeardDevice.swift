// SPDX-License-Identifier: MIT

public import BlueCapCore

/// A device that was heard advertising.
public struct HeardDevice: Sendable, Hashable {
    /// The address of the device.
    public var identifier: PeerIdentifier
    /// Whether the address is a public one.
    public var isPublic: Bool
    /// What it advertises, advertisement and scan response taken together.
    public var advertisements: PeripheralAdvertisements
    /// What of that came in the scan response; nil where the central's platform does not tell both apart.
    public var scanResponse: PeripheralAdvertisements?
    /// How many of its advertisements were heard.
    public var count: Int

    /// Creates a device.
    public init(
        identifier: PeerIdentifier, isPublic: Bool, advertisements: PeripheralAdvertisements,
        scanResponse: PeripheralAdvertisements? = nil, count: Int = 1
    ) {
        self.identifier = identifier
        self.isPublic = isPublic
        self.advertisements = advertisements
        self.scanResponse = scanResponse
        self.count = count
    }
}
