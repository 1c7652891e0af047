// SPDX-License-Identifier: MIT

import BlueCap

extension EmulatedServices {
    /// Takes the services that a manager has restored, with the values of new ones that are like them.
    ///
    /// - Parameters:
    ///   - restored: The services of the preceding program.
    ///   - wanted: The services of this one.
    /// - Returns: Nil where the two have other services, characteristics or descriptors.
    init?(_ restored: [MutableService], insteadOf wanted: EmulatedServices) {
        guard restored.map(Shape.init) == wanted.services.map(Shape.init) else { return nil }
        self.init(services: restored)
        for (characteristic, other) in zip(characteristics, wanted.characteristics) {
            characteristic.value = other.value
            for (descriptor, other) in zip(characteristic.descriptors, other.descriptors) {
                descriptor.value = other.value
            }
        }
    }

    /// A service as centrals discover it, without values.
    private struct Shape: Hashable {
        struct Part: Hashable {
            var uuid: BluetoothUUID
            var properties: CharacteristicProperties
            var permissions: AttributePermissions
            var descriptors: [Descriptor]
        }

        struct Descriptor: Hashable {
            var uuid: BluetoothUUID
            var permissions: AttributePermissions
        }

        var uuid: BluetoothUUID
        var isPrimary: Bool
        var parts: [Part]

        init(_ service: MutableService) {
            (uuid, isPrimary) = (service.uuid, service.isPrimary)
            parts = service.characteristics.map {
                Part(
                    uuid: $0.uuid, properties: $0.properties, permissions: $0.permissions,
                    descriptors: $0.descriptors.map { Descriptor(uuid: $0.uuid, permissions: $0.permissions) })
            }
        }
    }
}
