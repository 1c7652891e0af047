// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Foundation

extension CBCentralManager {
    struct Scan {
        var services: [CBUUID]?
        var allowsDuplicates: Bool
    }

    /// Scans; a second call replaces filter and options (B1). There is no error of a scan (B12).
    public func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        guard isOn("scanForPeripherals") else { return }
        let allowsDuplicates = (options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? NSNumber)?.boolValue ?? false
        scan = Scan(services: serviceUUIDs, allowsDuplicates: allowsDuplicates)
        isScanning = true
        // The option is ignored in the background (B3). The filter is applied here, for the overflow area's sake.
        let request = ScanRequest(allowsDuplicates: allowsDuplicates && !host.settings.isInBackground)
        session.ask { $0.scan(request) }
    }

    /// Stops the scan; nothing answers.
    public func stopScan() {
        guard isOn("stopScan") else { return }
        isScanning = false
        scan = nil
        session.ask { $0.scan(nil) }
    }

    /// Connects, for as long as it takes (C1).
    public func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard isOn("connect"), owns(peripheral, "connect"), !peripheral.isStuck else { return }
        let peer = peripheral.peer
        switch peripheral.state {
        case .connected where host.has(.silentForConnected): return
        case .connected: return later { [self] in delegate?.centralManager(self, didConnect: peripheral) }
        case .connecting: return
        case .disconnecting where host.has(.slowCancel):
            peripheral.isWanted = true
            peripheral.connectOptions = options
            return
        default: break
        }
        if host.has(.disconnectBeforeConnect) {
            return later { [self] in tellDisconnected(peripheral, .bluetooth(.connectionTimeout, host: host)) }
        }
        if host.has(.failsToConnect) {
            return later { [self] in
                let error = NSError.bluetooth(.connectionFailed, host: host)
                delegate?.centralManager(self, didFailToConnect: peripheral, error: error)
            }
        }
        peripheral.state = .connecting
        peripheral.connectOptions = options
        session.ask { $0.connect(peer) }
    }

    /// Ends a connection or an attempt, answered by didDisconnect without an error (C2, C4).
    public func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard isOn("cancelPeripheralConnection"), owns(peripheral, "cancelPeripheralConnection") else { return }
        let peer = peripheral.peer
        peripheral.isWanted = false
        guard peripheral.state == .connecting || peripheral.state == .connected else { return }
        peripheral.state = .disconnecting
        peripheral.isStuck = false
        session.ask { $0.disconnect(peer) }
    }

    /// Whether a peripheral is a valid object of this manager (M5).
    private func owns(_ peripheral: CBPeripheral, _ command: String) -> Bool {
        if peripheral.isValid, peripheral.manager === self { return true }
        host.misuse("\(command) of a peripheral that is not valid")
        return false
    }

    // MARK: Sightings

    func sighted(_ sighting: Sighting) {
        guard let scan else { return }
        let overflow = OverflowArea.services(of: sighting.peripheral, on: host.radio)
        let wanted = (scan.services ?? []).map(\.identity)
        let seen = sighting.advertisements
        if wanted.isEmpty {
            // A scan without a filter gives nothing in the background (B3).
            if host.settings.isInBackground { return }
        } else {
            let offered = seen.serviceUUIDs + overflow + Array(seen.serviceData.keys)
            guard offered.contains(where: wanted.contains) else { return }
        }
        let peripheral = object(sighting.peripheral)
        // The overflow area is found only by a scan that names its services (B7).
        let found = overflow.filter(wanted.contains)
        delegate?.centralManager(
            self, didDiscover: peripheral, advertisementData: Self.dictionary(seen, overflow: found),
            rssi: NSNumber(value: sighting.rssi ?? 127))  // 127 is none (B4)
    }

    /// The eight keys (B5), with values of Foundation's classes (language rule 3).
    private static func dictionary(
        _ seen: PeripheralAdvertisements, overflow: [BluetoothUUID]
    ) -> [String: Any] {
        func list(_ uuids: [BluetoothUUID]) -> NSArray { NSArray(array: uuids.map { CBUUID($0) }) }
        var data: [String: Any] = [CBAdvertisementDataIsConnectable: NSNumber(value: seen.isConnectable ?? true)]
        if let name = seen.localName { data[CBAdvertisementDataLocalNameKey] = NSString(string: name) }
        if let power = seen.txPower { data[CBAdvertisementDataTxPowerLevelKey] = NSNumber(value: power) }
        if !seen.serviceUUIDs.isEmpty { data[CBAdvertisementDataServiceUUIDsKey] = list(seen.serviceUUIDs) }
        if !overflow.isEmpty { data[CBAdvertisementDataOverflowServiceUUIDsKey] = list(overflow) }
        if !seen.solicitedServiceUUIDs.isEmpty {
            data[CBAdvertisementDataSolicitedServiceUUIDsKey] = list(seen.solicitedServiceUUIDs)
        }
        if !seen.serviceData.isEmpty {
            let values = NSMutableDictionary()
            for (uuid, value) in seen.serviceData { values.setObject(NSData(data: Data(value)), forKey: CBUUID(uuid)) }
            data[CBAdvertisementDataServiceDataKey] = values
        }
        if let (company, value) = seen.manufacturerData.min(by: { $0.key < $1.key }) {
            let bytes = [UInt8(truncatingIfNeeded: company), UInt8(truncatingIfNeeded: company >> 8)] + value
            data[CBAdvertisementDataManufacturerDataKey] = NSData(data: Data(bytes))
        }
        return data
    }
}
