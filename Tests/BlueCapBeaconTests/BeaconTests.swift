// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapBeacon

@Suite("A ranged beacon")
struct BeaconTests {
    @Test(
        arguments: [
            (nil, "unknown"), (-59, "near (1.0 m)"), (-32_768, "far (1000000000.0 m)"), (32_767, "immediate (0.0 m)"),
        ] as [(Double?, String)])
    func `prints as one line, whatever strength was told`(rssi: Double?, nearness: String) {
        let now = Timestamp(sinceEpoch: .zero)
        let beacon = Beacon(
            family: .iBeacon, proximityUUID: "180D", major: 1, minor: 7, measuredPower: -59,
            peripheral: "C0:DE:00:00:00:01", discoveredAt: now, date: now, rssi: rssi)
        #expect("\(beacon)" == "iBeacon \(beacon.proximityUUID), major 1, minor 7, \(nearness)")
    }
}
