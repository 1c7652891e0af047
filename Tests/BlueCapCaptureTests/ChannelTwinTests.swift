// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapCapture

@Suite("Channels of a twin", .timeLimit(.minutes(60)))
struct ChannelTwinTests {
    /// Speaks first, answers the second unit with a long one of several frames, and closes.
    static let speaker = TwinChannel(
        psm: 0x80, maximumReceiveLength: 500,
        units: [
            TwinUnit(value: [1, 2, 3]),
            TwinUnit(received: 2, after: .milliseconds(300), value: Bytes((0..<1000).map { UInt8($0 & 0xFF) })),
            TwinUnit(received: 2, value: [9]),
        ], closesAfter: 3)

    static let twin: Twin = {
        var twin = LampSession.twin
        twin.channels = [
            speaker, TwinChannel(psm: 0x81, behaviour: .echo, isEncrypted: true),
            TwinChannel(psm: 0x82, refusal: .noResources), TwinChannel(psm: 0x25, maximumReceiveLength: 23),
        ]
        return twin
    }()

    /// The units that a central received, with their times.
    private struct Heard: Equatable, Sendable {
        var units: [Bytes] = []
        var times: [Duration] = []
    }

    /// Opens all channels of a twin on a radio, and uses them.
    private static func visit(_ radio: VirtualRadio, _ twin: Twin) async throws -> Heard {
        radio.add(twin: twin)
        let central = CentralManager(backend: radio.central(), configuration: .init(acceptsJustWorks: true))
        try await central.whenPoweredOn(timeout: .seconds(5))
        let lamp = try await central.firstDiscovery(timeout: .seconds(5)).peripheral
        try await lamp.connect(timeout: .seconds(5))
        let channel = try await lamp.openChannel(psm: 0x80, timeout: .seconds(5))
        #expect(channel.maximumSendLength == 500)
        var (heard, units) = (Heard(), channel.makeAsyncIterator())
        let start = radio.clock.elapsed
        func hear() async throws {
            guard let unit = try await units.next() else { return }
            heard.units.append(unit)
            heard.times.append(radio.clock.elapsed - start)
        }
        try await hear()
        for number in 0..<2 as Range<UInt8> { try await channel.send(Bytes(Array(repeating: number, count: 400))) }
        for _ in 0..<2 { try await hear() }
        #expect(channel.isOpen)
        try await channel.send([7])
        #expect(try await units.next() == nil)
        await #expect(throws: ChannelError.refused(.insufficientEncryption)) { try await lamp.openChannel(psm: 0x81) }
        await #expect(throws: ChannelError.refused(.noResources)) { try await lamp.openChannel(psm: 0x82) }
        await #expect(throws: ChannelError.refused(.psmNotSupported)) { try await lamp.openChannel(psm: 0x83) }
        let silent = try await lamp.openChannel(psm: 0x25, timeout: .seconds(5))
        #expect(silent.maximumSendLength == 23)
        try await silent.send([5])
        let echo = try await lamp.openChannel(psm: 0x81, encrypted: true, timeout: .seconds(5))
        var echoes = echo.makeAsyncIterator()
        for number in 0..<3 as Range<UInt8> {
            try await echo.send([number])
            #expect(try await echoes.next() == [number])
        }
        echo.close()
        try await radio.clock.sleep(for: .seconds(1))
        await central.invalidate()
        return heard
    }

    @Test func `a capture of a channel becomes a twin that plays the same units`() async throws {
        let file = Locked<[UInt8]>(CaptureWriter(.pcapng).header)
        let first = Locked(Heard())
        try await VirtualRadio.run { radio in
            let capture = radio.capture { packet in
                if let record = CaptureWriter(.pcapng).record(packet) { file.withLock { $0 += record } }
            }
            let heard = try await Self.visit(radio, Self.twin)
            first.withLock { $0 = heard }
            capture.stop()
        }
        #expect(first.withLock { $0.units } == Self.speaker.units.map(\.value))
        let analysis = try LampSession.analyze(file.withLock { $0 })
        #expect(analysis.channelCounts == CapturedChannelCounts())
        let twin = try #require(analysis.twin(of: LampSession.device))
        // In the order of the requests, and without the PSM that is not there.
        #expect(twin.channels.map(\.psm) == [0x80, 0x81, 0x82, 0x25])
        var found = twin.channels
        for index in found.first?.units.indices ?? 0..<0 {
            // Packets travel at connection events.
            let (after, expected) = (found[0].units[index].after, Self.speaker.units[index].after)
            #expect(after >= expected && after < expected + .milliseconds(150), "\(after)")
            found[0].units[index].after = expected
        }
        #expect(found == Self.twin.channels)
        let again = try Twin(json: twin.json.utf8)
        #expect(again == twin)
        try await VirtualRadio.run { radio in
            let heard = try await Self.visit(radio, again)
            #expect(heard.units == Self.speaker.units.map(\.value))
            for (time, before) in zip(heard.times, first.withLock { $0.times }) {
                #expect(abs((time - before) / .milliseconds(1)) < 300, "\(time), \(before)")
            }
        }
    }

