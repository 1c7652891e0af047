// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension PeripheralAdvertisements: CustomStringConvertible {
    /// The fields that are present, in a fixed order, with bytes in hexadecimal.
    public var description: String {
        var parts: [String] = []
        func add(_ name: String, _ value: String?) { if let value { parts.append("\(name): \(value)") } }
        func list(_ entries: [String]) -> String? {
            entries.isEmpty ? nil : "[" + entries.joined(separator: ", ") + "]"
        }
        add("localName", localName?.debugDescription)
        add("serviceUUIDs", list(serviceUUIDs.map(\.description)))
        let companies = manufacturerData.sorted { $0.key < $1.key }
        add("manufacturerData", list(companies.map { "\(Self.hex($0.key)): \($0.value)" }))
        add("serviceData", list(serviceData.map { "\($0.key): \($0.value)" }.sorted()))
        add("txPower", txPower.map { "\($0)" })
        add("appearance", appearance.map(Self.hex))
        add("flags", flags.map { "0x" + Bytes([$0.rawValue]).hex })
        add("solicitedServiceUUIDs", list(solicitedServiceUUIDs.map(\.description)))
        add("overflowServiceUUIDs", list(overflowServiceUUIDs.map(\.description)))
        add("structures", list(structures.map { "0x" + Bytes([$0.type]).hex + ": \($0.data)" }))
        add("isConnectable", isConnectable.map { "\($0)" })
        return "PeripheralAdvertisements(" + parts.joined(separator: ", ") + ")"
    }

    private static func hex(_ number: UInt16) -> String {
        "0x" + Bytes([UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]).hex.uppercased()
    }
}
