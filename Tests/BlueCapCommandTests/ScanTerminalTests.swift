// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapTerminal
import Foundation
import Testing

/// The built `bluecap scan` in a real pseudo-terminal, and with pipes.
@Suite(.timeLimit(.minutes(60)))
struct ScanTerminalTests {
    /// One of the devices walks out of reach; it stays in the table, however long a test takes.
    private static let command = ["scan", "--backend", "virtual", "--lost-after", "0"]

    @Test func `the table stands on the screen, and is drawn anew for another size`() async throws {
        let terminal = try PseudoTerminal(Self.command + ["--sort", "name"], controls: true)
        var lines = try await terminal.wait("five devices") { screen in
            screen.lines[0].hasSuffix(", 5 devices. Ctrl-C ends it.") && screen.lines[6].hasPrefix("    ")
        }
        #expect(lines[0].hasPrefix("Scanning for "))
        #expect(lines[1] == "NAME                   ID                 STATE   SIGNAL        SEEN  SERVICES")
        #expect(lines[2].hasPrefix("Dog Collar             C0:DE:00:00:00:03  paired  ▁"))
        #expect(lines[3].hasPrefix("Heart Strap            C0:DE:00:00:00:02  found   ▁"))
        #expect(lines[4].hasPrefix("SensorTag              C0:DE:00:00:00:01  found   ▁"))
        #expect(lines[5].hasPrefix("Visitor's Bracelet ⌚️  C0:DE:00:00:00:04  found   ▁"))
        #expect(lines[7...].allSatisfy { $0.isEmpty })
        #expect(!terminal.screen.modes.contains(25))
        terminal.resize(columns: 110, rows: 30)
        // Lines as long as the terminal is wide now, each once.
        lines = try await terminal.wait("a wider table") { screen in
            screen.lines[3].hasSuffix("Heart Rate, Battery") && screen.lines[0].hasPrefix("Scanning for ")
        }
        #expect(lines.filter { $0.hasPrefix("NAME ") }.count == 1)
        #expect(lines[7...].allSatisfy { $0.isEmpty })
        terminal.resize(columns: 40, rows: 6)
        lines = try await terminal.wait("as many devices as fit") { $0.lines[4] == "… and 3 more" }
        #expect(lines[0].hasPrefix("Scanning for ") && lines[0].hasSuffix("…") && lines[5].isEmpty)
        terminal.type("\u{3}")
        #expect(try await terminal.end() == 130)
    }

    @Test func `Ctrl-C ends it with 130, the table left and the cursor shown below it`() async throws {
        let terminal = try PseudoTerminal(Self.command, controls: true)
        try await terminal.wait(for: ", 5 devices. Ctrl-C ends it.")
        #expect(!terminal.screen.modes.contains(25))
        terminal.type("\u{3}")
        #expect(try await terminal.end() == 130)
        #expect(terminal.screen.modes == [25] && !terminal.screen.isStyled && !terminal.isRaw)
        #expect(terminal.screen.unknown.isEmpty)
        #expect(terminal.screen.lines[1].hasPrefix("NAME ") && terminal.screen.row >= 7)
    }

    @Test func `Ctrl-C ends a shell's loop with the command in it, and the prompt has a line of its own`() async throws
    {
        let terminal = try PseudoTerminal([], environment: ["PS1": "ready> "], isShell: true)
        try await terminal.wait(for: "ready>")
        terminal.type("clear; while true; do \"$1\" \(Self.command.joined(separator: " ")); done\n")
        try await terminal.wait(for: ", 5 devices. Ctrl-C ends it.")
        terminal.type("\u{3}")
        let lines = try await terminal.wait("the prompt") { $0.lines.contains { $0.hasSuffix("ready>") } }
        #expect(lines.last { !$0.isEmpty } == "ready>" && lines.count { $0.hasPrefix("NAME ") } == 1, "\(lines)")
        terminal.type("exit 0\n")
        #expect(try await terminal.end() == 0)
    }

    @Test func `the quit key ends it with 131, the cursor shown, and without a crash report`() async throws {
        let terminal = try PseudoTerminal(Self.command, controls: true)
        try await terminal.wait(for: ", 5 devices. Ctrl-C ends it.")
        terminal.type("\u{1C}")
        #expect(try await terminal.end() == 131)
        #expect(terminal.screen.modes == [25] && !terminal.screen.isStyled && !terminal.isRaw)
        #expect(!terminal.screen.lines.contains { $0.contains("crashed") }, "\(terminal.screen.lines)")
    }

    @Test func `the end of its terminal ends it with 129 and the cursor shown`() async throws {
        let terminal = try PseudoTerminal(Self.command)
        try await terminal.wait(for: ", 5 devices. Ctrl-C ends it.")
        terminal.send(SIGHUP)
        #expect(try await terminal.end() == 129)
        #expect(terminal.screen.modes == [25] && !terminal.isRaw)
    }

    @Test func `while it is stopped the cursor is shown, and when it goes on the table is drawn below`() async throws {
        let terminal = try PseudoTerminal(Self.command)
        try await terminal.wait(for: ", 5 devices. Ctrl-C ends it.")
        terminal.send(SIGTSTP)
        // Output from before the stop may still be on its way.
        try await terminal.wait("a stop, and the cursor") { [terminal] in terminal.isStopped && $0.modes == [25] }
        terminal.send(SIGCONT)
        let lines = try await terminal.wait("a second table, and no cursor") { screen in
            screen.lines[8].hasPrefix("NAME ") && screen.modes.isEmpty
        }
        #expect(lines[1].hasPrefix("NAME "))
        terminal.send(SIGINT)
        #expect(try await terminal.end() == 130)
    }

    @Test func `in a pipe there is a plain line for each event`() async throws {
        let run = try await PipedRun(Self.command + ["--limit", "5"], environment: PipedRun.colourful)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.count == 5 && run.output.allSatisfy { $0.hasPrefix("discovered  C0:DE:00:00:00:0") })
        #expect(!run.output.contains { $0.contains("\u{1B}") } && !run.errors.contains("\u{1B}"))
    }
}
#endif
