// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapTerminal
import Foundation
import Testing

@testable import BlueCapCommand

/// The built `bluecap shell` in a real pseudo-terminal, and with pipes.
@Suite(.timeLimit(.minutes(60)))
struct ShellTerminalTests {
    private static let town = ["shell", "--backend", "virtual"]

    @Test func `devices, tree and values are browsed with keys, and q gives the terminal back`() async throws {
        let terminal = try PseudoTerminal(Self.town)
        var lines = try await terminal.wait("five devices") { $0.lines[0].hasSuffix("5 devices, scanning") }
        #expect(terminal.isRaw && terminal.screen.modes.contains(1049) && !terminal.screen.modes.contains(25))
        #expect(lines[1] == "  NAME                   ID                 STATE   SIGNAL        SEEN  SERVICES")
        terminal.type("/heart\r")
        try await terminal.wait(for: " search: heart")
        terminal.type("\r")
        try await terminal.wait("the device, and nothing that runs") { screen in
            screen.lines[0].hasPrefix(" bluecap › Heart Strap") && !screen.lines[22].hasSuffix("interrupts)")
        }
        terminal.type("\u{1B}[Br")
        lines = try await terminal.wait(for: " read Body Sensor Location: Chest  01")
        #expect(Array(lines[...9]) == ShellScreenTests.heartStrap)
        terminal.type("\u{1B}OA\rs")
        lines = try await terminal.wait("a curve") { screen in
            screen.lines[4].hasPrefix(" heartRate ") && screen.lines.contains { $0.contains("notified") }
        }
        #expect(lines[0].hasPrefix(" bluecap › Heart Strap › Heart Rate Measurement"))
        terminal.type("qqqq")
        #expect(try await terminal.end() == 0)
        #expect(!terminal.isRaw && terminal.screen.modes.isDisjoint(with: [1049, 2004]))
        #expect(terminal.screen.modes.contains(25) && terminal.screen.unknown.isEmpty)
        #expect(terminal.screen.lines == [String](repeating: "", count: 24))
    }

    @Test func `descriptors and the signal are asked for with keys`() async throws {
        let terminal = try PseudoTerminal(Self.town + ["Heart Strap"])
        try await terminal.wait(for: " connected to Heart Strap")
        // Model Number String, the last.
        terminal.type("G\rx")
        try await terminal.wait("the descriptor, and nothing that runs") { screen in
            screen.lines.contains { $0.contains(" Characteristic User Description: Printed inside") }
                && screen.lines[22].hasPrefix(" read Characteristic User Description ")
        }
        terminal.type("e2901 00\r")
        try await terminal.wait("a refusal") { $0.lines[22].contains("not permitted") }
        terminal.type("i")
        try await terminal.wait("a signal") { $0.lines[0].hasSuffix(" dBm") }
        terminal.type("qqq")
        #expect(try await terminal.end() == 0)
    }

    @Test func `the screen follows the size of its window`() async throws {
        let terminal = try PseudoTerminal(Self.town + ["Heart Strap"])
        try await terminal.wait(for: " connected to Heart Strap")
        terminal.resize(columns: 100, rows: 30)
        let lines = try await terminal.wait("the keys in the last row") { $0.lines[29].hasSuffix("q back") }
        #expect(lines[0].count == 99 && lines[0].hasSuffix("connected"))
        #expect(lines[28].hasPrefix(" connected to Heart Strap"))
        terminal.resize(columns: 60, rows: 20)
        try await terminal.wait(for: "60 x 20 is too small:")
        terminal.resize(columns: 80, rows: 24)
        try await terminal.wait(for: " connected to Heart Strap")
        terminal.type("?")
        let help = try await terminal.wait(for: "takes commands line by line.")
        #expect(Array(help[1...20]) == ShellView.help.map { $0.isEmpty ? "" : " " + $0 })
        terminal.type("qqq")
        #expect(try await terminal.end() == 0)
    }

