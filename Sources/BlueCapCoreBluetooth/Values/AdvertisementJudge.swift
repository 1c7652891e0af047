// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// Judges an advertisement before it is sent, because CoreBluetooth drops what it cannot send and reports no error.
enum AdvertisementJudge {
    /// H2: the room for the name and the service UUIDs, without the two bytes before each list.
    private static let packetRoom = 28
    /// H2: the room for the name alone in the scan response.
    private static let responseRoom = 10

    /// Returns the part of an advertisement that CoreBluetooth does not send; nil if it sends all of it.
    ///
    /// H1, H7: it sends the local name and the service UUIDs, always as a connectable and discoverable peripheral.
    static func unsupportedOption(of advertisement: Advertisement) -> AdvertisingOption? {
        if advertisement.secondaryPHY != nil { return .secondaryPHY }
        if !advertisement.manufacturerData.isEmpty { return .manufacturerData }
        if !advertisement.serviceData.isEmpty { return .serviceData }
        if !advertisement.solicitedServiceUUIDs.isEmpty { return .solicitedServiceUUIDs }
        if advertisement.appearance != nil { return .appearance }
        if advertisement.includesTxPower { return .includesTxPower }
        if !advertisement.structures.isEmpty { return .structures }
        if !advertisement.scanResponse.isEmpty { return .scanResponse }
        if advertisement.kind == .broadcast { return .broadcast }
        if advertisement.isDiscoverable == false { return .isDiscoverable }
        if advertisement.interval != nil { return .interval }
        if advertisement.txPower != nil { return .txPower }
        return nil
    }

    /// Returns the number of bytes by which an advertisement is too long; nil if it fits.
    ///
    /// Service UUIDs without room go to the overflow area, where only an Apple device finds them (B7), so they count as
    /// too long here.
    static func excessByteCount(of advertisement: Advertisement) -> Int? {
        let services = advertisement.serviceUUIDs.reduce(0) { $0 + $1.littleEndianBytes.count }
        let name = advertisement.localName?.utf8.count ?? 0
        let room = max(packetRoom - services, 0)
        let excess = max(services - packetRoom, 0) + max(name - max(room, responseRoom), 0)
        return excess > 0 ? excess : nil
    }
}
