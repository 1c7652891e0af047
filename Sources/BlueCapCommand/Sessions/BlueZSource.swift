// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture

extension RadioOptions {
    /// A source that listens to bluetoothd.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/noRadio`` in a build without BlueZ.
    func listener() throws(CommandFailure) -> any PassiveSource {
        #if os(Linux) && BlueZ
        return BlueZSource(BlueZListener(adapter: selection))
        #else
        throw CommandFailure(.noRadio, "--passive listens to bluetoothd, and this program was built without BlueZ")
        #endif
    }
}

#if os(Linux) && BlueZ
/// A source of the values that bluetoothd announces.
struct BlueZSource: PassiveSource {
    private let listener: BlueZListener

    init(_ listener: BlueZListener) { self.listener = listener }

    func listen(to device: String, _ body: @Sendable (PassiveValue) -> Void) async {
        for await value in await listener.values(of: device) {
            body(
                PassiveValue(
                    // The handle of the value stands behind that of the declaration.
                    characteristic: value.characteristic &+ 1, value: value.value,
                    isNotification: value.isNotification))
        }
    }

    func twin(of device: String) async throws -> Twin? {
        try await listener.peer(device).map { Twin(heard: $0) }
    }
}

extension Twin {
    /// The device as bluetoothd knows it, without notifications.
    init(heard peer: ListenedPeer) {
        self.init(
            address: peer.identifier, name: peer.name, recorded: .now,
            advertisement: TwinAdvertisement(whole: peer.advertisements, rssi: peer.rssi),
            mtu: peer.maximumTransmissionUnit.map { min(max($0, 23), 517) },
            services: peer.services.enumerated().map { index, service in
                TwinService(
                    service.uuid, handle: service.handle, isPrimary: service.isPrimary,
                    includes: service.includes.compactMap { handle in
                        peer.services.firstIndex { $0.handle == handle }
                    }.filter { $0 != index },
                    characteristics: service.characteristics.map(TwinCharacteristic.init(heard:)))
            })
    }
}

extension TwinCharacteristic {
    fileprivate init(heard characteristic: ListenedCharacteristic) {
        self.init(
            // The handle of the value stands behind that of the declaration.
            characteristic.uuid, handle: characteristic.handle &+ 1, properties: characteristic.properties,
            value: characteristic.value,
            descriptors: characteristic.descriptors.filter { $0.uuid != Descriptor.clientConfiguration }.map {
                TwinDescriptor($0.uuid, handle: $0.handle, value: $0.value)
            })
    }
}
#endif
