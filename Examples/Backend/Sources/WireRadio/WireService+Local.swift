// SPDX-License-Identifier: MIT

import BlueCapCore

/// The services of a manager, as they go over a wire.
///
/// An attribute has twice its number there. That leaves the odd number behind a characteristic's for its Client
/// Characteristic Configuration descriptor, in the order of the database.
extension WireService {
    init(_ service: LocalService) {
        self.init(id: service.id.onWire, uuid: service.uuid, isPrimary: service.isPrimary)
        includes = service.includedServices.map(\.onWire)
        characteristics = service.characteristics.map(Characteristic.init)
    }
}

extension WireService.Characteristic {
    fileprivate init(_ characteristic: LocalCharacteristic) {
        self.init(
            id: characteristic.id.onWire, uuid: characteristic.uuid, properties: characteristic.properties)
        if characteristic.canUpdate {
            descriptors = [WireService.Descriptor(id: characteristic.id.onWire + 1, uuid: "2902")]
        }
        descriptors += characteristic.descriptors.map { WireService.Descriptor(id: $0.id.onWire, uuid: $0.uuid) }
    }
}

extension LocalCharacteristic {
    /// Whether centrals can subscribe.
    var canUpdate: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }
}

extension AttributeID {
    /// The number in messages.
    var onWire: UInt32 { 2 * rawValue }

    /// The attribute with a number in a message. The number of a configuration descriptor gives its characteristic.
    init(onWire number: UInt32) { self.init(rawValue: number / 2) }
}
