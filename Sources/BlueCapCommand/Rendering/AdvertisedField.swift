// SPDX-License-Identifier: MIT

import BlueCap

/// The fields of an advertisement by their names.
enum AdvertisedField {
    /// `"service 180F"`, `"manufacturer data 004C"`, `"Peripheral Connection Interval Range"`, `"name"`.
    static func names(_ fields: PeripheralAdvertisements) -> [String] {
        var names = fields.serviceUUIDs.map { "service \($0)" }
        names += fields.solicitedServiceUUIDs.map { "solicited service \($0)" }
        names += fields.serviceData.keys.map(\.description).sorted().map { "service data \($0)" }
        names += fields.manufacturerData.keys.sorted().map { company in
            let digits = String(company, radix: 16, uppercase: true)
            return "manufacturer data " + String(repeating: "0", count: 4 - digits.count) + digits
        }
        if fields.appearance != nil { names.append("appearance") }
        if fields.txPower != nil { names.append("transmit power") }
        names += fields.structures.map { structure in
            AssignedNumbers.advertisingDataTypeName(structure.type) ?? "AD type \(structure.type)"
        }
        if fields.localName != nil { names.append("name") }
        return names
    }
}
