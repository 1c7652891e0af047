// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapBeacon

@Suite("A region's watch", .timeLimit(.minutes(60)))
struct RegionWatchTests {
    /// A watch whose region was entered at ten seconds.
    private static func inside() -> RegionWatch {
        var watch = RegionWatch(DiscoveryRegion("shop") { _ in true })
        _ = watch.start()
        _ = watch.radioOn(at: .seconds(5))
        _ = watch.heard(rssi: -50, at: .seconds(10))
        return watch
    }

    @Test func `looks for the exit a delay after the last beacon, and tells it then and not before`() {
        var watch = Self.inside()
        #expect(watch.deadline == .seconds(40))
        #expect(watch.check(at: .seconds(40) - .nanoseconds(1)) == nil)
        #expect(watch.check(at: .seconds(40)) == .outside)
        #expect(watch.deadline == nil)
    }

    @Test func `a beacon that is heard at the very end of the delay is still there`() {
        var watch = Self.inside()
        #expect(watch.heard(rssi: -90, at: .seconds(40)) == nil)
        #expect(watch.check(at: .seconds(40)) == nil)
        #expect(watch.deadline == .seconds(70))
    }

    @Test func `while an absence does not show nothing is left, and the delay counts from when it shows`() {
        var watch = Self.inside()
        #expect(watch.check(at: .seconds(40), absencesShowSince: nil) == nil)
        #expect(watch.deadline == .seconds(70))
        #expect(watch.check(at: .seconds(70), absencesShowSince: .seconds(45)) == nil)
        #expect(watch.deadline == .seconds(75))
        #expect(watch.check(at: .seconds(75), absencesShowSince: .seconds(45)) == .outside)
    }

    @Test func `while an absence does not show, a region that was not entered is not outside`() {
        var watch = RegionWatch(DiscoveryRegion("shop", exitDelay: .seconds(5)) { _ in true })
        _ = watch.start()
        _ = watch.radioOn(at: .zero)
        #expect(watch.check(at: .seconds(5), absencesShowSince: nil) == nil)
        #expect(watch.check(at: .seconds(10), absencesShowSince: .seconds(7)) == nil)
        #expect(watch.deadline == .seconds(12))
        #expect(watch.check(at: .seconds(12), absencesShowSince: .seconds(7)) == .outside)
    }

    @Test func `an absence that does not show for long is one all the same`() {
        var watch = RegionWatch(DiscoveryRegion("shop", exitDelay: .seconds(5)) { _ in true })
        _ = watch.start()
        _ = watch.radioOn(at: .zero)
        for now in [5, 10, 15] { #expect(watch.check(at: .seconds(now), absencesShowSince: nil) == nil) }
        #expect(watch.deadline == .seconds(20))
        #expect(watch.check(at: .seconds(20), absencesShowSince: nil) == .outside)
    }

    @Test func `a weak beacon does not enter, and keeps what was entered`() {
        var watch = RegionWatch(DiscoveryRegion("shop", entryRSSI: -60) { _ in true })
        _ = watch.start()
        _ = watch.radioOn(at: .zero)
        #expect(watch.heard(rssi: -61, at: .seconds(1)) == nil)
        #expect(watch.heard(rssi: nil, at: .seconds(2)) == nil)
        #expect(watch.deadline == .seconds(30))
        #expect(watch.heard(rssi: -60, at: .seconds(3)) == .inside)
        #expect(watch.heard(rssi: -99, at: .seconds(20)) == nil)
        #expect(watch.deadline == .seconds(50))
    }

    @Test func `nothing is told while the radio is off`() {
        var watch = Self.inside()
        #expect(watch.radioOff() == .unknown)
        #expect(watch.radioOff() == nil)
        #expect(watch.deadline == nil)
        #expect(watch.check(at: .seconds(1000)) == nil)
        #expect(watch.radioOn(at: .seconds(1000)) == nil)
        #expect(watch.deadline == .seconds(1030))
    }
}
