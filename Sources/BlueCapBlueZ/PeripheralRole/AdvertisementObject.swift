// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// An advertisement as an object of `LEAdvertisement1`. Loop only.
final class AdvertisementObject {
    let path: String
    var advertisement: Advertisement

    init(path: String, advertisement: Advertisement) {
        self.path = path
        self.advertisement = advertisement
    }

    /// The properties, without those that say nothing.
    var properties: [String: DBusValue] { Self.properties(of: advertisement) }

    /// All names with their signatures, in the order of BlueZ's documentation.
    static let signatures: [(name: String, signature: String)] = [
        ("Type", "s"), ("ServiceUUIDs", "as"), ("ManufacturerData", "a{qv}"), ("SolicitUUIDs", "as"),
        ("ServiceData", "a{sv}"), ("Data", "a{yv}"), ("ScanResponseData", "a{yv}"), ("Discoverable", "b"),
        ("Includes", "as"), ("LocalName", "s"), ("Appearance", "q"), ("Duration", "q"),
        ("SecondaryChannel", "s"), ("MinInterval", "u"), ("MaxInterval", "u"), ("TxPower", "n"),
    ]

    private static func properties(of advertisement: Advertisement) -> [String: DBusValue] {
        var values: [String: DBusValue] = [
            "Type": .string(advertisement.kind == .connectable ? "peripheral" : "broadcast")
        ]
        if !advertisement.serviceUUIDs.isEmpty {
            values["ServiceUUIDs"] = .strings(advertisement.serviceUUIDs.map(\.fullDescription))
        }
        if !advertisement.solicitedServiceUUIDs.isEmpty {
            values["SolicitUUIDs"] = .strings(advertisement.solicitedServiceUUIDs.map(\.fullDescription))
        }
        if !advertisement.manufacturerData.isEmpty {
            let data = advertisement.manufacturerData.sorted { $0.key < $1.key }
            values["ManufacturerData"] = dictionary("q", data.map { (.uint16($0.key), $0.value) })
        }
        if !advertisement.serviceData.isEmpty {
            values["ServiceData"] = .properties(
                Dictionary(
                    advertisement.serviceData.map { ($0.key.fullDescription, .bytes(Array($0.value))) },
                    uniquingKeysWith: { first, _ in first }))
        }
        if !advertisement.structures.isEmpty {
            values["Data"] = dictionary("y", advertisement.structures.map { (.byte($0.type), $0.data) })
        }
        if !advertisement.scanResponse.isEmpty {
            values["ScanResponseData"] = dictionary("y", advertisement.scanResponse.map { (.byte($0.type), $0.data) })
        }
        if advertisement.kind == .connectable || advertisement.isDiscoverable == true {
            values["Discoverable"] = .bool(advertisement.isDiscoverable ?? true)
        }
        if advertisement.includesTxPower { values["Includes"] = .strings(["tx-power"]) }
        values["LocalName"] = advertisement.localName.map { .string($0) }
        values["Appearance"] = advertisement.appearance.map { .uint16($0) }
        values["SecondaryChannel"] = advertisement.secondaryPHY.map { .string($0.channel) }
        values["Duration"] = advertisement.duration.map { .uint16(seconds($0)) }
        if let interval = advertisement.interval {
            values["MinInterval"] = .uint32(milliseconds(interval.lowerBound))
            values["MaxInterval"] = .uint32(milliseconds(interval.upperBound))
        }
        values["TxPower"] = advertisement.txPower.map { .int16(Int16(clamping: $0)) }
        return values
    }

    private static func dictionary(_ key: String, _ entries: [(DBusValue, Bytes)]) -> DBusValue {
        .dictionary(
            DBusDictionary(
                keySignature: key, valueSignature: "v",
                entries: entries.map { .init(key: $0.0, value: .variant(.bytes(Array($0.1)))) }))
    }

    /// Whole seconds, at least one: zero would mean none.
    private static func seconds(_ duration: Duration) -> UInt16 {
        let (seconds, rest) = duration.components
        return UInt16(clamping: max(seconds + (rest > 0 ? 1 : 0), 1))
    }

    private static func milliseconds(_ duration: Duration) -> UInt32 {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .max : UInt32(clamping: product + attoseconds / 1_000_000_000_000_000)
    }
}
#endif
