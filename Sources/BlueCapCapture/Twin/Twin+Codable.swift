// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe

extension Twin: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case schema, version, address, addressType, name, recorded, advertisement, mtu, services, channels
    }

    private static let schema = "bluecap-twin"
    /// The version of the JSON that is written, and the newest that is read.
    public static let version = 3
    /// The first version with rules for writes.
    private static let versionOfAnswers = 2
    /// The first version with connection-oriented channels.
    private static let versionOfChannels = 3

    /// Reads the form that <doc:TwinFormat> describes.
    ///
    /// - Throws: ``TwinError`` or `DecodingError`.
    public init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: Key.self),
            (try? container.decode(String.self, forKey: .schema)) == Self.schema
        else { throw TwinError.notATwin }
        guard let version = try container.whole(.version, as: Int.self) else {
            throw container.refusal(.version, "it is missing")
        }
        guard version <= Self.version else { throw TwinError.newerVersion(version) }
        guard version > 0 else { throw container.refusal(.version, "there is no version \(version)") }
        // A newer version may have other keys.
        _ = try decoder.container(of: Key.self)
        self.init(
            address: try container.address(.address), isAddressRandom: try container.addressType(.addressType),
            name: try container.text(.name, maximum: TwinLimits.nameByteCount),
            recorded: try container.timestamp(.recorded),
            advertisement: try container.decodeIfPresent(TwinAdvertisement.self, forKey: .advertisement),
            mtu: try container.number(.mtu, in: 23...517),
            services: try container.list(.services, maximum: TwinLimits.services),
            channels: try container.list(.channels, maximum: TwinLimits.channels))
        try check(container)
        try checkAnswers(version < Self.versionOfAnswers)
        try checkChannels(version < Self.versionOfChannels)
    }

    /// Writes the form that <doc:TwinFormat> describes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.schema, forKey: .schema)
        // A twin that an older program can read is written for it.
        let hasAnswers = services.contains { $0.characteristics.contains { !$0.answers.isEmpty } }
        let older = hasAnswers ? Self.versionOfAnswers : 1
        try container.encode(channels.isEmpty ? older : Self.versionOfChannels, forKey: .version)
        try container.encodeIfPresent(address?.text, forKey: .address)
        try container.encodeIfPresent(isAddressRandom.map { $0 ? "random" : "public" }, forKey: .addressType)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(recorded.map(\.seconds), forKey: .recorded)
        try container.encodeIfPresent(advertisement, forKey: .advertisement)
        try container.encodeIfPresent(mtu, forKey: .mtu)
        try container.encode(services, forKey: .services)
        if !channels.isEmpty { try container.encode(channels, forKey: .channels) }
    }

    private func checkChannels(_ isOlder: Bool) throws(TwinError) {
        if isOlder, !channels.isEmpty {
            throw .invalid(
                path: "channels",
                reason: "there are none in this version: write \"version\": \(Self.versionOfChannels)")
        }
        var psms: Set<UInt16> = []
        for (index, channel) in channels.enumerated() where !psms.insert(channel.psm).inserted {
            throw .invalid(path: "channels[\(index)].psm", reason: "another channel has the PSM \(channel.psm), too")
        }
    }

    private func checkAnswers(_ isOlder: Bool) throws(TwinError) {
        let targets = TwinTargets(services)
        for (index, service) in services.enumerated() {
            for (number, characteristic) in service.characteristics.enumerated() where !characteristic.answers.isEmpty {
                let place = TwinRules.Place(service: index, characteristic: number)
                let path = "services[\(index)].characteristics[\(number)].answers"
                if isOlder {
                    throw .invalid(
                        path: path, reason: "there are none in version 1: write \"version\": \(Self.versionOfAnswers)")
                }
                if let fault = characteristic.answersFault(among: targets, at: place) {
                    throw .invalid(path: path + fault.path, reason: fault.reason)
                }
            }
        }
    }

    /// What concerns several services.
    private func check(_ container: KeyedDecodingContainer<Key>) throws {
        let attributes = services.reduce(0) { $0 + $1.attributeCount }
        guard attributes <= TwinLimits.attributes else {
            throw container.refusal(.services, "there are \(attributes) attributes, and handles end at 65,535")
        }
        for (index, service) in services.enumerated() {
            if let wrong = service.includes.first(where: { !services.indices.contains($0) || $0 == index }) {
                throw TwinError.invalid(
                    path: "services[\(index)].includes", reason: "there is no other service with the index \(wrong)")
            }
        }
    }
}

