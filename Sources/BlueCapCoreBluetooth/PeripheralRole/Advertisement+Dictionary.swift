// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth

extension Advertisement {
    /// The two parts that CoreBluetooth sends (H1).
    var dictionary: [String: Any] {
        var dictionary: [String: Any] = [:]
        if let localName { dictionary[CBAdvertisementDataLocalNameKey] = localName }
        if !serviceUUIDs.isEmpty { dictionary[CBAdvertisementDataServiceUUIDsKey] = serviceUUIDs.map(\.object) }
        return dictionary
    }

    /// Creates the advertisement of a dictionary that CoreBluetooth restored.
    init(dictionary: [String: Any]) {
        self.init(
            localName: dictionary[CBAdvertisementDataLocalNameKey] as? String,
            serviceUUIDs: (dictionary[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []).compactMap {
                BluetoothUUID($0)
            })
    }

    /// Whether CoreBluetooth sends the same for both.
    func isSentAlike(_ other: Advertisement) -> Bool {
        localName == other.localName && serviceUUIDs == other.serviceUUIDs
    }
}
#endif
