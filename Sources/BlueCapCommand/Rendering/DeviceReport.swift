// SPDX-License-Identifier: MIT

import BlueCap

/// What a device is and has, as `info` shows it.
struct DeviceReport: Encodable, Sendable {
    struct Service: Encodable, Sendable {
        var uuid: String
        var name: String?
        var handle: String
        var primary: Bool
        var characteristics: [Characteristic]

        init(_ service: BlueCap.Service, _ characteristics: [Characteristic]) {
            uuid = service.uuid.fullDescription
            name = KnownProfiles.serviceName(service.uuid)
            handle = service.id.description
            primary = service.isPrimary
            self.characteristics = characteristics
        }
    }

    struct Characteristic: Sendable {
        var uuid: String
        var name: String?
        var handle: String
        var properties: [String]
        var value: Value?
        var descriptors: [Descriptor] = []

        init(_ characteristic: BlueCap.Characteristic, in service: BlueCap.Service) {
            uuid = characteristic.uuid.fullDescription
            name = KnownProfiles.characteristicName(characteristic.uuid, in: service.uuid)
            handle = characteristic.id.description
            properties = characteristic.properties.names
        }
    }

    struct Descriptor: Sendable {
        var uuid: String
        var name: String?
        var handle: String
        var value: Value?

        init(_ descriptor: BlueCap.Descriptor) {
            uuid = descriptor.uuid.fullDescription
            name = AssignedNumbers.descriptorName(descriptor.uuid)
            handle = descriptor.id.description
        }
    }

    /// A value that was read, or why it was not.
    struct Value: Sendable {
        var bytes: Bytes?
        var text: String?
        var fields: [String: String]?
        var error: String?

        /// - Parameter result: What the device answered; nil where it was not asked.
        init?(
            _ result: Result<Bytes, CharacteristicError>?, of uuid: BluetoothUUID, in service: BluetoothUUID?
        ) {
            switch result {
            case nil: return nil
            case .success(let value):
                let read = ValueText(value, of: uuid, in: service)
                (bytes, text, fields) = (value, read.line, read.fields)
            case .failure(let error): self.error = ToolAdvice.text(for: error)
            }
        }
    }

    struct Statistics: Encodable, Sendable {
        var connections: Int
        var timeouts: Int
        var disconnections: Int
        /// Seconds.
        var connected: Double
    }

    var event = "device"
    var id: String
    var name: String?
    var rssi: Int?
    var mtu: Int?
    var bonded: Bool
    var services: [Service]
    var statistics: Statistics

    init(_ peripheral: Peripheral, _ services: [Service]) {
        let counts = peripheral.statistics
        id = peripheral.identifier.text
        name = peripheral.name
        rssi = SignalBars.count(peripheral.rssi) == nil ? nil : peripheral.rssi
        mtu = peripheral.maximumTransmissionUnit
        bonded = peripheral.isBonded
        self.services = services
        statistics = Statistics(
            connections: counts.connectionCount, timeouts: counts.timeoutCount,
            disconnections: counts.disconnectionCount,
            connected: (counts.cumulativeConnectedDuration / .milliseconds(1)).rounded() / 1000)
    }
}

/// The parts of a value stand beside what it is of.
private enum ReportKey: String, CodingKey {
    case uuid, name, handle, properties, value, text, fields, error, descriptors
}

extension DeviceReport.Characteristic: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReportKey.self)
        try container.encode(uuid, forKey: .uuid)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(handle, forKey: .handle)
        try container.encode(properties, forKey: .properties)
        try value?.encode(into: &container)
        try container.encode(descriptors, forKey: .descriptors)
    }
}

extension DeviceReport.Descriptor: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReportKey.self)
        try container.encode(uuid, forKey: .uuid)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(handle, forKey: .handle)
        try value?.encode(into: &container)
    }
}

extension DeviceReport.Value {
    fileprivate func encode(into container: inout KeyedEncodingContainer<ReportKey>) throws {
        try container.encodeIfPresent(bytes?.hex, forKey: .value)
        try container.encodeIfPresent(text, forKey: .text)
        try container.encodeIfPresent(fields, forKey: .fields)
        try container.encodeIfPresent(error, forKey: .error)
    }
}
