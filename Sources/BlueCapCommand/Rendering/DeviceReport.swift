// SPDX-License-Identifier: MIT

import BlueCap

/// The properties and attributes of a device, as `info` shows them.
struct DeviceReport: Encodable, Sendable {
    struct Service: Encodable, Sendable {
        var uuid: String
        var shortUUID: String
        var name: String?
        var handle: String
        var primary: Bool
        var characteristics: [Characteristic]

        init(_ service: BlueCap.Service, _ characteristics: [Characteristic]) {
            uuid = service.uuid.fullDescription
            shortUUID = service.uuid.description
            name = KnownProfiles.serviceName(service.uuid)
            handle = service.id.description
            primary = service.isPrimary
            self.characteristics = characteristics
        }
    }

    struct Characteristic: Sendable {
        var uuid: String
        var shortUUID: String
        var name: String?
        var handle: String
        var properties: [String]
        var value: Value?
        var descriptors: [Descriptor] = []

        init(_ characteristic: BlueCap.Characteristic, in service: BlueCap.Service) {
            uuid = characteristic.uuid.fullDescription
            shortUUID = characteristic.uuid.description
            name = KnownProfiles.characteristicName(characteristic.uuid, in: service.uuid)
            handle = characteristic.id.description
            properties = characteristic.properties.names
        }
    }

    struct Descriptor: Sendable {
        var uuid: String
        var shortUUID: String
        var name: String?
        var handle: String
        var value: Value?

        init(_ descriptor: BlueCap.Descriptor) {
            uuid = descriptor.uuid.fullDescription
            shortUUID = descriptor.uuid.description
            name = AssignedNumbers.descriptorName(descriptor.uuid)
            handle = descriptor.id.description
        }
    }

    /// A value that was read, or why it was not.
    struct Value: Sendable {
        var bytes: Bytes?
        var text: String?
        var fields: [String: String]?
        var numbers: [String: Double]?
        var units: [String: String]?
        var error: String?

        /// - Parameter result: The device's answer; nil where it was not asked.
        init?(
            _ result: Result<Bytes, CharacteristicError>?, of uuid: BluetoothUUID, in service: BluetoothUUID?
        ) {
            switch result {
            case nil: return nil
            case .success(let value):
                let read = ValueText(value, of: uuid, in: service)
                (bytes, text, fields) = (value, read.line, read.fields)
                (numbers, units) = (read.numbers, read.unitsOfFields)
            case .failure(let error): self.error = ToolAdvice.text(for: error)
            }
        }
    }

    struct Statistics: Encodable, Sendable {
        var connections: Int
        var timeouts: Int
        var disconnections: Int
        /// When the connection was made.
        var connectedAt: String?
        /// When the connection before it ended.
        var disconnectedAt: String?
        /// Seconds in all connections.
        var connected: Double
        /// Seconds of a connection, on average.
        var average: Double
        /// Seconds without a connection, since the device was discovered.
        var apart: Double

        init(_ counts: PeripheralStatistics) {
            (connections, timeouts) = (counts.connectionCount, counts.timeoutCount)
            disconnections = counts.disconnectionCount
            connectedAt = counts.connectedAt.map(JSONLine.date)
            disconnectedAt = counts.disconnectedAt.map(JSONLine.date)
            connected = Self.seconds(counts.cumulativeConnectedDuration)
            average = Self.seconds(counts.cumulativeConnectedDuration / max(counts.connectionCount, 1))
            apart = Self.seconds(counts.cumulativeDisconnectedDuration)
        }

        /// To the millisecond.
        private static func seconds(_ duration: Duration) -> Double {
            (duration / .milliseconds(1)).rounded() / 1000
        }
    }

    var event = "device"
    var id: String
    var name: String?
    var rssi: Int?
    var mtu: Int?
    var bonded: Bool
    /// When this program discovered the device.
    var discoveredAt: String
    var services: [Service]
    var statistics: Statistics

    init(_ peripheral: Peripheral, _ services: [Service]) {
        id = peripheral.identifier.text
        name = peripheral.name
        rssi = SignalBars.count(peripheral.rssi) == nil ? nil : peripheral.rssi
        mtu = peripheral.maximumTransmissionUnit
        bonded = peripheral.isBonded
        discoveredAt = JSONLine.date(peripheral.discoveredAt)
        self.services = services
        statistics = Statistics(peripheral.statistics)
    }
}

/// A value's parts are encoded beside the keys of its attribute.
private enum ReportKey: String, CodingKey {
    case uuid, shortUUID, name, handle, properties, value, text, fields, numbers, units, error, descriptors
}

extension DeviceReport.Characteristic: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ReportKey.self)
        try container.encode(uuid, forKey: .uuid)
        try container.encode(shortUUID, forKey: .shortUUID)
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
        try container.encode(shortUUID, forKey: .shortUUID)
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
        try container.encodeIfPresent(numbers, forKey: .numbers)
        try container.encodeIfPresent(units, forKey: .units)
        try container.encodeIfPresent(error, forKey: .error)
    }
}
