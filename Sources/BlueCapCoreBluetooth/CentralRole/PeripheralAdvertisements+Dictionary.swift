// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth
import Foundation

extension PeripheralAdvertisements {
    /// Creates the content of advertisements from the dictionary of a discovery, which has eight keys (B5). A value of
    /// another class than the documented one is left out.
    init(dictionary: [String: Any]) {
        func services(_ key: String) -> [BluetoothUUID] {
            (dictionary[key] as? [CBUUID] ?? []).compactMap { BluetoothUUID($0) }
        }
        var manufacturerData: [UInt16: Bytes] = [:]
        if let data = dictionary[CBAdvertisementDataManufacturerDataKey] as? Data, data.count >= 2 {
            let bytes = Array(data)
            manufacturerData[UInt16(bytes[0]) | UInt16(bytes[1]) << 8] = Bytes(bytes.dropFirst(2))
        }
        var serviceData: [BluetoothUUID: Bytes] = [:]
        for (uuid, data) in dictionary[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data] ?? [:] {
            if let uuid = BluetoothUUID(uuid) { serviceData[uuid] = Bytes(data) }
        }
        self.init(
            localName: dictionary[CBAdvertisementDataLocalNameKey] as? String, manufacturerData: manufacturerData,
            txPower: (dictionary[CBAdvertisementDataTxPowerLevelKey] as? NSNumber)?.intValue,
            isConnectable: (dictionary[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue,
            serviceUUIDs: services(CBAdvertisementDataServiceUUIDsKey), serviceData: serviceData,
            overflowServiceUUIDs: services(CBAdvertisementDataOverflowServiceUUIDsKey),
            solicitedServiceUUIDs: services(CBAdvertisementDataSolicitedServiceUUIDsKey))
    }
}
#endif
