// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe

extension TwinAdvertisement: Codable {
    private enum Key: String, CodingKey, CaseIterable { case data, scanResponse, connectable, interval, rssi }

    /// Reads an advertisement.
    ///
    /// - Throws: ``TwinError`` or `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Key.self)
        self.init(
            data: try container.decodeIfPresent(TwinAdvertisementFields.self, forKey: .data)?.advertisements
                ?? PeripheralAdvertisements(),
            scanResponse: try container.decodeIfPresent(TwinAdvertisementFields.self, forKey: .scanResponse)?
                .advertisements,
            isConnectable: try container.decodeIfPresent(Bool.self, forKey: .connectable) ?? true,
            interval: try container.duration(.interval), rssi: try container.number(.rssi, in: TwinLimits.rssi))
    }

    /// Writes an advertisement.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(TwinAdvertisementFields(advertisements: data), forKey: .data)
        try container.encodeIfPresent(
            scanResponse.map { TwinAdvertisementFields(advertisements: $0) }, forKey: .scanResponse)
        try container.encode(isConnectable, forKey: .connectable)
        try container.encodeIfPresent(interval?.inSeconds, forKey: .interval)
        try container.encodeIfPresent(rssi, forKey: .rssi)
    }
}

/// The fields of one packet.
private struct TwinAdvertisementFields: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case localName, flags, serviceUUIDs, solicitedServiceUUIDs, manufacturerData, serviceData, txPower, appearance
        case structures
    }

    var advertisements: PeripheralAdvertisements

    init(advertisements: PeripheralAdvertisements) { self.advertisements = advertisements }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Key.self)
        advertisements = PeripheralAdvertisements(
            localName: try container.text(.localName, maximum: TwinLimits.nameByteCount),
            manufacturerData: try container.manufacturerData(.manufacturerData),
            txPower: try container.number(.txPower, in: -128...127),
            serviceUUIDs: try container.uuids(.serviceUUIDs),
            serviceData: try container.serviceData(.serviceData),
            solicitedServiceUUIDs: try container.uuids(.solicitedServiceUUIDs),
            appearance: try container.number(.appearance, in: 0...65_535).map { UInt16($0) },
            flags: try container.number(.flags, in: 0...255).map { AdvertisingFlags(rawValue: UInt8($0)) },
            structures: try container.list(.structures, of: Structure.self, maximum: TwinLimits.fields).map {
                ADStructure(type: $0.type, data: $0.data)
            })
        let count = advertisements.packet.count
        guard count <= TwinLimits.advertisedByteCount else {
            throw TwinError.invalid(
                path: "advertisement",
                reason: "it takes \(count) bytes, and \(TwinLimits.advertisedByteCount) are allowed")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let fields = advertisements
        try container.encodeIfPresent(fields.localName, forKey: .localName)
        try container.encodeIfPresent(fields.flags?.rawValue, forKey: .flags)
        try container.encodeIfPresent(fields.txPower, forKey: .txPower)
        try container.encodeIfPresent(fields.appearance, forKey: .appearance)
        if !fields.serviceUUIDs.isEmpty {
            try container.encode(fields.serviceUUIDs.map(\.fullDescription), forKey: .serviceUUIDs)
        }
        if !fields.solicitedServiceUUIDs.isEmpty {
            try container.encode(fields.solicitedServiceUUIDs.map(\.fullDescription), forKey: .solicitedServiceUUIDs)
        }
        if !fields.manufacturerData.isEmpty {
            let texts = fields.manufacturerData.map { (hexadecimal($0.key, digits: 4), $0.value.hex) }
            try container.encode(Dictionary(texts) { first, _ in first }, forKey: .manufacturerData)
        }
        if !fields.serviceData.isEmpty {
            let texts = fields.serviceData.map { ($0.key.fullDescription, $0.value.hex) }
            try container.encode(Dictionary(texts) { first, _ in first }, forKey: .serviceData)
        }
        if !fields.structures.isEmpty {
            try container.encode(fields.structures.map { Structure(type: $0.type, data: $0.data) }, forKey: .structures)
        }
    }

    private struct Structure: Codable {
        private enum Key: String, CodingKey, CaseIterable { case type, data }

        var type: UInt8
        var data: Bytes

        init(type: UInt8, data: Bytes) { (self.type, self.data) = (type, data) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(of: Key.self)
            type = try container.number(.type, in: 0...255).map { UInt8($0) } ?? 0
            data = try container.value(.data, maximum: 254) ?? []
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(type, forKey: .type)
            try container.encode(data.hex, forKey: .data)
        }
    }
}

extension KeyedDecodingContainer {
    /// Bytes by company identifier: four hexadecimal digits.
    fileprivate func manufacturerData(_ key: Key) throws -> [UInt16: Bytes] {
        var data: [UInt16: Bytes] = [:]
        for (text, hex) in try dictionary(key) {
            guard text.utf8.count == 4, let company = UInt16(text, radix: 16) else {
                throw refusal(key, "'\(text.prefix(32))' is no company identifier of four hexadecimal digits")
            }
            guard data.updateValue(try bytes(hex, key, maximum: 252), forKey: company) == nil else {
                throw refusal(key, "the company '\(text)' is there twice")
            }
        }
        return data
    }

    /// Bytes by service.
    fileprivate func serviceData(_ key: Key) throws -> [BluetoothUUID: Bytes] {
        var data: [BluetoothUUID: Bytes] = [:]
        for (text, hex) in try dictionary(key) {
            guard data.updateValue(try bytes(hex, key, maximum: 252), forKey: try uuid(text, key)) == nil else {
                throw refusal(key, "the service '\(text)' is there twice")
            }
        }
        return data
    }

    fileprivate func uuids(_ key: Key) throws -> [BluetoothUUID] {
        try list(key, of: String.self, maximum: TwinLimits.fields).map { try uuid($0, key) }
    }

    private func dictionary(_ key: Key) throws -> [String: String] {
        let dictionary = try decodeIfPresent([String: String].self, forKey: key) ?? [:]
        guard dictionary.count <= TwinLimits.fields else {
            throw refusal(key, "there are \(dictionary.count) entries, and \(TwinLimits.fields) are allowed")
        }
        return dictionary
    }
}
