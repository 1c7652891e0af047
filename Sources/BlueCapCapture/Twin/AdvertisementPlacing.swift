// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// Puts the fields of a twin's packet and scan response into an advertisement, each where it was heard, as far as a
/// platform takes them.
struct AdvertisementPlacing {
    /// The advertisement with the fields that have found room.
    private(set) var advertisement: Advertisement
    /// The fields that have not.
    private(set) var leftOut = PeripheralAdvertisements()
    private let isTaken: (Advertisement) -> Bool

    /// Places the fields of a twin.
    ///
    /// The name comes last and goes into the scan response, where all platforms put it, unless there is no room for it
    /// beside what was heard there.
    ///
    /// - Parameters:
    ///   - twin: The device.
    ///   - usesResponse: Whether the platform sends more than the name in a scan response. Otherwise the fields of the
    ///     scan response go into the packet.
    ///   - isTaken: Whether the platform takes an advertisement.
    init(_ twin: Twin, usesResponse: Bool, where isTaken: @escaping (Advertisement) -> Bool) {
        self.isTaken = isTaken
        let advertised = twin.advertisement
        let isBroadcast = advertised?.isConnectable == false && twin.ownServices.isEmpty
        advertisement = Advertisement(kind: isBroadcast ? .broadcast : .connectable)
        var data = advertised?.data ?? PeripheralAdvertisements()
        var response = advertised?.scanResponse ?? PeripheralAdvertisements()
        let names = (data.localName, response.localName)
        // The platform sends flags of its own.
        (data.localName, data.flags, response.localName, response.flags) = (nil, nil, nil, nil)
        for structure in data.asStructures { putIntoPacket(structure) }
        if let name = names.1 { put(name: name) }
        for structure in response.asStructures {
            if usesResponse, change({ $0.scanResponse.append(structure) }) { continue }
            putIntoPacket(structure)
        }
        if names.1 == nil, let name = names.0 ?? (advertised == nil ? twin.name : nil) { put(name: name) }
    }

    /// - Returns: Whether the platform takes the advertisement with the change, which is kept then.
    private mutating func change(_ body: (inout Advertisement) -> Void) -> Bool {
        var changed = advertisement
        body(&changed)
        guard isTaken(changed) else { return false }
        advertisement = changed
        return true
    }

    private mutating func put(name: String) {
        if change({ $0.localName = name }) { return }
        let structure = ADStructure(type: 0x09, data: Bytes(name.utf8))
        if !change({ $0.structures.append(structure) }) { leftOut.localName = name }
    }

    /// Puts the fields of an AD structure into the packet, each by itself.
    private mutating func putIntoPacket(_ structure: ADStructure) {
        let fields = PeripheralAdvertisements(structures: [structure]).parsed
        for uuid in fields.serviceUUIDs where !advertisement.serviceUUIDs.contains(uuid) {
            if !change({ $0.serviceUUIDs.append(uuid) }) { leftOut.serviceUUIDs.append(uuid) }
        }
        for uuid in fields.solicitedServiceUUIDs where !advertisement.solicitedServiceUUIDs.contains(uuid) {
            if !change({ $0.solicitedServiceUUIDs.append(uuid) }) { leftOut.solicitedServiceUUIDs.append(uuid) }
        }
        // An advertisement has room for one value of each of these: the second one, from a scan response, has none.
        for (uuid, data) in fields.serviceData where advertisement.serviceData[uuid] != data {
            let isFree = advertisement.serviceData[uuid] == nil
            if !isFree || !change({ $0.serviceData[uuid] = data }) { leftOut.serviceData[uuid] = data }
        }
        for (company, data) in fields.manufacturerData where advertisement.manufacturerData[company] != data {
            let isFree = advertisement.manufacturerData[company] == nil
            if !isFree || !change({ $0.manufacturerData[company] = data }) { leftOut.manufacturerData[company] = data }
        }
        if let appearance = fields.appearance, advertisement.appearance != appearance {
            let isFree = advertisement.appearance == nil
            if !isFree || !change({ $0.appearance = appearance }) { leftOut.appearance = appearance }
        }
        if let power = fields.txPower, !advertisement.includesTxPower {
            if !change({ $0.includesTxPower = true }) { leftOut.txPower = power }
        }
        for structure in fields.structures where !change({ $0.structures.append(structure) }) {
            leftOut.structures.append(structure)
        }
    }
}

extension PeripheralAdvertisements {
    /// All fields as AD structures, in the order of a packet.
    fileprivate var asStructures: [ADStructure] { PeripheralAdvertisements(packets: [Bytes(packet)]).structures }
}
