// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime
import BlueCapTerminal
import Foundation
import Testing

@testable import BlueCapCommand

/// A shell's whole screen, without a terminal, in simulated time.
@Suite(.timeLimit(.minutes(60)))
struct ShellScreenTests {
    /// A shell on an emulated terminal.
    private struct Desk: Sendable {
        let radio: VirtualRadio
        let inputs: ShellInputs
        let terminal: Locked<EmulatedTerminal>
        let isOver = Locked(false)

        var lines: [String] { terminal.withLock { $0.lines } }

        /// Types keys, and lets their effects happen.
        func type(_ keys: String, wait: Duration = .milliseconds(1200)) async throws {
            var decoder = KeyDecoder()
            for key in decoder.decode(keys.utf8) + decoder.timeOut() { inputs.push(.key(key)) }
            try await radio.clock.sleep(for: wait)
        }

        func resize(_ columns: Int, _ rows: Int) async throws {
            terminal.withLock { $0.resize(TerminalSize(columns: columns, rows: rows)) }
            inputs.push(.resized)
            try await radio.clock.sleep(for: .milliseconds(100))
        }

        func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
    }

    private func withDesk(
        device: String? = nil, add devices: [VirtualPeripheral] = [], pairing: VirtualPairing = .justWorks,
        size: TerminalSize = TerminalSize(columns: 80, rows: 24), hasColors: Bool = false,
        _ body: @escaping @Sendable (Desk) async throws -> Void
    ) async throws {
        try await inTown { radio, central in
            for device in devices {
                radio.add(device)
                device.changePairing(to: pairing)
            }
            let desk = Desk(radio: radio, inputs: ShellInputs(), terminal: Locked(EmulatedTerminal(size)))
            let model = ShellModel(
                central: central, timeout: .seconds(10), clock: radio.clock, sink: { _, _ in desk.inputs.pushChange() })
            let display = ShellScreenSession.Display(
                size: { desk.terminal.withLock { $0.size } },
                write: { text in desk.terminal.withLock { $0.take(text) } }, hasColors: hasColors)
            let session = ShellScreenSession(
                model: model, inputs: desk.inputs, display: display, clock: radio.clock, executor: central.executor)
            try await ShellSession.run(model) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await session.run(device: device)
                        desk.isOver.withLock { $0 = true }
                    }
                    try await radio.clock.sleep(for: .milliseconds(1200))
                    try await body(desk)
                    group.cancelAll()
                }
            }
            let unknown = desk.terminal.withLock { $0.unknown }
            #expect(unknown.isEmpty)
        }
    }

    private static let lock: @Sendable () -> VirtualPeripheral = {
        VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") { VirtualCharacteristic("FFF1", properties: [.read, .write], value: [1]) }
        }
    }

    @Test func `the devices in sight are a list of which one is chosen`() async throws {
        try await withDesk { desk in
            try await desk.type("\u{1B}[B")
            let lines = desk.lines
            #expect(lines[0] == " bluecap                                                    5 devices, scanning")
            #expect(lines[1] == "  NAME                   ID                 STATE   SIGNAL        SEEN  SERVICES")
            #expect(lines[2].hasPrefix("  Heart Strap            C0:DE:00:00:00:02  found   ▁▂"))
            #expect(lines[3].hasPrefix("> SensorTag              C0:DE:00:00:00:01  found   ▁▂"))
            #expect(lines[3].hasSuffix("     now  TI Acce…"))
            // A sign that is two columns wide moves nothing behind it.
            #expect(lines[5].hasPrefix("  Visitor's Bracelet ⌚  C0:DE:00:00:00:04  found   ▁▂"))
            #expect(lines[7...22].dropLast().allSatisfy(\.isEmpty) && lines[22] == " scanning")
            #expect(lines[23] == " ↑↓ choose · enter connect · s scan/stop · / search · l log · ? help · q quit")
        }
    }

    /// The strap's tree, of which one value was read.
    static let heartStrap = [
        " bluecap › Heart Strap                                                connected",
        " Heart Rate  180D",
        "    Heart Rate Measurement        notify",
        ">   Body Sensor Location          read               Chest",
        "    Heart Rate Control Point      write",
        " Battery  180F",
        "    Battery Level                 read notify",
        " Device Information  180A",
        "    Manufacturer Name String      read",
        "    Model Number String           read",
    ]

    @Test func `descriptors are read and written with keys, and the signal is measured`() async throws {
        try await withDesk(device: "Lamp", add: [ShellDescriptorTests.lamp()]) { desk in
            try await desk.type("\rx")
            #expect(desk.lines[3] == " Characteristic User Description: Light", "\(desk.lines)")
            #expect(desk.lines[4] == " ABCD: 0f" && desk.lines[22] == " read ABCD of FFF1: 0f", "\(desk.lines)")
            try await desk.type("e\t\"Lamp\"")
            #expect(desk.lines[22].hasPrefix(#" write descriptor: 2901 "Lamp""#), "\(desk.lines[22])")
            try await desk.type("\r")
            #expect(desk.lines[3] == " Characteristic User Description: Lamp", "\(desk.lines)")
            try await desk.type("e2901\r")
            #expect(desk.lines[22].hasPrefix(" write a descriptor and a value"), "\(desk.lines[22])")
            try await desk.type("i")
            #expect(desk.lines[22].hasPrefix(" signal ▁"), "\(desk.lines[22])")
            #expect(desk.lines[0].wholeMatch(of: /.* connected, -\d+ dBm/) != nil, "\(desk.lines[0])")
        }
    }

    @Test func `a device that is connected to is a tree, with the values that are read`() async throws {
        try await withDesk(device: "Heart Strap") { desk in
            try await desk.type("\u{1B}[B")
            try await desk.type("r")
            let blank = [String](repeating: "", count: 12)
            #expect(
                desk.lines == Self.heartStrap + blank + [
                    " read Body Sensor Location: Chest  01",
                    " ↵ open · r read · w write · s subscribe · p pair · / search · ? help · q back",
                ])
        }
    }

    @Test func `notified values are a history below their curve, until they are unsubscribed`() async throws {
        try await withDesk(device: "Heart Strap") { desk in
            try await desk.type("jjj\r")
            #expect(desk.lines[2] == " 2A19  handle 0xb  read notify  not subscribed" && desk.shows(" no value so far"))
            try await desk.type("s", wait: .milliseconds(4600))
            var lines = desk.lines
            #expect(lines[0] == " bluecap › Heart Strap › Battery Level                                connected")
            #expect(lines[1] == " Battery › Battery Level")
            #expect(lines[2] == " 2A19  handle 0xb  read notify  subscribed")
            let level = try #require(lines[4].firstMatch(of: /^ (\d+) %$/)?.1)
            #expect(lines[7].hasPrefix(" Battery Level  \(level) %  ("))
            #expect(
                lines[8...12].allSatisfy { line in
                    line.dropFirst().allSatisfy { ("\u{2800}"..."\u{28FF}").contains($0) }
                })
            #expect(lines[14] == "      TIME  HOW       VALUE")
            let history = lines[15...20].prefix { !$0.isEmpty }
            #expect((4...5).contains(history.count))
            #expect(history.allSatisfy { $0.wholeMatch(of: /\s+\d+\.\d{3}  notified  \d+ %  [0-9a-f]{2}/) != nil })
            try await desk.type("s", wait: .seconds(3))
            lines = desk.lines
            #expect(lines[22] == " unsubscribed from Battery Level" && lines[2].hasSuffix("  not subscribed"))
        }
    }

    @Test func `a value is written by the choices of its profile, and a refusal is shown`() async throws {
        try await withDesk(device: "Heart Strap") { desk in
            try await desk.type("jjw")
            #expect(desk.lines[22] == " write Heart Rate Control Point:")
            #expect(desk.lines[23].hasPrefix(" tab Reset Energy Expended · hex digits · "))
            try await desk.type("\t")
            #expect(desk.lines[22] == " write Heart Rate Control Point: Reset Energy Expended")
            try await desk.type("\r")
            #expect(desk.lines[22] == " wrote Heart Rate Control Point: Reset Energy Expended  01")
            try await desk.type("w02\r")
            #expect(desk.lines[22].contains("0x80"), "\(desk.lines[22])")
            try await desk.type("w02\u{1B}")
            #expect(!desk.shows("write Heart Rate Control Point:"))
        }
    }

    @Test func `text in quotes is written as text`() async throws {
        try await withDesk(device: "Lock", add: [Self.lock()]) { desk in
            try await desk.type("w\"Hallo Welt\"\r")
            #expect(desk.lines[22] == " wrote FFF1: Hallo Welt  48616c6c6f2057656c74")
        }
    }

    @Test func `devices, characteristics and the log are searched`() async throws {
        try await withDesk { desk in
            try await desk.type("/BATT")
            #expect(desk.lines[2].hasPrefix("> Heart Strap") && desk.lines[3].hasPrefix("  Dog Collar"))
            #expect(desk.lines[4].isEmpty && desk.lines[22] == " search: BATT")
            try await desk.type("\r\r", wait: .seconds(2))
            #expect(desk.lines[0].hasPrefix(" bluecap › Heart Strap"))
            try await desk.type("/level\rr")
            #expect(
                desk.lines[1] == " Battery  180F" && desk.lines[2].hasPrefix(">   Battery Level")
                    && desk.lines[3].isEmpty)
            try await desk.type("l/no such thing")
            #expect(desk.lines[1] == "  nothing so far")
            try await desk.type("\u{1B}")
            #expect(desk.lines[1].hasSuffix("  scanning"))
        }
    }

    @Test func `esc clears a search before it leads back`() async throws {
        try await withDesk(device: "Heart Strap") { desk in
            try await desk.type("/level\r")
            #expect(desk.lines[1] == " Battery  180F")
            try await desk.type("\u{1B}")
            #expect(desk.lines[1] == " Heart Rate  180D", "\(desk.lines)")
            try await desk.type("\u{1B}")
            #expect(desk.lines[1].hasPrefix("  NAME "))
        }
    }

    @Test func `what cannot be written is refused before a value is asked for`() async throws {
        try await withDesk(device: "Heart Strap") { desk in
            try await desk.type("/level\rw")
            #expect(desk.lines[22] == " Battery Level cannot be written", "\(desk.lines)")
        }
    }

    @Test func `one key leads on from the beginning of a log that fills more than a screen`() async throws {
        try await withDesk(device: "Heart Strap") { desk in
            try await desk.type("j")
            for _ in 0..<30 { try await desk.type("r", wait: .milliseconds(200)) }
            try await desk.type("lg")
            let beginning = desk.lines[1...3]
            try await desk.type("j")
            #expect(Array(desk.lines[1...2]) == Array(beginning.suffix(2)))
        }
    }

    @Test func `the keys are explained on one screen`() async throws {
        try await withDesk { desk in
            try await desk.type("?")
            let lines = desk.lines
            #expect(lines[0] == " bluecap › help")
            #expect(
                lines[1...21].map { $0.isEmpty ? "" : String($0.dropFirst()) } == ShellView.help
                    + [String](repeating: "", count: 21 - ShellView.help.count))
            try await desk.type("q")
            #expect(desk.lines[0].hasPrefix(" bluecap  "))
        }
    }

    @Test func `another size is drawn at once, and one that is too small says what is needed`() async throws {
        try await withDesk(device: "Heart Strap") { desk in
            try await desk.resize(120, 40)
            #expect(desk.lines[0].count == 119 && desk.lines[0].hasSuffix("connected"))
            #expect(desk.lines[39].hasSuffix("q back"))
            try await desk.resize(79, 24)
            #expect(desk.lines.prefix(3) == ["79 x 24 is too small:", "bluecap shell needs", "80 x 24."])
            try await desk.type("rw")
            try await desk.resize(80, 24)
            #expect(desk.lines[22].hasPrefix(" connected to Heart Strap"))
            try await desk.resize(1, 1)
            #expect(desk.lines == ["1"])
            try await desk.type("q")
            #expect(desk.isOver.withLock { $0 })
        }
    }

    @Test(arguments: [true, false])
    func `colours are used where they are allowed, and attributes anyway`(hasColors: Bool) async throws {
        try await withDesk(device: "Heart Strap", hasColors: hasColors) { desk in
            try await desk.type("s", wait: .seconds(3))
            try await desk.type("\r")
            let styles = desk.terminal.withLock { $0.styles }
            #expect(styles.isSuperset(of: [1, 2, 7]))
            #expect(styles.contains { (30...37).contains($0) } == hasColors)
        }
    }

    @Test func `nothing of a device is obeyed by the terminal`() async throws {
        let hostile = VirtualPeripheral(name: "日本\u{1B}[2J\u{202E}\r\n👨‍👩‍👧", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") { VirtualCharacteristic("FFF1", value: Bytes("a\u{1B}]0;b\u{7}".utf8)) }
        }
        try await withDesk(add: [hostile]) { desk in
            let row = try #require(desk.lines.first { $0.contains("日本") })
            #expect(row.contains("日本\u{FFFD}[2J\u{FFFD}") && row.contains("C0:DE:00:00:00:20"))
            let column = try #require(desk.lines[1].range(of: "ID").map { desk.lines[1][..<$0.lowerBound].count })
            let before = try #require(row.range(of: "C0:DE").map { row[..<$0.lowerBound] })
            #expect(CellText(String(before)).width == column)
            try await desk.type("/20\r\r", wait: .seconds(2))
            try await desk.type("r\r")
            #expect(desk.shows(" 611b5d303b6207") && desk.lines.allSatisfy { !$0.contains("\u{1B}") })
        }
    }

    @Test func `digits that both show are agreed to with keys`() async throws {
        try await withDesk(device: "Lock", add: [Self.lock()], pairing: .comparing) { desk in
            try await desk.type("p")
            #expect(
                desk.lines[22].wholeMatch(of: /\ does C0:DE:00:00:00:20 show \d{6}, too\? \(yes or no\)/) != nil,
                "\(desk.lines[22])")
            #expect(desk.lines[23] == " enter answer · esc refuse")
            try await desk.type("maybe\r")
            #expect(desk.lines[22].hasSuffix("(yes or no)"))
            try await desk.type("yes\r")
            #expect(desk.lines[22] == " paired" && desk.lines[0].hasSuffix(" connected, paired"))
        }
    }

    @Test func `escape refuses to pair`() async throws {
        try await withDesk(device: "Lock", add: [Self.lock()], pairing: .comparing) { desk in
            try await desk.type("p")
            try await desk.type("\u{1B}")
            #expect(!desk.lines[0].hasSuffix("paired") && !desk.lines[22].contains("yes or no"))
            try await desk.type("l")
            #expect(desk.shows("  refused"))
        }
    }

    @Test func `a lost link is shown, and the values stay`() async throws {
        let lock = Self.lock()
        try await withDesk(device: "Lock", add: [lock]) { desk in
            try await desk.type("r\r")
            lock.disconnect()
            try await desk.radio.clock.sleep(for: .seconds(10))
            #expect(desk.lines[0] == " bluecap › Lock › FFF1                                            not connected")
            #expect(desk.lines[22].hasPrefix(" link lost: ") && desk.lines[4] == " 01")
            try await desk.type("r")
            #expect(desk.lines[22].hasPrefix(" no device is connected: "))
        }
    }

    @Test func `Ctrl-C interrupts what runs, and q ends the shell from the first page alone`() async throws {
        try await withDesk { desk in
            desk.radio.peripherals.first { $0.name == "Heart Strap" }?.vanish()
            try await desk.type("\r")
            #expect(desk.lines[22].hasSuffix(" … (Ctrl-C interrupts)"))
            try await desk.type("s\r")
            #expect(desk.lines[22].contains(" comes first; Ctrl-C interrupts it"), "\(desk.lines[22])")
            try await desk.type("\u{3}")
            #expect(desk.lines[22] == " interrupted")
            try await desk.type("lq")
            #expect(!desk.isOver.withLock { $0 })
            try await desk.type("q")
            #expect(desk.isOver.withLock { $0 })
        }
    }

    @Test func `a scan is stopped and begun again`() async throws {
        try await withDesk { desk in
            try await desk.type("s", wait: .seconds(5))
            #expect(
                desk.lines[0].hasSuffix(" 5 devices") && desk.lines[2].contains("   5 s  ")
                    || desk.lines[2].contains("   4 s  "))
            try await desk.type("s")
            #expect(desk.lines[0].hasSuffix(", scanning") && desk.lines[2].contains("   now  "))
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `any keys and sizes at all are survived, and the shell still draws and ends`(seed: UInt64) async throws {
        let keys = [
            "\u{1B}[A", "\u{1B}[B", "\r", "\u{1B}", "q", "r", "w", "s", "p", "d", "/", "l", "?", "\t", "a", "0", "yes",
            "\u{7F}", "G", "g",
            " ", "\u{1B}[5~", "\u{1B}[6~", "\u{3}", "\u{C}", "\u{1A}", "日", "\u{1B}[C", "\u{1B}[D",
        ]
        try await withDesk(add: [Self.lock()], pairing: .comparing) { desk in
            var chance = SeededGenerator(seed: seed)
            for _ in 0..<250 where !desk.isOver.withLock({ $0 }) {
                if Int.random(in: 0..<12, using: &chance) == 0 {
                    try await desk.resize(.random(in: 1...130, using: &chance), .random(in: 1...50, using: &chance))
                }
                // It would end too soon, too often.
                let key = keys.randomElement(using: &chance) ?? ""
                if key == "q", Int.random(in: 0..<10, using: &chance) > 0 { continue }
                try await desk.type(key, wait: .milliseconds(Int.random(in: 0...400, using: &chance)))
            }
            try await desk.resize(80, 24)
            for _ in 0..<8 where !desk.isOver.withLock({ $0 }) {
                for key in ["\u{1B}", "\u{3}"] { try await desk.type(key) }
                try await desk.type("q", wait: .seconds(12))
            }
            #expect(desk.isOver.withLock { $0 }, "\(desk.lines)")
        }
    }
}