    @Test func `a unit waits for those of the central, and none is sent without a replay`() async throws {
        for replay in [TwinReplay.once, .never] {
            try await VirtualRadio.run { radio in
                var twin = LampSession.twin
                twin.channels = [TwinChannel(units: [TwinUnit(received: 1, value: [4])])]
                radio.add(twin: twin, replay: replay)
                let central = CentralManager(backend: radio.central())
                try await central.whenPoweredOn(timeout: .seconds(5))
                let lamp = try await central.firstDiscovery(timeout: .seconds(5)).peripheral
                try await lamp.connect(timeout: .seconds(5))
                let channel = try await lamp.openChannel(psm: 0x80, timeout: .seconds(5))
                try await radio.clock.sleep(for: .seconds(10))
                #expect(channel.statistics.receivedUnitCount == 0)
                try await channel.send([1])
                try await radio.clock.sleep(for: .seconds(10))
                #expect(channel.statistics.receivedUnitCount == (replay == .once ? 1 : 0))
                await central.invalidate()
            }
        }
    }

    @Test func `a manager takes the channels of a twin, as far as its platform has them`() async throws {
        let published = Locked<[UInt16]>([])
        try await VirtualRadio.run { radio in
            let manager = PeripheralManager(
                backend: radio.peripheral(), configuration: .init(clock: radio.clock, acceptsJustWorks: true))
            try await manager.whenPoweredOn(timeout: .seconds(5))
            let device = TwinPeripheral(Self.twin)
            #expect(device.channels.map(\.psm) == [0x80, 0x81])
            try await device.startAdvertising(on: manager, timeout: .seconds(5))
            async let serving: Void = device.run(
                on: manager, clock: radio.clock, report: { _ in }, replayed: { _, _ in },
                published: { channel, error in published.withLock { if error == nil { $0.append(channel.psm) } } })
            let central = CentralManager(backend: radio.central(), configuration: .init(acceptsJustWorks: true))
            try await central.whenPoweredOn(timeout: .seconds(5))
            let lamp = try await central.firstDiscovery(timeout: .seconds(5)).peripheral
            try await lamp.connect(timeout: .seconds(5))
            let channel = try await lamp.openChannel(psm: 0x80, timeout: .seconds(5))
            #expect(channel.maximumSendLength == 500)
            var units = channel.makeAsyncIterator()
            #expect(try await units.next() == Self.speaker.units[0].value)
            let start = radio.clock.elapsed
            for _ in 0..<2 { try await channel.send([6]) }
            #expect(try await units.next() == Self.speaker.units[1].value)
            #expect(radio.clock.elapsed - start >= .milliseconds(300))
            #expect(try await units.next() == Self.speaker.units[2].value)
            try await channel.send([7])
            #expect(try await units.next() == nil)
            await #expect(throws: ChannelError.refused(.insufficientEncryption)) {
                try await lamp.openChannel(psm: 0x81)
            }
            let echo = try await lamp.openChannel(psm: 0x81, encrypted: true, timeout: .seconds(5))
            var echoes = echo.makeAsyncIterator()
            try await echo.send([8])
            #expect(try await echoes.next() == [8])
            await central.invalidate()
            await manager.invalidate()
            await serving
        }
        #expect(published.withLock { $0.sorted() } == [0x80, 0x81])
    }

    @Test(
        arguments: [
            // The units of the central and the device, and the behaviour of the twin.
            ("C1 D1 C2 D2", .echo, 0), ("C1 C2 D1 D2", .echo, 0), ("C1 D1 D2", .keep, 2), ("D1 C1", .keep, 1),
            ("C1 D2", .keep, 1), ("C1 C2 D1", .keep, 1), ("C1", .keep, 0), ("", .keep, 0),
        ] as [(String, TwinChannel.Behaviour, Int)])
    func `an echo in a capture is an echo in the twin`(
        _ traffic: String, _ behaviour: TwinChannel.Behaviour, _ count: Int
    ) {
        var session = ChannelSession()
        session.open()
        for unit in traffic.split(separator: " ") {
            let value = UInt8(unit.dropFirst()) ?? 0
            if unit.first == "C" {
                session.put(.sent, 0x42, [1, 0, value])
            } else {
                session.put(.received, 0x41, [1, 0, value])
            }
        }
        let channel = session.analysis.twin(of: LampSession.device)?.channels.first
        #expect(channel?.behaviour == behaviour)
        #expect(channel?.units.count == count)
    }

    @Test func `a refusal on an open link and a channel on an encrypted one are a demand`() {
        var session = ChannelSession()
        session.put(.sent, 5, "14 01 0A00 8000 4100 6400 1E00 0300")
        session.put(.received, 5, "15 01 0A00 0000 0000 0000 0000 0500")
        let refused = session.analysis.twin(of: LampSession.device)?.channels
        #expect(
            refused == [TwinChannel(psm: 0x80, refusal: .insufficientAuthentication)])
        session.event("08 04 00 4000 01")
        session.open()
        let demands = session.analysis.twin(of: LampSession.device)?.channels
        #expect(demands == [TwinChannel(psm: 0x80, isEncrypted: true, maximumReceiveLength: 64)])
    }

    @Test func `a twin with channels comes back from its JSON, which has version 3`() throws {
        #expect(Self.twin.json.contains(#""version" : 3"#))
        #expect(try Twin(json: Self.twin.json.utf8) == Self.twin)
        let least = #"{"schema": "bluecap-twin", "version": 3, "channels": [{"psm": 128}]}"#
        #expect(try Twin(json: least.utf8) == Twin(channels: [TwinChannel()]))
    }

    @Test(arguments: [
        (#"{"psm": 0}"#, "[0].psm", "1 to 255"), (#"{"psm": 256}"#, "[0].psm", "1 to 255"),
        ("{}", "[0].psm", "missing"),
        (#"{"psm": 128}, {"psm": 128}"#, "[1].psm", "another channel has the PSM 128, too"),
        (#"{"psm": 128, "mtu": 9}"#, "[0]", "mtu"),
        (#"{"psm": 128, "behaviour": "eat"}"#, "[0].behaviour", "'eat' is neither"),
        (#"{"psm": 128, "refusal": 0}"#, "[0].refusal", "1 to 65535"),
        (#"{"psm": 128, "maximumReceiveLength": 22}"#, "[0].maximumReceiveLength", "23 to 65535"),
        (#"{"psm": 128, "closesAfter": -1}"#, "[0].closesAfter", "0 to"),
        (#"{"psm": 128, "units": [{}]}"#, "[0].units[0].value", "missing"),
        (#"{"psm": 128, "units": [{"value": ""}]}"#, "[0].units[0].value", "empty"),
        (#"{"psm": 128, "units": [{"value": "00", "received": -1}]}"#, "[0].units[0].received", "0 to"),
        (#"{"psm": 128, "units": [{"value": "00", "before": 1}]}"#, "[0].units[0]", "before"),
    ])
    func `a mistake in channels is refused with its place`(_ channels: String, _ path: String, _ reason: String) {
        let json = #"{"schema": "bluecap-twin", "version": 3, "channels": [\#(channels)]}"#
        let error = #expect(throws: TwinError.self) { try Twin(json: json.utf8) }
        #expect(error?.description.hasPrefix("channels" + path) == true, "\(String(describing: error))")
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func `a key that stands twice is refused`() {
        let json = #"{"schema": "bluecap-twin", "version": 3, "channels": [{"psm": 128, "psm": 129}]}"#
        let error = #expect(throws: TwinError.self) { try Twin(json: json.utf8) }
        #expect(error?.description.contains("'psm' stands in line 1 already") == true)
    }

    @Test func `channels in an older version are refused`() {
        let json = #"{"schema": "bluecap-twin", "version": 2, "channels": [{"psm": 128}]}"#
        let error = #expect(throws: TwinError.self) { try Twin(json: json.utf8) }
        #expect(error?.description.contains(#"write "version": 3"#) == true)
    }

    @Test func `a twin that a program made is cut to what can be read again`() throws {
        var channel = TwinChannel(psm: 7, units: [TwinUnit(value: []), TwinUnit(value: [1])], closesAfter: -5)
        channel.maximumReceiveLength = 0
        channel.units.append(TwinUnit(after: .seconds(-1), value: Bytes(Array(repeating: 1, count: 65_536))))
        channel.units[1].received = -4
        let twin = Twin(channels: [
            channel, channel, TwinChannel(psm: 0), TwinChannel(psm: 8, refusal: .init(rawValue: 0)),
        ])
        let cut = twin.withinLimits()
        #expect(
            cut.channels == [
                TwinChannel(psm: 7, maximumReceiveLength: 23, units: [TwinUnit(value: [1])], closesAfter: 0)
            ])
        #expect(try Twin(json: cut.json.utf8) == cut)
        #expect(twin.lost(in: cut) == "3 channels")
    }
}
