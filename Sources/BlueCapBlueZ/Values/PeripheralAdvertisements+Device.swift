// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

extension PeripheralAdvertisements {
    /// The advertisements in the properties of a `Device1`.
    package init(_ properties: ObjectMirror.Properties) {
        let structures = Self.structures(properties[Device1.advertisingData])
        self.init(
            localName: properties[Device1.name],
            manufacturerData: Self.manufacturerData(properties[Device1.manufacturerData]),
            txPower: properties[Device1.txPower].map { Int($0) }, serviceUUIDs: Self.uuids(properties[Device1.uuids]),
            serviceData: Self.serviceData(properties[Device1.serviceData]),
            solicitedServiceUUIDs: structures.flatMap(Self.solicited), appearance: properties[Device1.appearance],
            flags: Self.flags(properties[Device1.advertisingFlags]), structures: structures)
    }

    /// Takes in the properties that changed. The others are not read again: a packet mostly changes the signal strength
    /// alone.
    package mutating func renew(_ set: ObjectMirror.Properties, without invalidated: [String]) {
        for name in set.names { renew(name, set[name]) }
        for name in invalidated { renew(name, nil) }
    }

    /// Takes in one property; nil is one that is gone.
    mutating func renew(_ name: String, _ value: DBusValue?) {
        switch name {
        case Device1.rssi: break
        case Device1.manufacturerData: manufacturerData = Self.manufacturerData(Device1.manufacturerData(value))
        case Device1.serviceData: serviceData = Self.serviceData(Device1.serviceData(value))
        case Device1.uuids: serviceUUIDs = Self.uuids(Device1.uuids(value))
        case Device1.name: localName = Device1.name(value)
        case Device1.txPower: txPower = Device1.txPower(value).map { Int($0) }
        case Device1.appearance: appearance = Device1.appearance(value)
        case Device1.advertisingFlags: flags = Self.flags(Device1.advertisingFlags(value))
        case Device1.advertisingData:
            structures = Self.structures(Device1.advertisingData(value))
            solicitedServiceUUIDs = structures.flatMap(Self.solicited)
        default: break
        }
    }

    private static func uuids(_ texts: [String]?) -> [BluetoothUUID] {
        (texts ?? []).compactMap { try? BluetoothUUID(text: $0) }
    }

    private static func flags(_ bytes: [UInt8]?) -> AdvertisingFlags? {
        bytes?.first.map { AdvertisingFlags(rawValue: $0) }
    }

    private static func manufacturerData(_ entries: [DBusDictionary.Entry]?) -> [UInt16: Bytes] {
        var data: [UInt16: Bytes] = [:]
        for entry in entries ?? [] {
            guard let company = entry.key.uint16Value, let bytes = entry.value.bytesValue else { continue }
            data[company] = Bytes(bytes)
        }
        return data
    }

    private static func serviceData(_ entries: [DBusDictionary.Entry]?) -> [BluetoothUUID: Bytes] {
        var data: [BluetoothUUID: Bytes] = [:]
        for entry in entries ?? [] {
            guard let text = entry.key.stringValue, let uuid = try? BluetoothUUID(text: text),
                let bytes = entry.value.bytesValue
            else { continue }
            data[uuid] = Bytes(bytes)
        }
        return data
    }

    private static func structures(_ entries: [DBusDictionary.Entry]?) -> [ADStructure] {
        (entries ?? []).compactMap { entry in
            guard let type = entry.key.byteValue, let bytes = entry.value.bytesValue else { return nil }
            return ADStructure(type: type, data: Bytes(bytes))
        }.sorted { $0.type < $1.type }
    }

    /// Solicited services (AD types 0x14, 0x15, 0x1F).
    private static func solicited(_ structure: ADStructure) -> [BluetoothUUID] {
        let size: Int
        switch structure.type {
        case 0x14: size = 2
        case 0x1F: size = 4
        case 0x15: size = 16
        default: return []
        }
        return stride(from: 0, through: structure.data.count - size, by: size).compactMap { start in
            try? BluetoothUUID(littleEndianBytes: structure.data[start..<start + size])
        }
    }
}
#endif
