// SPDX-License-Identifier: MIT

import BlueCap

/// The properties and attributes of a device, as `info` shows them.
struct DeviceReport: Encodable, Sendable {
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
    var discoveredAt: String
    var services: [ServiceReport]
    var statistics: Statistics

    init(_ peripheral: Peripheral, _ services: [ServiceReport]) {
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

/// A service, as `info` and the shell print it.
struct ServiceReport: Encodable, Sendable {
    var uuid: String
    var shortUUID: String
    var name: String?
    /// Nil in a shell.
    var handle: String?
    var primary: Bool
    var characteristics: [AttributeReport]

    init(_ uuid: BluetoothUUID, id: AttributeID? = nil, isPrimary: Bool, _ characteristics: [AttributeReport]) {
        (self.uuid, shortUUID, name) = (uuid.fullDescription, uuid.description, KnownProfiles.serviceName(uuid))
        (handle, primary, self.characteristics) = (id?.description, isPrimary, characteristics)
    }
}

/// A characteristic or a descriptor, as `info` and the shell print it.
struct AttributeReport: Encodable, Sendable {
    var uuid: String
    var shortUUID: String
    var name: String?
    var handle: String
    /// Nil for a descriptor, as ``descriptors`` is.
    var properties: [String]?
    /// Nil outside of a shell.
    var subscribed: Bool?
    /// Hexadecimal digits; nil where the value is not known.
    var value: String?
    var text: String?
    var fields: [String: String]?
    var numbers: [String: Double]?
    var units: [String: String]?
    /// The reason for which the value was not read.
    var error: String?
    var descriptors: [AttributeReport]?
    /// Whether the profile does not take the bytes for a value; for people.
    private(set) var isRefused = false

    private enum CodingKeys: String, CodingKey {
        case uuid, shortUUID, name, handle, properties, subscribed, value, text, fields, numbers, units, error,
            descriptors
    }

    init(_ uuid: BluetoothUUID, _ name: String?, _ id: AttributeID) {
        (self.uuid, shortUUID) = (uuid.fullDescription, uuid.description)
        (self.name, handle) = (name, id.description)
    }

    init(_ characteristic: Characteristic, in service: Service) {
        let name = KnownProfiles.characteristicName(characteristic.uuid, in: service.uuid)
        self.init(characteristic.uuid, name, characteristic.id)
        (properties, descriptors) = (characteristic.properties.names, [])
    }

    init(_ descriptor: Descriptor) {
        self.init(descriptor.uuid, AssignedNumbers.descriptorName(descriptor.uuid), descriptor.id)
    }

    /// Takes the device's answer to a read; nil where it was not asked.
    mutating func take(
        _ result: Result<Bytes, CharacteristicError>?, of uuid: BluetoothUUID, in service: BluetoothUUID?
    ) {
        switch result {
        case nil: break
        case .success(let bytes):
            take(bytes, ValueText(bytes, of: uuid, in: service))
        case .failure(let failure): error = ToolAdvice.text(for: failure)
        }
    }

    mutating func take(_ bytes: Bytes, _ read: ValueText) {
        (value, text, fields) = (bytes.hex, read.line, read.fields)
        (numbers, units, isRefused) = (read.numbers, read.units, read.isRefused)
    }
}
