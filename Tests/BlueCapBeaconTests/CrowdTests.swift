// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapBeacon

@Suite("A crowd of beacons", .timeLimit(.minutes(60)))
struct CrowdTests {
    /// A list on which time passes with each packet.
    private struct Air {
        var list = RangedBeacons()
        var now = Duration.zero
        var step = Duration.zero
        var packetCount = 0

        /// A packet of the beacon with a number, whose device has the same number unless another is given.
        @discardableResult
        mutating func hear(_ number: Int, device: Int? = nil) -> Bool {
            let frame = IBeacon(
                proximityUUID: "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70", major: 1,
                minor: UInt16(truncatingIfNeeded: number), measuredPower: -59)
            let data = PeripheralAdvertisements(manufacturerData: [IBeacon.company: SerDe.serialize(frame)])
            now += step
            packetCount += 1
            return list.hear(
                data, from: Self.peripheral(device ?? number), rssi: -60, date: Timestamp(sinceEpoch: now), region: nil,
                at: now)
        }

        @discardableResult
        mutating func lose(_ device: Int) -> Bool {
            now += step
            packetCount += 1
            return list.lose(Self.peripheral(device), at: now)
        }

        mutating func minors() -> Set<UInt16> { Set(list.take().map(\.minor)) }

        private static func peripheral(_ number: Int) -> PeerIdentifier { PeerIdentifier("\(number)") }
    }

    @Test(arguments: [1, 7, 50])
    func `costs a few steps for each packet, whether beacons are new, age or are lost`(milliseconds: Int) {
        var air = Air(step: .milliseconds(milliseconds))
        // As many as are kept, again and again the same, then ever new ones of ever new devices, and their losses.
        for number in 0..<3072 { air.hear(number % 1024) }
        for number in 0..<10_000 { air.hear(10_000 + number) }
        for device in 19_000..<21_000 { air.lose(device) }
        #expect(air.list.stepCount <= 4 * air.packetCount, "\(air.list.stepCount) steps, \(air.packetCount) packets")
    }

    @Test func `goes with the device that sends it`() {
        var air = Air()
        for number in 0..<5 { air.hear(number, device: 1) }
        air.hear(9, device: 2)
        // A beacon that goes by another address now is not lost with the old one.
        air.hear(3, device: 2)
        let isNews = air.lose(1)
        #expect(isNews && air.list.hasLost)
        #expect(air.minors() == [3, 9])
        let isNewsAgain = air.lose(1)
        #expect(!isNewsAgain)
    }

    @Test func `keeps those that were heard last`() {
        var air = Air()
        for number in 0..<1024 { air.hear(number) }
        // The first is heard again before others come, so that the second is the oldest.
        for number in [0, 2000, 2001] { air.hear(number) }
        let kept = air.minors()
        #expect(kept.count == 1024)
        #expect(kept.isSuperset(of: [0, 3, 2000, 2001]))
        #expect(kept.isDisjoint(with: [1, 2]))
    }

    @Test func `loses what was not heard for ten seconds, and only that`() {
        var air = Air(step: .seconds(1))
        for number in 1...10 { air.hear(number) }
        air.hear(1)
        air.now = .seconds(13)
        air.hear(20)
        #expect(air.minors() == [1, 5, 6, 7, 8, 9, 10, 20])
    }

    @Test(arguments: [10, 100, 1000])
    func `gives two lists in an interval at most, however many are lost`(lossesInSecond: Int) {
        var pace = RangingPace(interval: .seconds(1))
        let due = (0..<10 * lossesInSecond).count { number in
            pace.isDue(hasLost: true, isEmpty: false, at: .seconds(1) * number / lossesInSecond)
        }
        #expect(due <= 20)
    }

    @Test func `gives the first loss and the last one at once`() {
        var pace = RangingPace(interval: .seconds(1))
        let events: [(milliseconds: Int, hasLost: Bool, isEmpty: Bool)] = [
            (0, false, false), (200, false, false), (300, true, false), (400, true, false), (500, true, true),
            (600, true, false), (1500, true, false),
        ]
        let due = events.map {
            pace.isDue(hasLost: $0.hasLost, isEmpty: $0.isEmpty, at: .milliseconds($0.milliseconds))
        }
        #expect(due == [true, false, true, false, true, false, true])
    }
}
