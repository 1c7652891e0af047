// SPDX-License-Identifier: MIT

public import BlueCapCore

/// A device that a far central heard advertising.
public struct HeardDevice: Sendable, Hashable {
    /// The address of the device.
    public var identifier: PeerIdentifier
    /// A Boolean value that is true if the address is a public one.
    public var isPublic: Bool
    /// The contents of the advertisement and the scan response taken together.
    public var advertisements: PeripheralAdvertisements
    /// The part that came in the scan response; nil where the central's platform does not separate the two.
    public var scanResponse: PeripheralAdvertisements?
    /// The number of advertisements that were heard.
    public var count: Int
    /// The modulation of the data in extended advertising; nil for legacy advertising, and where the central's platform
    /// does not tell it.
    public var secondaryPHY: SecondaryPHY?

    /// Creates a record of a device.
    ///
    /// - Parameters:
    ///   - identifier: The address of the device.
    ///   - isPublic: Whether the address is a public one.
    ///   - advertisements: The contents of the advertisement and the scan response taken together.
    ///   - scanResponse: The part that came in the scan response; nil where the central's platform does not separate
    ///     the two.
    ///   - count: The number of advertisements that were heard.
    ///   - secondaryPHY: The modulation of the data in extended advertising; nil where it is not known.
    public init(
        identifier: PeerIdentifier, isPublic: Bool, advertisements: PeripheralAdvertisements,
        scanResponse: PeripheralAdvertisements? = nil, count: Int = 1, secondaryPHY: SecondaryPHY? = nil
    ) {
        self.identifier = identifier
        self.isPublic = isPublic
        self.advertisements = advertisements
        self.scanResponse = scanResponse
        self.count = count
        self.secondaryPHY = secondaryPHY
    }
}
