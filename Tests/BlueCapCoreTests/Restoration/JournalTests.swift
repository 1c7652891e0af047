// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// Numbers by which a test can be run again.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

@Suite("Journals")
struct JournalTests {
    static let central = CentralRestoration(
        peripherals: [
            .init(
                id: .one, name: "Peer", isConnected: true,
                reconnectPolicy: ReconnectPolicy(
                    maximumTimeouts: nil, backoff: .exponential(initial: .milliseconds(1), maximum: .seconds(60)),
                    maximumAbsence: .seconds(3600)),
                attemptTimeout: .seconds(10),
                subscriptions: [
                    .init(service: Battery().service, characteristic: Battery().level, transport: .socket),
                    .init(
                        service: DiscoveredService(id: AttributeID(handle: 0x30), uuid: "180A", isPrimary: false),
                        characteristic: DiscoveredCharacteristic(
                            id: AttributeID(handle: 0x32), uuid: "2A29", properties: [.notify]),
                        includingService: Battery().service),
                ]),
            .init(id: .two, isConnected: false),
        ],
        scans: [.init(services: ["180F"], options: ScanOptions(minimumRSSI: -70, namePrefix: "P"))])

    static let peripheral = PeripheralRestoration(
        services: [
            .init(uuid: "180F", handle: 0x40),
            .init(
                uuid: "B1EC0000-5EED-4000-B000-00805F9B34FB", includedServices: [0],
                characteristics: [
                    .init(
                        uuid: "2A19", properties: [.read, .notify], permissions: .readable, usesWriteSocket: true,
                        value: [1, 2], descriptors: [.init(uuid: "2901", permissions: .readable, value: [3])])
                ]),
        ],
        mainAdvertisement: Advertisement(
            localName: "Peer", serviceUUIDs: ["180F"], serviceData: ["180F": [1], "180A": [2]],
            manufacturerData: [0x4C: [3]], appearance: 5, txPower: -3, isDiscoverable: false,
            structures: [ADStructure(type: 0x21, data: [9])], interval: .milliseconds(20) ... .milliseconds(30),
            duration: .seconds(2)),
        advertisements: [Advertisement(kind: .broadcast, secondaryPHY: .coded)])

    static func journal() throws -> Bytes {
        try #require(JournalFormat.encode(central, .central, identifier: "app"))
    }

    static func failure(_ journal: Bytes, _ role: JournalFormat.Role = .central, identifier: String = "app")
        -> RestorationFailure.Kind?
    {
        do throws(JournalFailure) {
            _ = try JournalFormat.decode(CentralRestoration.self, role, identifier: identifier, from: journal)
            return nil
        } catch {
            return error.kind
        }
    }

    /// A journal that cannot be read at the moment, and that records the calls to it.
    private final class BusyJournal: RestorationJournal, RestorationStore {
        let location = "busy"
        let asked = Locked<[String]>([])

        func open(_ name: String) throws(RestorationFailure) -> any RestorationJournal { self }
        func read() throws(RestorationFailure) -> Bytes? {
            throw RestorationFailure(.inaccessible(24), location: location)
        }
        func write(_ contents: Bytes, failed: @escaping @Sendable (RestorationFailure) -> Void) {
            asked.withLock { $0.append("write") }
        }
        func setAside() -> String? {
            asked.withLock { $0.append("set aside") }
            return nil
        }
        func close() { asked.withLock { $0.append("close") } }
    }

