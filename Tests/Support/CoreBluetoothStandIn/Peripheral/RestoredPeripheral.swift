// SPDX-License-Identifier: MIT

import BlueCapCore
import Foundation

/// The objects of a peripheral manager as the system keeps them between two programs (R3).
struct RestoredPeripheral: Sendable {
    struct Service: Sendable {
        var number: AttributeID
        var uuid: Data
        var isPrimary: Bool
        var included: [AttributeID]
        var characteristics: [Characteristic]
    }

    struct Characteristic: Sendable {
        var number: AttributeID
        var uuid: Data
        var properties: CBCharacteristicProperties
        var permissions: CBAttributePermissions
        var value: Data?
        var descriptors: [Descriptor]
        var subscribers: [Central]
    }

    struct Descriptor: Sendable {
        var number: AttributeID
        var uuid: Data
        var bytes: [UInt8]
    }

    struct Advertising: Sendable {
        var localName: String?
        var services: [Data]
    }

    var services: [Service]
    var advertising: Advertising?
    var lastNumber: UInt32
}
