// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The services and advertisements that a peripheral manager offered and is to offer again: the contents of its
/// journal, or the report of a platform that restores by itself.
public struct PeripheralRestoration: Sendable, Hashable {
    /// A service, with the place that it had in the database.
    public struct Service: Sendable, Hashable {
        /// The UUID, which names the kind of the service.
        public var uuid: BluetoothUUID
        /// Whether it is a primary service.
        public var isPrimary: Bool
        /// The attribute handle at which it began; nil where the platform did not report it.
        public var handle: UInt16?
        /// Which of the services before it in the list it includes.
        public var includedServices: [Int]
        /// Its characteristics, in their order.
        public var characteristics: [Characteristic]

        /// Creates a service to offer again.
        ///
        /// - Parameters:
        ///   - uuid: The UUID under which centrals find it.
        ///   - isPrimary: Whether centrals find it by itself, and not only as an included service.
        ///   - handle: The attribute handle at which it began; nil where it is not known.
        ///   - includedServices: The indices of the services that it includes, each lower than its own.
        ///   - characteristics: The characteristics in the order in which centrals find them.
        public init(
            uuid: BluetoothUUID, isPrimary: Bool = true, handle: UInt16? = nil, includedServices: [Int] = [],
            characteristics: [Characteristic] = []
        ) {
            self.uuid = uuid
            self.isPrimary = isPrimary
            self.handle = handle
            self.includedServices = includedServices
            self.characteristics = characteristics
        }
    }

    /// A characteristic of a service that was offered.
    public struct Characteristic: Sendable, Hashable {
        /// The UUID, which names the kind of the characteristic.
        public var uuid: BluetoothUUID
        /// What may be done with it.
        public var properties: CharacteristicProperties
        /// The operations that are allowed, and whether they need encryption or authentication.
        public var permissions: AttributePermissions
        /// Whether writes may come over a channel of their own.
        public var usesWriteSocket: Bool
        /// Its value, where it is one that does not change.
        public var value: Bytes?
        /// Its descriptors, in their order.
        public var descriptors: [Descriptor]

        /// Creates a characteristic to offer again.
        ///
        /// - Parameters:
        ///   - uuid: The UUID under which centrals find it.
        ///   - properties: The operations that centrals see as possible.
        ///   - permissions: The operations that are allowed, and whether they need encryption or authentication.
        ///   - usesWriteSocket: Whether writes without response may come over a channel (BlueZ's AcquireWrite).
        ///   - value: The value, where it is one that does not change; nil otherwise.
        ///   - descriptors: The descriptors in the order in which centrals find them.
        public init(
            uuid: BluetoothUUID, properties: CharacteristicProperties, permissions: AttributePermissions,
            usesWriteSocket: Bool = false, value: Bytes? = nil, descriptors: [Descriptor] = []
        ) {
            self.uuid = uuid
            self.properties = properties
            self.permissions = permissions
            self.usesWriteSocket = usesWriteSocket
            self.value = value
            self.descriptors = descriptors
        }
    }

    /// A descriptor of a characteristic that was offered.
    public struct Descriptor: Sendable, Hashable {
        /// The UUID, which names the kind of the descriptor.
        public var uuid: BluetoothUUID
        /// The operations that are allowed, and whether they need encryption or authentication.
        public var permissions: AttributePermissions
        /// Its value, where it is one that does not change.
        public var value: Bytes?

        /// Creates a descriptor to offer again.
        ///
        /// - Parameters:
        ///   - uuid: The UUID under which centrals find it.
        ///   - permissions: The operations that are allowed, and whether they need encryption or authentication.
        ///   - value: The value, where it is one that does not change; nil otherwise.
        public init(uuid: BluetoothUUID, permissions: AttributePermissions, value: Bytes? = nil) {
            self.uuid = uuid
            self.permissions = permissions
            self.value = value
        }
    }

    /// The services, in the order in which they were added.
    public var services: [Service]
    /// The advertisement of ``PeripheralManager/startAdvertising(_:timeout:)-(Advertisement,_)``.
    public var mainAdvertisement: Advertisement?
    /// The advertisements of ``PeripheralManager/advertise(_:timeout:)``.
    public var advertisements: [Advertisement]

    /// Creates the state to restore; empty by default.
    ///
    /// - Parameters:
    ///   - services: The services in the order in which they were added, included ones before those that include them.
    ///   - mainAdvertisement: The advertisement of
    ///     ``PeripheralManager/startAdvertising(_:timeout:)-(Advertisement,_)``; nil where there was none.
    ///   - advertisements: The advertisements of ``PeripheralManager/advertise(_:timeout:)``.
    public init(
        services: [Service] = [], mainAdvertisement: Advertisement? = nil, advertisements: [Advertisement] = []
    ) {
        self.services = services
        self.mainAdvertisement = mainAdvertisement
        self.advertisements = advertisements
    }
}

extension PeripheralRestoration: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(services) { $0.put($1) }
        encoder.put(mainAdvertisement) { $0.put($1) }
        encoder.put(advertisements) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        services = try decoder.list { decoder throws(JournalFailure) in try decoder.value() }
        mainAdvertisement = try decoder.optional { decoder throws(JournalFailure) in try decoder.value() }
        advertisements = try decoder.list { decoder throws(JournalFailure) in try decoder.value() }
        for (index, service) in services.enumerated() {
            guard service.includedServices.allSatisfy({ 0..<index ~= $0 }) else { throw .corrupt }
        }
    }
}

extension PeripheralRestoration.Service: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(uuid)
        encoder.put(isPrimary)
        encoder.put(handle) { $0.put($1) }
        encoder.put(includedServices) { $0.put(Int64($1)) }
        encoder.put(characteristics) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        uuid = try decoder.uuid()
        isPrimary = try decoder.flag()
        handle = try decoder.optional { decoder throws(JournalFailure) in try decoder.number() }
        includedServices = try decoder.list { decoder throws(JournalFailure) in try decoder.integer() }
        characteristics = try decoder.list { decoder throws(JournalFailure) in try decoder.value() }
    }
}

extension PeripheralRestoration.Characteristic: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(uuid)
        encoder.put(properties.rawValue)
        encoder.put(permissions.rawValue)
        encoder.put(usesWriteSocket)
        encoder.put(value) { $0.put($1) }
        encoder.put(descriptors) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        uuid = try decoder.uuid()
        properties = CharacteristicProperties(rawValue: try decoder.number())
        permissions = AttributePermissions(rawValue: try decoder.number())
        usesWriteSocket = try decoder.flag()
        value = try decoder.optional { decoder throws(JournalFailure) in try decoder.data() }
        descriptors = try decoder.list { decoder throws(JournalFailure) in try decoder.value() }
    }
}

extension PeripheralRestoration.Descriptor: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(uuid)
        encoder.put(permissions.rawValue)
        encoder.put(value) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        uuid = try decoder.uuid()
        permissions = AttributePermissions(rawValue: try decoder.number())
        value = try decoder.optional { decoder throws(JournalFailure) in try decoder.data() }
    }
}
