// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A link to a device, from the first attempt on: the database that the device sent, and the answers that it owes.
struct Link {
    /// The kind of answer that a request waits for.
    enum Answer {
        case value
        case done
    }

    /// The number in all messages about this link. No other link has it, so a late message about an earlier link is
    /// recognised.
    let number: UInt64
    /// The device's database; nil until the device has accepted the link.
    var services: [WireService]?
    /// The requests that the device has not answered.
    var pending: [RequestID: Answer] = [:]

    var isUp: Bool { services != nil }

    func primaryServices(_ uuids: [BluetoothUUID]?) -> CentralReply {
        .services(services.discovered(uuids) { $0.isPrimary })
    }

    func services(includedBy id: AttributeID, _ uuids: [BluetoothUUID]?) -> CentralReply {
        let included = services?.first { $0.id == id.rawValue }?.includes ?? []
        return .services(services.discovered(uuids) { included.contains($0.id) })
    }

    func characteristics(of id: AttributeID, _ uuids: [BluetoothUUID]?) -> CentralReply {
        let all = services?.first { $0.id == id.rawValue }?.characteristics ?? []
        return .characteristics(
            all.filter { uuids?.contains($0.uuid) ?? true }.map {
                DiscoveredCharacteristic(id: AttributeID(rawValue: $0.id), uuid: $0.uuid, properties: $0.properties)
            })
    }

    func descriptors(of id: AttributeID) -> CentralReply {
        let all = services?.flatMap(\.characteristics).first { $0.id == id.rawValue }?.descriptors ?? []
        return .descriptors(all.map { DiscoveredDescriptor(id: AttributeID(rawValue: $0.id), uuid: $0.uuid) })
    }
}

extension [WireService]? {
    /// The services with the UUIDs, or all, that are as `isWanted` says.
    fileprivate func discovered(
        _ uuids: [BluetoothUUID]?, where isWanted: (WireService) -> Bool
    ) -> [DiscoveredService] {
        (self ?? []).filter { isWanted($0) && uuids?.contains($0.uuid) ?? true }.map {
            DiscoveredService(id: AttributeID(rawValue: $0.id), uuid: $0.uuid, isPrimary: $0.isPrimary)
        }
    }
}
