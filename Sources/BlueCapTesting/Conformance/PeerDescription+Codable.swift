// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension PeerDescription: Codable {
    private enum Key: String, CodingKey { case name, address, mtu, advertisement, pairing, services }

    /// Reads the test bed's form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            address: try container.decodeIfPresent(PeerIdentifier.self, forKey: .address),
            mtu: try container.decodeIfPresent(Int.self, forKey: .mtu),
            advertisement: try container.decodeIfPresent(PeerAdvertisement.self, forKey: .advertisement),
            pairing: try container.decodeIfPresent(PeerPairing.self, forKey: .pairing) ?? PeerPairing(),
            services: try container.decodeIfPresent([PeerService].self, forKey: .services) ?? [])
    }

    /// Writes the test bed's form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(address, forKey: .address)
        try container.encodeIfPresent(mtu, forKey: .mtu)
        try container.encode(advertisement, forKey: .advertisement)
        if pairing != PeerPairing() { try container.encode(pairing, forKey: .pairing) }
        try container.encode(services, forKey: .services)
    }
}

extension PeerPairing: Codable {
    private enum Key: String, CodingKey { case capability, accepts }

    /// Reads the test bed's form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(accepts: try container.decodeIfPresent(Bool.self, forKey: .accepts) ?? true)
        guard let name = try container.decodeIfPresent(String.self, forKey: .capability) else { return }
        guard let capability = PairingCapability.allCases.first(where: { "\($0)" == name }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .capability, in: container, debugDescription: "there is no capability \(name)")
        }
        self.capability = capability
    }

    /// Writes the test bed's form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("\(capability)", forKey: .capability)
        try container.encode(accepts, forKey: .accepts)
    }
}

/// The keys of an advertisement and of a scan response.
private enum FieldKey: String, CodingKey {
    case localName, serviceUUIDs, manufacturerData, serviceData, txPower, appearance, flags, solicitedServiceUUIDs
    case scanResponse
    case intervalMilliseconds = "interval_ms"
}

extension PeerAdvertisement: Codable {
    /// Reads the test bed's form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FieldKey.self)
        let flags = try container.decodeIfPresent(UInt8.self, forKey: .flags)
        self.init(
            localName: try container.decodeIfPresent(String.self, forKey: .localName),
            serviceUUIDs: try container.uuids(.serviceUUIDs),
            manufacturerData: try container.manufacturerData(),
            serviceData: try container.serviceData(),
            txPower: try container.decodeIfPresent(Int.self, forKey: .txPower),
            appearance: try container.decodeIfPresent(UInt16.self, forKey: .appearance),
            flags: flags.map(AdvertisingFlags.init(rawValue:)),
            solicitedServiceUUIDs: try container.uuids(.solicitedServiceUUIDs),
            scanResponse: try container.decodeIfPresent(PeerScanResponse.self, forKey: .scanResponse),
            intervalMilliseconds: try container.decodeIfPresent(Int.self, forKey: .intervalMilliseconds))
    }

    /// Writes the test bed's form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FieldKey.self)
        try container.encodeIfPresent(localName, forKey: .localName)
        try container.encode(serviceUUIDs.map(\.text), forKey: .serviceUUIDs)
        try container.encode(manufacturerData)
        try container.encode(serviceData)
        try container.encodeIfPresent(txPower, forKey: .txPower)
        try container.encodeIfPresent(appearance, forKey: .appearance)
        try container.encodeIfPresent(flags?.rawValue, forKey: .flags)
        if !solicitedServiceUUIDs.isEmpty {
            try container.encode(solicitedServiceUUIDs.map(\.text), forKey: .solicitedServiceUUIDs)
        }
        try container.encodeIfPresent(scanResponse, forKey: .scanResponse)
        try container.encodeIfPresent(intervalMilliseconds, forKey: .intervalMilliseconds)
    }
}

extension PeerScanResponse: Codable {
    /// Reads the test bed's form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FieldKey.self)
        self.init(
            localName: try container.decodeIfPresent(String.self, forKey: .localName),
            serviceUUIDs: try container.uuids(.serviceUUIDs),
            manufacturerData: try container.manufacturerData(),
            serviceData: try container.serviceData(),
            txPower: try container.decodeIfPresent(Int.self, forKey: .txPower))
    }

    /// Writes the test bed's form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FieldKey.self)
        try container.encodeIfPresent(localName, forKey: .localName)
        try container.encode(serviceUUIDs.map(\.text), forKey: .serviceUUIDs)
        try container.encode(manufacturerData)
        try container.encode(serviceData)
        try container.encodeIfPresent(txPower, forKey: .txPower)
    }
}

extension PeerService: Codable {
    private enum Key: String, CodingKey {
        case uuid, includes, characteristics
        case isPrimary = "primary"
    }