extension TwinService: Codable {
    private enum Key: String, CodingKey, CaseIterable { case uuid, handle, primary, includes, characteristics }

    var attributeCount: Int {
        characteristics.reduce(1 + includes.count) { $0 + 3 + $1.descriptors.count }
    }

    /// Reads a service.
    ///
    /// - Throws: ``TwinError`` or `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Key.self)
        self.init(
            try container.uuid(.uuid), handle: try container.handle(.handle),
            isPrimary: try container.decodeIfPresent(Bool.self, forKey: .primary) ?? true,
            includes: try container.wholes(.includes, maximum: TwinLimits.services) ?? [],
            characteristics: try container.list(.characteristics, maximum: TwinLimits.characteristics))
    }

    /// Writes a service.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(uuid.fullDescription, forKey: .uuid)
        try container.encodeIfPresent(handle, forKey: .handle)
        if !isPrimary { try container.encode(false, forKey: .primary) }
        if !includes.isEmpty { try container.encode(includes, forKey: .includes) }
        try container.encode(characteristics, forKey: .characteristics)
    }
}

extension TwinCharacteristic: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case uuid, handle, properties, value, readSecurity, writeSecurity, descriptors, notifications, answers
    }

    /// Reads a characteristic.
    ///
    /// - Throws: ``TwinError`` or `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Key.self)
        var properties: CharacteristicProperties = []
        for name in try container.list(.properties, of: String.self, maximum: CharacteristicProperties.names.count) {
            guard let property = CharacteristicProperties(name: name) else {
                throw container.refusal(.properties, "'\(name.prefix(32))' is no property")
            }
            properties.formUnion(property)
        }
        self.init(
            try container.uuid(.uuid), handle: try container.handle(.handle), properties: properties,
            value: try container.value(.value, maximum: TwinLimits.valueByteCount),
            readSecurity: try container.security(.readSecurity),
            writeSecurity: try container.security(.writeSecurity),
            descriptors: try container.list(.descriptors, maximum: TwinLimits.descriptors),
            notifications: try container.list(.notifications, maximum: TwinLimits.notifications),
            answers: try container.list(.answers, maximum: TwinLimits.answers))
    }

    /// Writes a characteristic.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(uuid.fullDescription, forKey: .uuid)
        try container.encodeIfPresent(handle, forKey: .handle)
        try container.encode(properties.names, forKey: .properties)
        try container.encodeIfPresent(value?.hex, forKey: .value)
        try container.encodeIfPresent(readSecurity, forKey: .readSecurity)
        try container.encodeIfPresent(writeSecurity, forKey: .writeSecurity)
        if !descriptors.isEmpty { try container.encode(descriptors, forKey: .descriptors) }
        if !notifications.isEmpty { try container.encode(notifications, forKey: .notifications) }
        if !answers.isEmpty { try container.encode(answers, forKey: .answers) }
    }
}

extension TwinDescriptor: Codable {
    private enum Key: String, CodingKey, CaseIterable { case uuid, handle, value }

    /// Reads a descriptor.
    ///
    /// - Throws: ``TwinError`` or `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Key.self)
        self.init(
            try container.uuid(.uuid), handle: try container.handle(.handle),
            value: try container.value(.value, maximum: TwinLimits.valueByteCount))
    }

    /// Writes a descriptor.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(uuid.fullDescription, forKey: .uuid)
        try container.encodeIfPresent(handle, forKey: .handle)
        try container.encodeIfPresent(value?.hex, forKey: .value)
    }
}

extension TwinNotification: Codable {
    private enum Key: String, CodingKey, CaseIterable { case after, value }

    /// Reads a notification.
    ///
    /// - Throws: ``TwinError`` or `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Key.self)
        guard let value = try container.value(.value, maximum: TwinLimits.valueByteCount) else {
            throw container.refusal(.value, "it is missing")
        }
        self.init(after: try container.duration(.after) ?? .zero, value: value)
    }

    /// Writes a notification.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(after.inSeconds, forKey: .after)
        try container.encode(value.hex, forKey: .value)
    }
}
