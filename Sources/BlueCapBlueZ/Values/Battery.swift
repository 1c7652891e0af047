// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe

/// The stand-in for the battery service, which BlueZ reads itself and shows as `Battery1` instead.
///
/// Newer versions (5.80) show the service as well; then that one is used.
enum Battery {
    // Beyond the range of attribute handles.
    static let serviceID = AttributeID(rawValue: 0x1_0000)
    static let characteristicID = AttributeID(rawValue: 0x1_0001)
    static let uuid: BluetoothUUID = "180F"

    static let characteristic = DiscoveredCharacteristic(
        id: characteristicID, uuid: "2A19", properties: [.read, .notify])

    static func service(
        at device: String, in tree: ObjectMirror, beside services: [DiscoveredService]
    ) -> DiscoveredService? {
        guard tree[device, BlueZInterface.battery] != nil, !services.contains(where: { $0.uuid == uuid }) else {
            return nil
        }
        return DiscoveredService(id: serviceID, uuid: uuid)
    }
}
#endif