    /// Reads the test bed's form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            try container.uuid(.uuid),
            isPrimary: try container.decodeIfPresent(Bool.self, forKey: .isPrimary) ?? true,
            includes: try container.decodeIfPresent([Int].self, forKey: .includes) ?? [],
            characteristics: try container.decodeIfPresent([PeerCharacteristic].self, forKey: .characteristics) ?? [])
    }

    /// Writes the test bed's form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(uuid.text, forKey: .uuid)
        try container.encode(isPrimary, forKey: .isPrimary)
        try container.encode(includes, forKey: .includes)
        try container.encode(characteristics, forKey: .characteristics)
    }
}

extension PeerCharacteristic: Codable {
    private enum Key: String, CodingKey { case uuid, properties, value, descriptors, security }

    /// What a declaration on the air can say; the rest is what a platform asks for.
    private static let onAir = CharacteristicProperties(rawValue: 0xFF)

    /// Reads the test bed's form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let names = try container.decode([String].self, forKey: .properties)
        var properties: CharacteristicProperties = []
        for name in names {
            guard let property = CharacteristicProperties(name: name), Self.onAir.contains(property) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .properties, in: container, debugDescription: "not a property: \(name)")
            }
            properties.formUnion(property)
        }
        self.init(
            try container.uuid(.uuid), properties, value: try container.bytes(.value),
            descriptors: try container.decodeIfPresent([PeerDescriptor].self, forKey: .descriptors) ?? [],
            security: try container.decodeIfPresent(PeerSecurity.self, forKey: .security))
    }

    /// Writes the test bed's form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(uuid.text, forKey: .uuid)
        try container.encode(properties.intersection(Self.onAir).names, forKey: .properties)
        try container.encode(value.hex, forKey: .value)
        try container.encode(descriptors, forKey: .descriptors)
        try container.encodeIfPresent(security, forKey: .security)
    }
}

extension PeerDescriptor: Codable {
    private enum Key: String, CodingKey { case uuid, value }

    /// Reads the test bed's form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(try container.uuid(.uuid), value: try container.bytes(.value))
    }

    /// Writes the test bed's form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(uuid.text, forKey: .uuid)
        try container.encode(value.hex, forKey: .value)
    }
}

extension BluetoothUUID {
    fileprivate var text: String { fullDescription }
}

extension KeyedDecodingContainer {
    fileprivate func uuid(_ key: Key) throws -> BluetoothUUID {
        try uuid(try decode(String.self, forKey: key), for: key)
    }

    fileprivate func uuids(_ key: Key) throws -> [BluetoothUUID] {
        try (decodeIfPresent([String].self, forKey: key) ?? []).map { try uuid($0, for: key) }
    }

    fileprivate func bytes(_ key: Key) throws -> Bytes {
        try bytes(try decodeIfPresent(String.self, forKey: key) ?? "", for: key)
    }

    fileprivate func uuid(_ text: String, for key: Key) throws -> BluetoothUUID {
        do { return try BluetoothUUID(text: text) } catch {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not a UUID: \(text)")
        }
    }

    fileprivate func bytes(_ text: String, for key: Key) throws -> Bytes {
        do { return try Bytes(hex: text) } catch {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not hexadecimal: \(text)")
        }
    }
}

extension KeyedDecodingContainer<FieldKey> {
    fileprivate func manufacturerData() throws -> [UInt16: Bytes] {
        var data: [UInt16: Bytes] = [:]
        for (text, hex) in try decodeIfPresent([String: String].self, forKey: .manufacturerData) ?? [:] {
            guard let company = UInt16(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .manufacturerData, in: self, debugDescription: "not a company identifier: \(text)")
            }
            data[company] = try bytes(hex, for: .manufacturerData)
        }
        return data
    }

    fileprivate func serviceData() throws -> [BluetoothUUID: Bytes] {
        var data: [BluetoothUUID: Bytes] = [:]
        for (text, hex) in try decodeIfPresent([String: String].self, forKey: .serviceData) ?? [:] {
            data[try uuid(text, for: .serviceData)] = try bytes(hex, for: .serviceData)
        }
        return data
    }
}

extension KeyedEncodingContainer<FieldKey> {
    fileprivate mutating func encode(_ data: [UInt16: Bytes]) throws {
        let texts = data.map { (String($0.key), $0.value.hex) }
        try encode(Dictionary(uniqueKeysWithValues: texts), forKey: .manufacturerData)
    }

    fileprivate mutating func encode(_ data: [BluetoothUUID: Bytes]) throws {
        let texts = data.map { ($0.key.text, $0.value.hex) }
        try encode(Dictionary(uniqueKeysWithValues: texts), forKey: .serviceData)
    }
}
