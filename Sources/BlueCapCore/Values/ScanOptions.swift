// SPDX-License-Identifier: MIT

/// The sightings that a scan leaves out, and how it reports repeated ones.
public struct ScanOptions: Sendable, Hashable {
    /// A Boolean value that is true if every packet is reported, and false if only the first packet and packets with
    /// changed content are.
    public var allowsDuplicates: Bool
    /// The weakest signal that is reported, in dBm; nil for any.
    ///
    /// A sighting without a measured strength is reported.
    public var minimumRSSI: Int?
    /// The beginning of the name of reported peripherals, compared with case; nil for any name, or none.
    public var namePrefix: String?
    /// The beginning of the identifier of reported peripherals, compared without case; nil for any.
    public var addressPrefix: String?
    /// The time without a sighting after which a peripheral is reported lost; nil for never.
    public var lostAfter: Duration?
    /// The packets that the scan hears.
    public var mode: ScanMode

    /// Creates options; the default reports everything once, its changes, and its loss after 30 s.
    ///
    /// - Parameters:
    ///   - allowsDuplicates: A Boolean value that is true if every packet is reported, and false if only the first
    ///     packet and packets with changed content are.
    ///   - minimumRSSI: The weakest signal that is reported, in dBm; nil for any.
    ///   - namePrefix: The beginning of the name of reported peripherals, compared with case; nil for any name, or
    ///     none.
    ///   - addressPrefix: The beginning of the identifier of reported peripherals, compared without case; nil for any.
    ///   - lostAfter: The time after its last sighting at which a peripheral is reported lost; nil for never.
    ///   - mode: The packets that the scan hears.
    public init(
        allowsDuplicates: Bool = false, minimumRSSI: Int? = nil, namePrefix: String? = nil,
        addressPrefix: String? = nil, lostAfter: Duration? = .seconds(30),
        mode: ScanMode = .active
    ) {
        self.allowsDuplicates = allowsDuplicates
        self.minimumRSSI = minimumRSSI
        self.namePrefix = namePrefix
        self.addressPrefix = addressPrefix
        self.lostAfter = lostAfter
        self.mode = mode
    }

    /// A Boolean value that is true if the scan reports each sighting.
    var reportsEach: Bool { allowsDuplicates || mode == .everyPacket }
}
