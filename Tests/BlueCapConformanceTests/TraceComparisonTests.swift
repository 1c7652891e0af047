// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import Testing
@testable import BlueCapTraceReplay

/// A replay accepts differences that bluetoothd leaves to chance, and no others.
@Suite("A replay is compared with its trace")
struct TraceComparisonTests {
    /// The messages in the replay of a trace.
    private struct Replay {
        private let trace: Trace
        private let recorded: [Trace.Message]
        private var coming: [Trace.Message]

        init(_ name: String, version: String = "5.87") throws {
            trace = try Trace(name: name, folder: TraceReplayTests.folder(version))
            recorded = trace.lines.compactMap { line in
                switch line {
                case .reply(let message), .signal(let message): message
                default: nil
                }
            }
            coming = recorded
        }

        func compare(isEnding: Bool = false) throws {
            var comparison = TraceComparison(trace)
            if isEnding { comparison.endDaemon() }
            for message in recorded { try comparison.expect(message) }
            for message in coming { try comparison.observe(message) }
            if let fault = comparison.missing ?? comparison.surplus { throw ReplayError(fault) }
        }

        private func index(of text: String) throws -> Int {
            try #require(coming.firstIndex { "\($0.name) \($0.body.canonical)".contains(text) })
        }

        /// Moves the first message that has the one text to right before the first that has the other, or behind it.
        mutating func move(_ text: String, before other: String) throws {
            let message = coming.remove(at: try index(of: text))
            coming.insert(message, at: try index(of: other))
        }

        mutating func move(_ text: String, behind other: String) throws {
            let message = coming.remove(at: try index(of: text))
            coming.insert(message, at: try index(of: other) + 1)
        }

        /// Lets the first message that has the one text come once more, right behind the last that has the other.
        mutating func add(_ text: String, behind other: String) throws {
            let place = try #require(coming.lastIndex { "\($0.name) \($0.body.canonical)".contains(other) })
            coming.insert(coming[try index(of: text)], at: place + 1)
        }

        /// Makes two messages of the first that has the text, which tells of two properties.
        mutating func split(_ text: String) throws {
            let place = try index(of: text)
            let message = coming.remove(at: place)
            let list = try #require(message.body.list)
            guard case .object(let properties) = list[1] else { throw ReplayError("no properties") }
            for (name, value) in properties.sorted(by: { $0.key > $1.key }) {
                var part = message
                part.body = .list([list[0], .object([name: value]), list[2]])
                coming.insert(part, at: place)
            }
        }

        /// Leaves the first message out that has the text.
        mutating func leaveOut(_ text: String) throws { coming.remove(at: try index(of: text)) }
    }

    @Test func `a device may be heard once more while bluetoothd ends, and at no other time`() throws {
        let came = #"InterfacesAdded ["/org/bluez/hci0/dev_C0"#
        let went = #"InterfacesRemoved ["/org/bluez/hci0/dev_C0"#
        var replay = try Replay("daemon-restarted-while-scanning", version: "5.66")
        try replay.compare()
        try replay.add(came, behind: went)
        try replay.compare(isEnding: true)
        #expect(throws: ReplayError.self) { try replay.compare() }
        try replay.add(went, behind: came)
        try replay.compare(isEnding: true)
        try replay.add(came, behind: went)
        #expect(throws: ReplayError.self) { try replay.compare(isEnding: true) }
    }

    private let level = #"{"org.bluez.Battery1":{"#
    private let resolved = #""ServicesResolved":{"b":true}"#

    @Test func `a battery's level may come before the services are resolved`() throws {
        var replay = try Replay("battery")
        try replay.compare()
        try replay.move(level, before: resolved)
        try replay.compare()
    }

    @Test func `a battery's level must not change before it has come`() throws {
        var replay = try Replay("battery")
        try replay.move(level, behind: #"["org.bluez.Battery1","#)
        #expect(throws: ReplayError.self) { try replay.compare() }
    }

    @Test func `services must not be resolved before the link is up`() throws {
        var replay = try Replay("battery")
        try replay.move(resolved, before: connected)
        #expect(throws: ReplayError.self) { try replay.compare() }
    }

    private let bonded = #"["org.bluez.Device1",{"Bonded""#
    private let paired = "return org.bluez.Device1.Pair []"

    @Test func `with a link that Pair makes, the services may be resolved before the bond is told`() throws {
        var replay = try Replay("pair-explicitly")
        try replay.compare()
        try replay.move(resolved, before: bonded)
        try replay.compare()
    }

    @Test(arguments: 0..<3)
    func `the bond must not be told after Pair is answered, nor before the link, nor never`(_ kind: Int) throws {
        var replay = try Replay("pair-explicitly")
        switch kind {
        case 0: try replay.move(bonded, behind: paired)
        case 1: try replay.move(bonded, before: connected)
        default: try replay.leaveOut(bonded)
        }
        #expect(throws: ReplayError.self) { try replay.compare() }
    }

    @Test func `on a link that stands, Pair may be answered before the bond is told, but not before Paired`() throws {
        var replay = try Replay("pair-by-typing", version: "5.66")
        try replay.compare()
        try replay.split(bonded)
        try replay.move(bonded, behind: paired)
        try replay.compare()
        try replay.move(#"["org.bluez.Device1",{"Paired""#, behind: paired)
        #expect(throws: ReplayError.self) { try replay.compare() }
    }

    @Test func `services must not be resolved after Pair is answered`() throws {
        var replay = try Replay("pair-explicitly")
        try replay.move(resolved, behind: paired)
        #expect(throws: ReplayError.self) { try replay.compare() }
    }

    private let connected = #"["org.bluez.Device1",{"Connected""#

    @Test func `a link need not be told of before Connect is answered, but Connect has to be`() throws {
        var replay = try Replay("battery")
        try replay.leaveOut(connected)
        try replay.compare()
        try replay.leaveOut("return org.bluez.Device1.Connect")
        #expect(throws: ReplayError.self) { try replay.compare() }
    }

    private let read = "org.bluez.GattCharacteristic1.ReadValue"

    @Test(arguments: ["5.66", "5.82", "5.87"])
    func `a read need not be answered when the adapter is pulled out`(_ version: String) throws {
        var replay = try Replay("adapter-removed-during-read", version: version)
        try replay.compare()
        try replay.leaveOut(read)
        try replay.compare()
    }

    @Test(arguments: ["disconnect-during-read", "vanish-during-read"])
    func `a read has to be answered when the link ends`(_ name: String) throws {
        var replay = try Replay(name)
        try replay.leaveOut(read)
        #expect(throws: ReplayError.self) { try replay.compare() }
    }
}
#endif
