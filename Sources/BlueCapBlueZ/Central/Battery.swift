// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// The stand-in for the battery service, which BlueZ reads itself and shows as `Battery1` instead.
///
/// Newer versions (5.80) show the service as well; then that one is used.
enum Battery {
    // Beyond what attribute handles reach.
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

extension BlueZCentralBackend {
    private func batteryLevel(_ device: String) -> Bytes? {
        properties(device, BlueZInterface.battery)?[Battery1.percentage].map { [$0] }
    }

    func readBattery(_ request: CentralRequest, on link: BlueZLink) {
        guard let level = batteryLevel(link.path) else {
            return failUnknown(request, Battery.characteristicID, on: link)
        }
        answer(request, .success(.value(level)))
    }

    func batteryChanged(_ device: String, _ change: TreeChange) {
        guard case .changed(_, _, let set, _) = change, set.has(Battery1.percentage), let link = links[device],
            let level = batteryLevel(device)
        else { return }
        link.values.batteryChanged(level, self)
    }
}
#endif
