// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ScanTableTests {
    private let devices = [
        ScanRow(
            id: "C0:DE:00:00:00:01", name: "SensorTag", rssi: -61, services: [TISensorTag.AccelerometerService.uuid],
            discovered: .seconds(1), lastSeen: .seconds(9)),
        ScanRow(
            id: "C0:DE:00:00:00:02", name: "", state: .paired, rssi: nil, services: [], discovered: .seconds(0),
            lastSeen: .seconds(2)),
        ScanRow(
            id: "C0:DE:00:00:00:03", name: "Thermomètre à distance du voisin", rssi: -44,
            services: ["180F", "1809"], discovered: .seconds(2), lastSeen: .seconds(10)),
    ]

    @Test func `columns stand under their headings, strongest device first`() {
        let table = ScanTable(columns: 100, rows: 20)
        #expect(
            table.lines(devices, now: .seconds(10)) == [
                "NAME                          ID                 STATE   SIGNAL        SEEN  SERVICES",
                "Thermomètre à distance du v…  C0:DE:00:00:00:03  found   ▁▂▄▆·  -44     now  Battery, Health Thermo…",
                "SensorTag                     C0:DE:00:00:00:01  found   ▁▂▄··  -61     1 s  TI Accelerometer",
                "                              C0:DE:00:00:00:02  paired  ·····  n/a     8 s",
            ])
    }

    @Test func `in the order of discovery the first discovered is first`() {
        let sorted = ScanOrder.discovery.sorted(devices)
        #expect(sorted.map(\.id.last) == ["2", "1", "3"])
    }

    @Test func `by name those without one are last, and the last heard is first by sight`() {
        #expect(ScanOrder.name.sorted(devices).map(\.id.last) == ["1", "3", "2"])
        #expect(ScanOrder.seen.sorted(devices).map(\.id.last) == ["3", "1", "2"])
    }

    @Test func `what is advertised gives way to how far the inspection is`() {
        var row = devices[0]
        row.details = ["iBeacon 1/7"]
        let table = ScanTable(columns: 120, rows: 20)
        #expect(table.lines([row], now: .zero)[1].hasSuffix("TI Accelerometer, iBeacon 1/7"))
        row.inspection = "1 service, 3 characteristics"
        #expect(table.lines([row], now: .zero)[1].hasSuffix("  1 service, 3 characteristics"))
    }

    @Test(arguments: [20, 40, 60, 80, 200])
    func `no line is wider than the screen`(columns: Int) {
        var devices = devices
        devices[0].state = .disconnecting
        let lines = ScanTable(columns: columns, rows: 20).lines(devices, now: .seconds(10))
        #expect(lines.allSatisfy { TextLayout.width(of: $0) <= columns })
    }

    @Test(arguments: DeviceState.allCases)
    func `in 80 columns every state stands whole in its column, and the services begin`(state: DeviceState) {
        var devices = devices
        devices[0].state = state
        let lines = ScanTable(columns: 80, rows: 20).lines(devices, now: .seconds(10))
        #expect(lines.allSatisfy { TextLayout.width(of: $0) <= 80 })
        #expect(lines[2].contains("C0:DE:00:00:00:01  \(state.rawValue) "), "\(lines)")
        #expect(lines[2].contains("  1 s  TI "), "\(lines)")
    }

    @Test(arguments: [2, 3, 4])
    func `devices that do not fit the screen are counted`(rows: Int) {
        let many = (0..<10).map { number in
            ScanRow(
                id: "C0:DE:00:00:00:1\(number)", name: "n", rssi: -50 - number, services: [], discovered: .zero,
                lastSeen: .zero)
        }
        let lines = ScanTable(columns: 80, rows: rows).lines(many, now: .zero)
        #expect(lines.count == max(rows, 3))
        #expect(lines.last == "… and \(10 - (lines.count - 2)) more")
    }

    @Test(arguments: [(0, "now"), (1, "1 s"), (99, "99 s"), (100, "1 min"), (5999, "99 min"), (6000, "1 h")])
    func `ages are told in the largest fitting unit`(seconds: Int, text: String) {
        #expect(ScanTable.age(.seconds(seconds)) == text)
    }
}
