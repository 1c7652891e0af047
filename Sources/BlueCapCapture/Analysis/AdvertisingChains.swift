// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Advertising data that come in several packets, until they are whole.
struct AdvertisingChains: Sendable {
    private struct Key: Hashable {
        var address: DeviceAddress?
        var identifier: UInt16?
        var isScanResponse: Bool
    }

    /// The longest data of extended advertising (Core Specification, Vol 6, Part B, 4.4.2.4).
    private static let maximumByteCount = 1650
    /// So many are kept; beyond them the table starts empty again.
    private static let maximumCount = 64

    /// A controller's own data: its host sets them in parts.
    private struct OwnKey: Hashable {
        var adapter: Int
        var set: UInt8?
        var isScanResponse: Bool
    }

    private var parts: [Key: AdvertisingReport] = [:]
    private var ownParts: [OwnKey: [UInt8]] = [:]
    /// The addresses of advertising sets: only the first packet of a chain has one.
    private var addresses: [UInt16: DeviceAddress] = [:]

    /// Takes a report of a controller.
    ///
    /// - Returns: The report with all of its data, or nil where more is to come.
    mutating func add(_ report: AdvertisingReport) -> AdvertisingReport? {
        let key = Key(address: report.address, identifier: nil, isScanResponse: report.isScanResponse)
        return join(report, key)
    }

    /// Takes a packet of extended advertising.
    ///
    /// - Returns: The report with all of its data; nil where more is to come, or where the sender is not known.
    mutating func add(_ part: ExtendedAdvertisement) -> AdvertisingReport? {
        if let address = part.address, let identifier = part.identifier {
            if addresses.count >= Self.maximumCount, addresses[identifier] == nil { addresses = [:] }
            addresses[identifier] = address
        }
        guard let address = part.address ?? part.identifier.flatMap({ addresses[$0] }) else { return nil }
        // A packet on a primary channel only points to where the data are.
        if part.data.isEmpty, part.continues { return nil }
        // A scan response cannot be recognized here: it has the form of a packet that is neither connectable nor
        // scannable.
        let report = AdvertisingReport(
            address: address, isScanResponse: false, isConnectable: part.isConnectable, data: part.data,
            rssi: part.rssi, completeness: part.continues ? .continues : .complete)
        return join(report, Key(address: nil, identifier: part.identifier, isScanResponse: false))
    }

    /// Takes data that a host sets. All of its advertising sets count as one: the newest data replace the others.
    ///
    /// - Returns: The whole data; nil where more is to come, where nothing changes, or where the beginning is missing.
    mutating func add(_ part: AdvertisedPart, adapter: Int, isScanResponse: Bool) -> [UInt8]? {
        let key = OwnKey(adapter: adapter, set: part.set, isScanResponse: isScanResponse)
        if part.operation == .unchanged { return nil }
        let begun = ownParts.removeValue(forKey: key)
        let data: [UInt8]
        switch part.operation {
        case .complete, .first: data = part.data
        default:
            guard let begun, begun.count + part.data.count <= Self.maximumByteCount else { return nil }
            data = begun + part.data
        }
        if part.operation == .complete || part.operation == .last { return data }
        if ownParts.count >= Self.maximumCount { ownParts = [:] }
        ownParts[key] = data
        return nil
    }

    private mutating func join(_ report: AdvertisingReport, _ key: Key) -> AdvertisingReport? {
        var whole = report
        if let begun = parts.removeValue(forKey: key) {
            whole.data = begun.data + report.data
            whole.isConnectable = begun.isConnectable
        }
        guard whole.data.count <= Self.maximumByteCount else { return nil }
        guard report.completeness == .continues else { return whole }
        if parts.count >= Self.maximumCount { parts = [:] }
        parts[key] = whole
        return nil
    }
}
