// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import BlueCapDBus

/// The device's advertised data and its services as properties of Device1: packet and scan response merged.
extension FarDevice {
    /// The services that are found on a link, the generic ones first.
    var foundServices: [String] { Self.genericServices + services.map(\.uuid.fullDescription) }

    static let genericServices = ["1800", "1801"].map { (uuid: BluetoothUUID) in uuid.fullDescription }

    var advertisedServiceUUIDs: [String] { advertisedServiceUUIDs(withResponse: true) }

    func advertisedServiceUUIDs(withResponse: Bool) -> [String] {
        let response = withResponse ? advertisement.scanResponse?.serviceUUIDs ?? [] : []
        return (advertisement.data.serviceUUIDs + response).map(\.fullDescription)
    }

    func advertisedProperties(withResponse: Bool) -> [String: DBusValue] {
        let (data, response) = (advertisement.data, withResponse ? advertisement.scanResponse : nil)
        let name = data.localName ?? response?.localName
        var all: [String: DBusValue] = ["UUIDs": .strings(advertisedServiceUUIDs(withResponse: withResponse))]
        all["Name"] = name.map { .string($0) }
        all["Alias"] = .string(name ?? address.text.map { $0 == ":" ? "-" : String($0) }.joined())
        all["Appearance"] = data.appearance.map { .uint16($0) }
        all["TxPower"] = (data.txPower ?? response?.txPower).map { .int16(Int16($0)) }
        all["AdvertisingFlags"] = .bytes([(data.flags ?? [.generalDiscoverable, .noBREDR]).rawValue])
        let manufacturer = data.manufacturerData.merging(response?.manufacturerData ?? [:]) { $1 }
        if !manufacturer.isEmpty {
            let entries = manufacturer.sorted { $0.key < $1.key }.map { company, data in
                DBusDictionary.Entry(key: .uint16(company), value: .variant(.bytes([UInt8](data))))
            }
            all["ManufacturerData"] = .dictionary(.init(keySignature: "q", valueSignature: "v", entries: entries))
        }
        let serviceData = data.serviceData.merging(response?.serviceData ?? [:]) { $1 }
        if !serviceData.isEmpty {
            let pairs = serviceData.map { ($0.key.fullDescription, DBusValue.bytes([UInt8]($0.value))) }
            all["ServiceData"] = .properties(Dictionary(uniqueKeysWithValues: pairs))
        }
        return all
    }
}
#endif
