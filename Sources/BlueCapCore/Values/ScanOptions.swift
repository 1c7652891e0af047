// SPDX-License-Identifier: MIT

/// The sightings that a scan leaves out, and how it reports repeated ones.
public struct ScanOptions: Sendable, Hashable {
    /// Whether every packet is reported, rather than the first and those whose content changed.
    public var allowsDuplicates: Bool
    /// Leaves out sightings weaker than this, in dBm; a sighting without a measured strength passes.
    public var minimumRSSI: Int?
    /// Leaves out peripherals whose name does not start with this, letters compared exactly.
    public var namePrefix: String?
    /// Leaves out peripherals whose identifier does not start with this, letters compared without case.
    public var addressPrefix: String?
    /// After how long without a sighting a peripheral is reported lost; nil for never.
    public var lostAfter: Duration?

    /// Creates options; the default reports everything once, its changes, and its loss after 30 s.
    ///
    /// - Parameters:
    ///   - allowsDuplicates: Whether every packet is reported, rather than the first and those whose content changed.
    ///   - minimumRSSI: The weakest signal that is reported, in dBm; nil for any.
    ///   - namePrefix: How a peripheral's name has to begin, in the same case; nil for any name, or none.
    ///   - addressPrefix: How a peripheral's identifier has to begin, in either case; nil for any.
    ///   - lostAfter: How long after its last sighting a peripheral is reported lost; nil for never.
    public init(
        allowsDuplicates: Bool = false, minimumRSSI: Int? = nil, namePrefix: String? = nil,
        addressPrefix: String? = nil, lostAfter: Duration? = .seconds(30)
    ) {
        self.allowsDuplicates = allowsDuplicates
        self.minimumRSSI = minimumRSSI
        self.namePrefix = namePrefix
        self.addressPrefix = addressPrefix
        self.lostAfter = lostAfter
    }
}
