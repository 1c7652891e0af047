// SPDX-License-Identifier: MIT

extension ScanOptions {
    /// Returns a Boolean value that is true if a sighting passes the options.
    func accepts(_ sighting: Sighting) -> Bool {
        if let minimumRSSI, let rssi = sighting.rssi, rssi < minimumRSSI { return false }
        if let namePrefix {
            let name = sighting.advertisements.localName ?? sighting.name ?? ""
            if !name.hasPrefix(namePrefix) { return false }
        }
        if let addressPrefix, !sighting.peripheral.text.hasPrefix(addressPrefix.uppercased()) { return false }
        return true
    }
}