    @Test func `Ctrl-C interrupts what runs and not the shell`() async throws {
        let terminal = try PseudoTerminal(Self.town + ["Nowhere", "--timeout", "1000"])
        try await terminal.wait(for: "connecting to Nowhere … (Ctrl-C interrupts)")
        terminal.type("\u{3}")
        try await terminal.wait(for: " interrupted")
        // So does the signal itself.
        terminal.send(SIGINT)
        try await terminal.wait(for: " nothing runs; q leads back and out")
        terminal.type("q")
        #expect(try await terminal.end() == 0)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT], [[], ["--plain"]])
    func `a signal that ends the shell leaves the terminal as it was`(signal: Int32, arguments: [String]) async throws {
        let terminal = try PseudoTerminal(Self.town + ["Heart Strap"] + arguments)
        try await terminal.wait(for: "connected to Heart Strap")
        #expect(terminal.isRaw)
        terminal.send(signal)
        #expect(try await terminal.end() == 128 + signal)
        #expect(!terminal.isRaw && terminal.screen.modes == [25])
    }

    @Test(arguments: [[], ["--plain"]])
    func `Ctrl-Z stops the program with the terminal as it was, and it goes on where it was`(arguments: [String])
        async throws
    {
        let terminal = try PseudoTerminal(Self.town + ["Heart Strap"] + arguments)
        try await terminal.wait(for: "connected to Heart Strap")
        terminal.type("\u{1A}")
        // Output from before the stop may still be on its way.
        try await terminal.wait("a stop, and the cursor") { [terminal] in terminal.isStopped && $0.modes == [25] }
        #expect(!terminal.isRaw)
        terminal.send(SIGCONT)
        try await terminal.wait("raw mode") { [terminal] _ in terminal.isRaw }
        terminal.type(arguments.isEmpty ? "jr" : "read 2A38\r")
        try await terminal.wait(for: "read Body Sensor Location: Chest  01")
        terminal.type(arguments.isEmpty ? "qq" : "\u{4}")
        #expect(try await terminal.end() == 0)
    }

    @Test(
        arguments: [
            ([], [:], true), (["--no-color"], [:], false), ([], ["NO_COLOR": "1"], false),
        ] as [([String], [String: String], Bool)])
    func `colours are used unless they are refused`(
        arguments: [String], environment: [String: String], hasColors: Bool
    ) async throws {
        let terminal = try PseudoTerminal(Self.town + ["Nowhere"] + arguments, environment: environment)
        try await terminal.wait(for: "connecting to Nowhere")
        #expect(terminal.screen.styles.contains(7))
        #expect(terminal.screen.styles.contains { (30...37).contains($0) } == hasColors)
        terminal.type("\u{3}q")
        #expect(try await terminal.end() == 0)
    }

    @Test func `with --plain lines are edited, completed and found again, and Ctrl-D ends the shell`() async throws {
        let terminal = try PseudoTerminal(Self.town + ["--plain"])
        try await terminal.wait(for: "bluecap>")
        terminal.type("con\tHeart Strap\r")
        try await terminal.wait(for: "Heart Strap>")
        terminal.type("read bod\t\r")
        var lines = try await terminal.wait("the value, and the prompt below it") { screen in
            let lines = screen.lines.filter { !$0.isEmpty }
            return lines.suffix(2) == ["read Body Sensor Location: Chest  01", "Heart Strap>"]
        }
        #expect(lines.contains(#"Heart Strap> read "Body Sensor Location""#))
        terminal.type("wait 1000\r")
        terminal.type("\u{3}")
        try await terminal.wait(for: "bluecap: interrupted")
        terminal.type("\u{1B}[A\u{1B}[A\r")
        lines = try await terminal.wait("a second value") { screen in
            screen.lines.filter { $0 == "read Body Sensor Location: Chest  01" }.count == 2
        }
        #expect(lines.allSatisfy { TextLayout.width(of: $0) <= 80 })
        terminal.type("\u{4}")
        #expect(try await terminal.end() == 0)
        #expect(!terminal.isRaw && terminal.screen.modes == [25])
    }

    @Test func `lines of an earlier shell are found again`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for keys in ["help pair\r", "\u{12}pai\r"] {
            let terminal = try PseudoTerminal(Self.town + ["--plain"], environment: ["XDG_STATE_HOME": folder])
            try await terminal.wait(for: "bluecap>")
            terminal.type(keys)
            try await terminal.wait(for: "What pairing has to know is asked")
            terminal.type("\u{4}")
            #expect(try await terminal.end() == 0)
        }
    }

    @Test func `a terminal that can do nothing gets lines`() async throws {
        let terminal = try PseudoTerminal(Self.town, environment: ["TERM": "dumb"])
        terminal.type("help pair\r")
        try await terminal.wait(for: "What pairing has to know is asked")
        #expect(!terminal.isRaw)
        terminal.type("\u{4}")
        #expect(try await terminal.end() == 0)
    }

    // MARK: Pipes

    private func shell(_ input: String, _ arguments: [String] = []) async throws -> PipedRun {
        try await PipedRun(Self.town + arguments, input: input)
    }

    @Test func `a script in a pipe is done line by line, and its end ends the shell with the status of a failure`()
        async throws
    {
        let run = try await shell("# who is there\nconnect Heart Strap\nread 2A38\nnonsense\nread 2A29")
        #expect(run.status == 64)
        #expect(run.output.last?.hasSuffix(": BlueCap Works  426c756543617020576f726b73") == true)
        #expect(run.output.contains("read Body Sensor Location: Chest  01"))
        #expect(run.errors == "bluecap: there is no command 'nonsense': 'help' lists those that there are\n")
        #expect(!run.output.contains { $0.contains("\u{1B}") })
    }

    @Test func `a device that is not there is said, and the shell goes on`() async throws {
        let run = try await shell("help quit\n", ["Nowhere", "--timeout", "1"])
        #expect(run.status == 75 && run.errors.hasPrefix("bluecap: no device with the identifier or name 'Nowhere'"))
        #expect(run.output.last == "quit: disconnect and leave; so does Ctrl-D")
    }
}
#endif
