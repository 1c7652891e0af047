// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapSerDe

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
