// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// How the work of an analysis grows with what a capture has. Work is counted in entries that are looked at.
@Suite(.timeLimit(.minutes(60)))
struct GrowthTests {
    /// A device with so many services of ten handles each, an include in each of the one behind it, and in each a
    /// characteristic that was read and notified.
    private static func database(_ count: Int, isBackwards: Bool = false) -> ObservedDatabase {
        var (database, open) = (ObservedDatabase(), ObservedExchanges.Open?.none)
        let numbers = Array(0..<count)
        for number in isBackwards ? numbers.reversed() : numbers {
            let first = UInt16(1 + 10 * number)
            let next = number == count - 1 ? 1 : first + 10
            database.add(.init(range: HandleRange(first: first, last: first + 9), uuid: "180F", isPrimary: true))
            database.add(.init(range: HandleRange(first: next, last: next + 9), uuid: nil), at: first + 1)
            database.add(.init(declaration: first + 2, value: first + 3, uuid: "2A19", properties: [.read, .notify]))
            database.add(type: .clientConfiguration, at: first + 4)
            database.subscribed(with: first + 4, at: Timestamp(sinceEpoch: .zero))
            for value in 0..<3 {
                database.set([UInt8(value)], at: first + 3)
                let time = Timestamp(sinceEpoch: .seconds(value))
                database.notified([UInt8(value)], at: first + 3, time: time, in: &open)
            }
        }
        return database
    }

    @Test(arguments: [(1, false), (10, true), (100, false), (1000, false), (1000, true)])
    func `each service, include and value of a device takes as many steps, however many there are`(
        count: Int, isBackwards: Bool
    ) {
        let database = Self.database(count, isBackwards: isBackwards)
        #expect(database.stepCount == count)
        var builder = TwinBuilder(database: database)
        let services = builder.services()
        #expect(services.count == count)
        // An include, the service before it (the first has none), and itself; the include in it, a characteristic with
        // a descriptor and a subscription, and three notifications.
        #expect(builder.stepCount == 10 * count - 1)
        #expect(services.enumerated().allSatisfy { $1.includes == [($0 + 1) % count] })
        #expect(services.allSatisfy { $0.characteristics.first?.notifications.count == 3 })
    }

    @Test func `services that replace others are looked at once`() {
        var database = Self.database(1000)
        // Each stands where two stood.
        for number in 0..<500 {
            let first = UInt16(6 + 20 * number)
            database.add(.init(range: HandleRange(first: first, last: first + 14), uuid: "180A", isPrimary: true))
        }
        #expect(database.stepCount == 1000 + 500 + 1000)
        #expect(database.services.count == 500)
        #expect(zip(database.services, database.services.dropFirst()).allSatisfy { $0.range.last < $1.range.first })
    }

    /// The steps of a capture with so many devices that advertise, and as many that connect, of which half are kept.
    private static func steps(_ count: Int) -> Int {
        var analysis = CaptureAnalysis(limits: .init(devices: count))
        func address(_ kind: UInt8, _ number: Int) -> [UInt8] {
            [UInt8(number & 0xFF), UInt8(number >> 8), 0, 0, kind, 0xC0]
        }
        for number in 0..<count {
            let report = bytes("3E 0C 02 01 00 01") + address(1, number) + [0, 0xC4]
            analysis.add(CapturedPacket(time: nil, kind: .event, bytes: Bytes(report)))
        }
        for number in 0..<count {
            let event = bytes("3E 13 01 00 4000 00 01") + address(2, number) + bytes("2400 0000 F401 00")
            analysis.add(CapturedPacket(time: nil, kind: .event, bytes: Bytes(event)))
        }
        #expect(analysis.devices.count == count)
        #expect(analysis.devices.allSatisfy { $0.isOwn || $0.connectionCount == 1 })
        return analysis.stepCount
    }

    @Test(arguments: [128, 1024, 4096])
    func `a device that takes the place of another is not sought among all`(count: Int) {
        // Each of them once, and the half of the list once more where its front is cut off, until nothing is left.
        #expect(Self.steps(count) <= 3 * count)
    }

    @Test func `a chain of identities is followed once`() {
        var analysis = CaptureAnalysis()
        let names = (0..<4096).map { PeerIdentifier("C0:DE:00:00:0\($0 / 1000 % 10):\(10 + $0 % 90)/\($0)") }
        for (name, next) in zip(names, names.dropFirst()) { analysis.alias(name, of: next) }
        for _ in 0..<10 { analysis.change(names[0]) { $0.connectionCount += 1 } }
        #expect(analysis.devices.map(\.identifier) == [names[4095]])
        #expect(analysis.devices.first?.connectionCount == 10)
        #expect(analysis.stepCount <= 4096)
    }

    @Test(arguments: [128, 1024])
    func `a device with many values and many earlier names is not gone through for each of them`(count: Int) {
        var analysis = CaptureAnalysis()
        let device = PeerIdentifier("C0:DE:00:00:00:01")
        analysis.change(device) { trace in
            trace.seen(at: Timestamp(sinceEpoch: .seconds(3600)))
            trace.database = Self.database(1000)
        }
        let size = analysis.trace(of: device)?.database.entryCount ?? 0
        for number in 0..<count {
            let name = PeerIdentifier("earlier \(number)")
            analysis.change(name) { trace in
                trace.seen(at: Timestamp(sinceEpoch: .seconds(number)))
                trace.database.set([UInt8(number % 256)], at: 60_000)
            }
            analysis.alias(name, of: device)
        }
        #expect(analysis.devices.map(\.identifier) == [device])
        #expect(size > 5000)
        #expect(analysis.stepCount <= 20 * size + 10 * count)
    }

    @Test func `a value that is read in parts is no longer than an attribute can be`() {
        var (conversation, database) = (ATTConversation(), ObservedDatabase())
        var length = 0
        for _ in 0..<200 {
            let accesses = conversation.fromServer(
                .readBlobResponse(Bytes(repeating: 7, count: 22)),
                answering: .readBlobRequest(3, offset: UInt16(length)), &database, time: nil, isEncrypted: false)
            length = accesses.first?.value.count ?? length
        }
        #expect(length == 512)
    }
}
