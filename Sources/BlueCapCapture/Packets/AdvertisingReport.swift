// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// One advertisement or scan response as it was heard, by a controller or by a sniffer.
struct AdvertisingReport: Sendable, Hashable {
    /// Whether data end with this report.
    enum Completeness: Sendable, Hashable {
        case complete
        case continues
        case cutOff
    }

    var address: DeviceAddress
    var isScanResponse: Bool
    /// Whether the packet invites connections; nil for a scan response, which does not say.
    var isConnectable: Bool?
    var data: [UInt8]
    var rssi: Int?
    var completeness = Completeness.complete

    /// The reports of LE Advertising Report: a count, then for each the type, the address, a length, data and the
    /// signal strength. The specification lists field by field; controllers send report by report, and one at a time.
    static func legacy(_ cursor: inout ByteCursor) -> [AdvertisingReport] {
        var reports: [AdvertisingReport] = []
        for _ in 0..<(cursor.byte() ?? 0) {
            guard let type = cursor.byte(), let address = cursor.typedAddress(), let length = cursor.byte(),
                let data = cursor.take(Int(length)), let rssi = cursor.byte()
            else { break }
            reports.append(
                AdvertisingReport(
                    address: address, isScanResponse: type == 4, isConnectable: type == 4 ? nil : type <= 1,
                    data: Array(data), rssi: rssi == 127 ? nil : Int(Int8(bitPattern: rssi))))
        }
        return reports
    }

    /// The reports of LE Extended Advertising Report. Bits of the type: 0 connectable, 3 scan response, 5 and 6 whether
    /// more data follow.
    static func extended(_ cursor: inout ByteCursor) -> [AdvertisingReport] {
        var reports: [AdvertisingReport] = []
        for _ in 0..<(cursor.byte() ?? 0) {
            guard let type = cursor.little(UInt16.self), let address = cursor.typedAddress(), cursor.skip(4),
                let rssi = cursor.byte(), cursor.skip(9), let length = cursor.byte(),
                let data = cursor.take(Int(length))
            else { break }
            let isScanResponse = type & 8 != 0
            reports.append(
                AdvertisingReport(
                    address: address, isScanResponse: isScanResponse,
                    isConnectable: isScanResponse ? nil : type & 1 != 0, data: Array(data),
                    rssi: rssi == 127 ? nil : Int(Int8(bitPattern: rssi)),
                    completeness: [.complete, .continues, .cutOff, .cutOff][Int(type >> 5 & 3)]))
        }
        return reports
    }
}
