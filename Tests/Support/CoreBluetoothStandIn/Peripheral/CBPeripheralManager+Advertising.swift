// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Foundation

extension CBPeripheralManager {
    /// Advertises a name and services; other keys are ignored without an error (H1), and it is always connectable (H7).
    public func startAdvertising(_ advertisementData: [String: Any]?) {
        guard isOn("startAdvertising") else { return }
        // One advertisement a manager (H3).
        guard advertising == nil else {
            return tellRefusal { [self] in
                let error = NSError.bluetooth(.alreadyAdvertising, host: host)
                delegate?.peripheralManagerDidStartAdvertising(self, error: error)
            }
        }
        let services = advertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        let name = advertisementData?[CBAdvertisementDataLocalNameKey] as? String
        advertising = RestoredPeripheral.Advertising(localName: name, services: services.map(\.data))
        let fitted = Self.fit(name: name, services: services, isInBackground: host.settings.isInBackground)
        let advertisement = Advertisement(localName: fitted.name, serviceUUIDs: fitted.services)
        startCount += 1
        let number = startCount
        guard host.settings.startTime > .zero else { return begin(advertisement, fitted.overflow) }
        let port = port
        _ = host.radio.clock.schedule(after: host.settings.startTime) {
            port.post { manager in
                guard let manager = manager as? CBPeripheralManager else { return }
                if manager.advertising != nil, manager.startCount == number {
                    manager.begin(advertisement, fitted.overflow)
                } else {
                    manager.delegate?.peripheralManagerDidStartAdvertising(manager, error: nil)
                }
            }
        }
    }

    private func begin(_ advertisement: Advertisement, _ overflow: [BluetoothUUID]) {
        OverflowArea.set(overflow, of: PeerIdentifier(host.adapter.address), on: host.radio)
        perform(.advertise(Self.advertisement, advertisement)) { [self] result in
            var error: NSError?
            if case .failure(let failure) = result {
                advertising = nil
                error = .operation(failure, host: host)
            }
            isAdvertising = error == nil && advertising != nil
            if host.has(.silentStart) { return }
            delegate?.peripheralManagerDidStartAdvertising(self, error: error)
        }
    }

    /// Stops advertising; nothing answers (H4).
    public func stopAdvertising() {
        guard isOn("stopAdvertising"), advertising != nil else { return }
        if !host.has(.slowStop) { advertising = nil }
        isAdvertising = false
        OverflowArea.set([], of: PeerIdentifier(host.adapter.address), on: host.radio)
        perform(.stopAdvertising(Self.advertisement)) { [self] _ in
            if host.has(.slowStop) { advertising = nil }
        }
    }

    /// 28 bytes for services and name, headers not counted; services that do not fit go to the overflow area, and a
    /// name is cut to the bytes that are left, or the 10 of the scan response (H2). In the background there is no
    /// name, and all services are in the overflow area (H6).
    static func fit(
        name: String?, services: [CBUUID], isInBackground: Bool
    ) -> (name: String?, services: [BluetoothUUID], overflow: [BluetoothUUID]) {
        var (room, fitting, overflow) = (isInBackground ? 0 : 28, [BluetoothUUID](), [BluetoothUUID]())
        for service in services {
            let length = service.identity.littleEndianBytes.count
            if length <= room {
                room -= length
                fitting.append(service.identity)
            } else {
                overflow.append(service.identity)
            }
        }
        guard let name, !isInBackground else { return (nil, fitting, overflow) }
        let length = name.utf8.count <= room ? room : max(room, 10)
        var cut = name
        while cut.utf8.count > length { cut.removeLast() }
        return (cut.isEmpty ? nil : cut, fitting, overflow)
    }
}
