// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A service as a device describes it. The numbers of attributes ascend in the order of the database.
public struct WireService: Codable, Equatable, Sendable {
    /// A characteristic of a service.
    public struct Characteristic: Codable, Equatable, Sendable {
        /// Its number in messages.
        public var id: UInt32
        /// Its UUID.
        public var uuid: BluetoothUUID
        /// The operations that the characteristic offers.
        public var properties: CharacteristicProperties
        /// Its descriptors, in their order.
        public var descriptors: [Descriptor] = []

        /// Creates a characteristic without descriptors.
        public init(id: UInt32, uuid: BluetoothUUID, properties: CharacteristicProperties) {
            self.id = id
            self.uuid = uuid
            self.properties = properties
        }
    }

    /// A descriptor of a characteristic.
    public struct Descriptor: Codable, Equatable, Sendable {
        /// Its number in messages.
        public var id: UInt32
        /// Its UUID.
        public var uuid: BluetoothUUID

        /// Creates a descriptor.
        public init(id: UInt32, uuid: BluetoothUUID) {
            self.id = id
            self.uuid = uuid
        }
    }

    /// Its number in messages.
    public var id: UInt32
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Whether it is a primary service.
    public var isPrimary: Bool
    /// The numbers of the services that it includes.
    public var includes: [UInt32] = []
    /// Its characteristics, in their order.
    public var characteristics: [Characteristic] = []

    /// Creates a service without characteristics.
    public init(id: UInt32, uuid: BluetoothUUID, isPrimary: Bool = true) {
        self.id = id
        self.uuid = uuid
        self.isPrimary = isPrimary
    }
}