    @Test func `a journal that cannot be read at the moment stays as it is, and none is kept`() async throws {
        let journal = BusyJournal()
        try await World.run(restoring: journal) { world in
            let failure = RestorationFailure(.inaccessible(24), location: "busy")
            await #expect(throws: CentralManagerError.restoreFailed(failure)) {
                _ = try await world.central.restoredState()
            }
            _ = try await world.connect()
        }
        #expect(journal.asked.withLock { $0 } == ["close"])
    }

    @Test func `what is written is read again, in both roles`() throws {
        let journal = try Self.journal()
        #expect(
            try JournalFormat.decode(CentralRestoration.self, .central, identifier: "app", from: journal)
                == Self.central)
        let other = try #require(JournalFormat.encode(Self.peripheral, .peripheral, identifier: "app"))
        #expect(
            try JournalFormat.decode(PeripheralRestoration.self, .peripheral, identifier: "app", from: other)
                == Self.peripheral)
    }

    @Test func `equal contents give equal bytes, however their dictionaries are ordered`() throws {
        var other = Self.peripheral
        other.mainAdvertisement?.serviceData = ["180A": [2], "180F": [1]]
        #expect(
            JournalFormat.encode(other, .peripheral, identifier: "app")
                == JournalFormat.encode(Self.peripheral, .peripheral, identifier: "app"))
    }

    @Test func `a journal that is cut, or has a bit changed, or more behind it, is refused`() throws {
        let journal = Array(try Self.journal())
        for count in 0..<journal.count { #expect(Self.failure(Bytes(journal[..<count])) != nil) }
        for index in journal.indices {
            for bit in 0..<8 {
                var changed = journal
                changed[index] ^= 1 << bit
                #expect(Self.failure(Bytes(changed)) != nil, "bit \(bit) of byte \(index)")
            }
        }
        #expect(Self.failure(Bytes(journal + [0])) == .corrupt)
    }

    @Test func `whatever stands behind a right checksum is read or refused, and never traps`() async throws {
        let seed = UInt64.random(in: .min ... .max)
        // In a process of its own: a trap would say nothing of the seed.
        let exit = await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
            var generator = SeededGenerator(seed: seed)
            var bodies = [JournalEncoder(), JournalEncoder()]
            JournalTests.central.encode(into: &bodies[0])
            JournalTests.peripheral.encode(into: &bodies[1])
            for body in bodies {
                for _ in 0..<5_000 {
                    var bytes = body.bytes
                    for _ in 0..<Int.random(in: 1...4, using: &generator) {
                        let index = Int.random(in: bytes.indices, using: &generator)
                        bytes[index] = .random(in: 0...255, using: &generator)
                    }
                    for version: UInt16 in [1, 2, 3] {
                        var decoder = JournalDecoder(bytes, version: version)
                        _ = try? CentralRestoration(from: &decoder)
                        decoder = JournalDecoder(bytes, version: version)
                        _ = try? PeripheralRestoration(from: &decoder)
                    }
                }
            }
        }
        if exit == nil { Issue.record("the seed is \(seed)") }
    }

    @Test(arguments: [UInt32.max, 1 << 31, 1 << 20])
    func `a count that is more than there is, or than a machine of 32 bits can count, is refused`(count: UInt32) {
        var encoder = JournalEncoder()
        encoder.put(count)
        encoder.put(UInt64.max)
        var decoder = JournalDecoder(encoder.bytes)
        let data = try? decoder.data()
        #expect(data == nil)
        decoder = JournalDecoder(encoder.bytes)
        let text = try? decoder.text()
        #expect(text == nil)
        decoder = JournalDecoder(encoder.bytes)
        let flags = try? decoder.list { decoder throws(JournalFailure) in try decoder.flag() }
        #expect(flags == nil)
    }

    @Test func `a journal of the first format is read, without what that did not have`() throws {
        var body = JournalEncoder()
        body.put("app")
        // One peripheral: its policy ends with the delay, its subscription with the transport.
        body.put(UInt32(1))
        body.put(PeerIdentifier.one.text)
        body.put(false)
        body.put(true)
        body.put(true)
        body.put(Int64(3))
        body.put(false)
        body.put(UInt8(0))
        body.put(Duration.seconds(2))
        body.put(false)
        body.put(UInt32(1))
        let battery = Battery()
        body.put(battery.service)
        body.put(battery.level.id.rawValue)
        body.put(battery.level.uuid)
        body.put(battery.level.properties.rawValue)
        body.put(true)
        body.put(UInt32(0))
        let journal = JournalFormat.frame(body.bytes, .central, version: 1)
        let contents = try JournalFormat.decode(
            CentralRestoration.self, .central, identifier: "app", from: journal)
        let expected = CentralRestoration(peripherals: [
            .init(
                id: .one,
                reconnectPolicy: ReconnectPolicy(
                    maximumTimeouts: 3, maximumDisconnections: nil, backoff: .constant(.seconds(2))),
                subscriptions: [.init(service: battery.service, characteristic: battery.level, transport: .socket)])
        ])
        #expect(contents == expected)
    }

    @Test func `a later format, another role, another identifier and other files are told apart`() throws {
        var later = Array(try Self.journal())
        later[8] = 5
        #expect(Self.failure(Bytes(later)) == .newer(version: 5))
        #expect(Self.failure(try Self.journal(), .peripheral) == .foreign)
        #expect(Self.failure(try Self.journal(), identifier: "other") == .foreign)
        #expect(Self.failure(Bytes(Array("#!/bin/sh\n".utf8))) == .foreign)
        #expect(Self.failure([]) == .foreign)
    }

    @Test func `a journal that would be too long is not written`() {
        let long = CentralRestoration(
            scans: [.init(options: ScanOptions(namePrefix: String(repeating: "x", count: 1 << 20)))])
        #expect(JournalFormat.encode(long, .central, identifier: "app") == nil)
    }

    @Test func `durations that no journal can hold are cut to what it can`() throws {
        for (duration, kept) in [
            (Duration.seconds(Int64.max), Duration.nanoseconds(Int64.max)), (.seconds(-1), .zero),
            (.nanoseconds(7), .nanoseconds(7)),
        ] {
            var encoder = JournalEncoder()
            encoder.put(duration)
            var decoder = JournalDecoder(encoder.bytes)
            #expect(try decoder.duration() == kept)
        }
    }
}
