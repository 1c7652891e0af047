// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Passive scans", .timeLimit(.minutes(60)))
struct PassiveScanningTests {
    private static let pattern = AdvertisingPattern(type: 0xFF, content: [0x34, 0x12])
    private static let plain = ScanMode.passive(patterns: [pattern])
    /// Found after 2 s above -60 dBm, lost after 3 s below -75.
    private static let near = ScanMode.passive(
        patterns: [pattern],
        signal: SignalThresholds(high: -60, highTime: .seconds(2), low: -75, lowTime: .seconds(3)))

    private static func sighting(_ rssi: Int?, _ company: UInt16 = 0x1234) -> Sighting {
        Sighting(
            peripheral: .one, advertisements: PeripheralAdvertisements(manufacturerData: [company: [1]]), rssi: rssi)
    }

    @Test(arguments: [
        (UInt8(0xFF), [UInt8](), 0, false), (0xFF, [0x34, 0x12, 5], 0, true), (0xFF, [5], 2, true),
        (0xFF, [5, 6], 2, false), (0xFF, [0x12], 0, false), (0x16, [0x0F, 0x18, 9], 0, true), (0x01, [6], 0, true),
        (0x09, Array("Cap".utf8), 0, true), (0x24, [7], 1, true), (0x25, [7], 0, false),
    ])
    func `a pattern is looked for in the structures of its type, sent or made of their fields`(
        type: UInt8, content: [UInt8], start: Int, isThere: Bool
    ) {
        let pattern = AdvertisingPattern(type: type, content: Bytes(content), start: start)
        let advertisements = PeripheralAdvertisements(
            localName: "Cap", manufacturerData: [0x1234: [5]], serviceData: ["180F": [9]],
            flags: [.generalDiscoverable, .noBREDR], structures: [ADStructure(type: 0x24, data: [1, 7])])
        #expect(!pattern.isInBounds || [pattern].match(advertisements) == isThere)
    }

    @Test func `without the feature the manager compares the patterns, with it the platform`() async throws {
        for platform in [false, true] {
            try await World.run(features: platform ? .patternMatching : []) { world in
                let passive = Recorder(world.central.scan(options: ScanOptions(mode: Self.plain)), on: world)
                await world.idle()
                #expect(await world.backend.scans == [ScanRequest(allowsDuplicates: true, modes: [Self.plain])])
                await world.emit(.sighted(Self.sighting(-50, 0x4321)))
                await world.emit(.matched(Self.sighting(-50), Self.near))
                #expect(passive.all.count == 0)
                await world.emit(.sighted(Self.sighting(-50)))
                #expect(passive.all.count == (platform ? 0 : 1))
                await world.emit(.matched(Self.sighting(-50), Self.plain))
                #expect(passive.all.count == 1)
                await world.emit(.matchLost(.one, Self.plain))
                #expect(passive.all.map(\.kind) == [.discovered, .lost])
            }
        }
    }

    @Test func `found is one that was strong for the time, lost one that was weak for the time`() async throws {
        try await World.run { world in
            let near = Recorder(world.central.scan(options: ScanOptions(mode: Self.near)), on: world)
            await world.idle()
            for rssi in [-60, -40, -61, -40, -40] {
                await world.emit(.sighted(Self.sighting(rssi)))
                await world.advance(by: .seconds(1))
            }
            #expect(near.all.count == 0)
            await world.emit(.sighted(Self.sighting(-40)))
            #expect(near.all.map(\.kind) == [.discovered])
            for rssi in [-70, -80, -80, -75, -80, -80, -80] {
                await world.advance(by: .seconds(1))
                await world.emit(.sighted(Self.sighting(rssi)))
            }
            #expect(!near.all.map(\.kind).contains(.lost))
            await world.advance(by: .milliseconds(999))
            #expect(!near.all.map(\.kind).contains(.lost))
            await world.advance(by: .milliseconds(1))
            #expect(near.all.last?.kind == .lost)
        }
    }

    @Test func `silence counts as weak, and a pause begins the time of a strong one anew`() async throws {
        try await World.run { world in
            let near = Recorder(world.central.scan(options: ScanOptions(lostAfter: nil, mode: Self.near)), on: world)
            await world.idle()
            for pause in [4, 2] {
                await world.emit(.sighted(Self.sighting(-40)))
                await world.advance(by: .seconds(pause))
            }
            #expect(near.all.count == 0)
            await world.emit(.sighted(Self.sighting(-40)))
            #expect(near.all.map(\.kind) == [.discovered])
            await world.advance(by: .milliseconds(2_999))
            #expect(near.all.count == 1)
            await world.advance(by: .milliseconds(1))
            #expect(near.all.map(\.kind) == [.discovered, .lost])
        }
    }

    @Test func `addresses that are heard once are not kept without a bound`() {
        var strong = StrongSignals()
        let signal = SignalThresholds(high: -60, low: -70)
        func sighting(_ number: Int) -> Sighting {
            let address = PeerIdentifier("C0:DE:00:00:\(Self.hex(number >> 8)):\(Self.hex(number & 0xFF))")
            return Sighting(peripheral: address, advertisements: PeripheralAdvertisements(), rssi: -40)
        }
        for number in 0..<5_000 { _ = strong.isFound(sighting(number), by: signal, at: .zero) }
        #expect(strong.count == 1_024)
        // Those that have gone make room.
        let early = strong.isFound(sighting(5_000), by: signal, at: .seconds(60))
        #expect(strong.count == 1)
        let late = strong.isFound(sighting(5_000), by: signal, at: .seconds(61))
        #expect(!early && late)
    }

    private static func hex(_ byte: Int) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }

    @Test func `a passive scan is journalled with its patterns and thresholds`() throws {
        var signal = SignalThresholds(high: 20, highTime: .seconds(300), low: -127, lowTime: .seconds(1))
        signal.samplingPeriod = .milliseconds(25_400)
        let patterns = [Self.pattern, AdvertisingPattern(type: 1, content: [6], start: 30)]
        for mode in [ScanMode.active, .everyPacket, Self.plain, .passive(patterns: patterns, signal: signal)] {
            var encoder = JournalEncoder()
            encoder.put(mode)
            var decoder = JournalDecoder(encoder.bytes)
            #expect(try decoder.value(ScanMode.self) == mode)
            #expect(decoder.remaining == 0)
        }
    }
}
