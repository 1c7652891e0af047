// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// The packets that bluetoothd and the kernel build from a program's advertisement (`bt_ad_generate` of BlueZ 5.66,
/// `serve.trace`).
struct AdvertisingPackets {
    private(set) var advertisement: Bytes
    private(set) var scanResponse: Bytes

    init(_ properties: [String: DBusValue]) {
        // The kernel says of an adapter without BR/EDR that it has none.
        let flags: AdvertisingFlags =
            properties["Discoverable"]?.boolValue == true ? [.generalDiscoverable, .noBREDR] : .noBREDR
        var bytes = Self.structure(0x01, [flags.rawValue])
        bytes += Self.uuids(properties["ServiceUUIDs"], types: [2: 0x03, 4: 0x05, 16: 0x07])
        bytes += Self.uuids(properties["SolicitUUIDs"], types: [2: 0x14, 4: 0x1F, 16: 0x15])
        for entry in properties["ManufacturerData"]?.entriesValue ?? [] {
            guard let company = entry.key.uint16Value, let data = entry.value.bytesValue else { continue }
            bytes += Self.structure(0xFF, [UInt8(company & 0xFF), UInt8(company >> 8)] + data)
        }
        for entry in properties["ServiceData"]?.entriesValue ?? [] {
            guard let text = entry.key.stringValue, let uuid = try? BluetoothUUID(text: text),
                let data = entry.value.bytesValue
            else { continue }
            let name = Array(uuid.littleEndianBytes)
            bytes += Self.structure([2: 0x16, 4: 0x20][name.count] ?? 0x21, name + data)
        }
        if let appearance = properties["Appearance"]?.uint16Value {
            bytes += Self.structure(0x19, [UInt8(appearance & 0xFF), UInt8(appearance >> 8)])
        }
        for entry in properties["Data"]?.entriesValue ?? [] {
            guard let type = entry.key.byteValue, let data = entry.value.bytesValue else { continue }
            bytes += Self.structure(type, data)
        }
        if properties["Includes"]?.stringsValue?.contains("tx-power") == true {
            bytes += Self.structure(0x0A, [UInt8(truncatingIfNeeded: properties["TxPower"]?.int16Value ?? 0)])
        }
        advertisement = Bytes(bytes)
        scanResponse = Bytes(properties["LocalName"]?.stringValue.map { Self.structure(0x09, Array($0.utf8)) } ?? [])
    }

    private static func structure(_ type: UInt8, _ data: [UInt8]) -> [UInt8] { [UInt8(data.count + 1), type] + data }

    /// A list for each length that UUIDs have.
    private static func uuids(_ value: DBusValue?, types: [Int: UInt8]) -> [UInt8] {
        let all = (value?.stringsValue ?? [])
            .compactMap { try? BluetoothUUID(text: $0) }
            .map { Array($0.littleEndianBytes) }
        return types.sorted { $0.key < $1.key }.flatMap { length, type in
            let fitting = all.filter { $0.count == length }
            return fitting.isEmpty ? [] : structure(type, fitting.flatMap { $0 })
        }
    }
}
#endif
