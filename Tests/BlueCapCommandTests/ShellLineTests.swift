// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime
import BlueCapTerminal
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ShellLineTests {
    private func state(connected: String? = "Heart Strap") async throws -> ShellState {
        try await ShellLineTests.state(connected)
    }

    private static func state(_ device: String?) async throws -> ShellState {
        let result = Locked(ShellState())
        try await inTown { radio, central in
            let model = ShellModel(central: central, timeout: .seconds(10), clock: radio.clock, sink: { _, _ in })
            try await ShellSession.run(model) {
                try await model.perform(.scan(.seconds(3)))
                if let device { try await model.perform(.connect(device)) }
                result.withLock { $0 = model.state }
            }
        }
        return result.withLock { $0 }
    }

    @Test func `a device in the list is connected, and known once it was`() async throws {
        var state = try await state()
        #expect(state.deviceLines(matching: "heart")[0].contains("  Heart Strap  (connected)  Heart Rate"))
        #expect(state.deviceLines(matching: "collar")[0].contains("  Dog Collar  (paired)  "))
        #expect(state.deviceLines(matching: "sensor")[0].contains("  SensorTag  TI Accelerometer"))
        state.apply(ShellEvent(time: .zero, kind: .disconnected(reason: nil)))
        #expect(state.deviceLines(matching: "heart")[0].contains("  Heart Strap  (known)  Heart Rate"))
    }

    @Test(arguments: [
        ("", []), ("a b", ["a", "b"]), ("  a\tb ", ["a", "b"]),
        (#"read "Battery Level" 2A38"#, ["read", "Battery Level", "2A38"]),
        (#"say 'it is "so"'"#, ["say", #"it is "so""#]), (#"a"b c"d"#, ["ab cd"]),
        (#"write x """#, ["write", "x", ""]),
    ])
    func `a line is cut into words, which quotes hold together`(line: String, words: [String]) {
        #expect(ShellWord.words(line).map(\.text) == words)
    }

    @Test(arguments: ["Heart Strap", "it's", #"say "so""#, "plain", ""])
    func `a quoted text is one word again`(text: String) {
        #expect(ShellWord.words(ShellWord.quoted(text)).map(\.text) == [text])
    }

    @Test(arguments: [
        "foo", "read", "write 2A39", "write 2A39 01 02", "write a 01 --never", "write a 01 --long --command",
        "scan soon",
        "scan 1 2", "wait", "values", "descriptors", "descriptors a b c d", "descriptors a b c --long", "rssi now",
        "pair it", "help foo", #"read "Battery"#, "d", "s",
    ])
    func `a line that is no command says what can be written`(line: String) {
        let error = #expect(throws: CommandFailure.self) { try ShellLine(line) }
        #expect(error?.status == .usage && error?.message.contains("\n") == false)
    }

    @Test(arguments: [
        ("wait soon", "usage: wait SECONDS"), ("help foo", "there is no command 'foo'"),
        ("s 1", "'s' is the beginning of several commands: scan, subscribe"),
    ])
    func `what is wrong with a line is named`(line: String, reason: String) {
        let error = #expect(throws: CommandFailure.self) { try ShellLine(line) }
        #expect(error?.message.hasPrefix(reason) == true, "\(error as Any)")
    }

    @Test(arguments: ["", "   ", "# a comment"])
    func `an empty line and a comment ask for nothing`(line: String) throws {
        guard case .nothing = try ShellLine(line) else {
            Issue.record("it asks for something")
            return
        }
    }

    @Test(arguments: [("SUB", ShellVerb.subscribe), ("disc", .disconnect), ("exit", .quit), ("?", .help), ("r", .read)])
    func `a beginning or another name of a command is enough`(word: String, verb: ShellVerb) {
        #expect(ShellVerb(word: word) == verb)
    }

    @Test(arguments: [
        ("sc", ["scan"], 0), ("connect d", [#""Dog Collar""#], 8), (#"connect "dog c"#, [#""Dog Collar""#], 8),
        ("connect C0:DE:00:00:00:05", ["C0:DE:00:00:00:05"], 8),
        ("read body", [#""Body Sensor Location""#], 5),
        ("sub ", [#""Heart Rate Measurement""#, #""Battery Level""#], 4),
        ("write ", [#""Heart Rate Control Point""#], 6),
        (#"write "Heart Rate Control Point" r"#, [#""Reset Energy Expended""#], 33), ("devices x", [], 8),
    ])
    func `commands, devices, characteristics and values are completed`(
        text: String, candidates: [String], start: Int
    ) async throws {
        let completion = ShellCompletion(state: try await state()).complete(text)
        #expect(completion.candidates == candidates)
        #expect(completion.start == start)
    }

    @Test func `the help of no command is wider than 80 columns`() {
        for line in ShellVerb.list + ShellVerb.allCases.flatMap(\.page) {
            #expect(TextLayout.width(of: line) <= 80, "\(line)")
        }
    }
}
