// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapTerminal
import Testing

/// The built `bluecap emulate` in a real pseudo-terminal, and with pipes.
@Suite(.timeLimit(.minutes(60)))
struct EmulateTerminalTests {
    private static let command = ["emulate", "Heart Rate", "Battery", "--still", "--backend", "virtual"]

    @Test func `what centrals do is printed, and a line typed meanwhile sets a value`() async throws {
        let terminal = try PseudoTerminal(Self.command, controls: true)
        try await terminal.wait(for: "peripheral  Advertising as BlueCap with Heart Rate, Battery")
        try await terminal.wait(for: " subscribed to Battery Level")
        terminal.type("battery level=20\r")
        var lines = try await terminal.wait(for: "central     was sent Battery Level: 20 %")
        #expect(lines.contains("battery level=20"))
        terminal.type("nonsense\r")
        lines = try await terminal.wait(for: "write NAME=VALUE, such as: ")
        #expect(lines.contains("nonsense"))
        terminal.type("\u{3}")
        #expect(try await terminal.end() == 130)
        #expect(terminal.screen.unknown.isEmpty)
    }

    @Test func `what was printed stays whole in another size, and lines go on below it`() async throws {
        let terminal = try PseudoTerminal(Self.command, controls: true)
        let before = try await terminal.wait(for: " subscribed to Battery Level")
        terminal.resize(columns: 100, rows: 30)
        terminal.type("battery level=20\r")
        let lines = try await terminal.wait(for: "central     was sent Battery Level: 20 %")
        let printed = before.filter { $0.hasPrefix("peripheral  ") }
        #expect(Array(lines.filter { $0.hasPrefix("peripheral  ") }.prefix(printed.count)) == printed)
        terminal.type("\u{3}")
        #expect(try await terminal.end() == 130)
    }

    @Test func `Ctrl-C takes services and advertisement back, and ends it with 130 and the cursor shown`() async throws
    {
        let terminal = try PseudoTerminal(Self.command, controls: true)
        try await terminal.wait(for: " subscribed to Battery Level")
        terminal.type("\u{3}")
        #expect(try await terminal.end() == 130)
        #expect(terminal.screen.lines.contains { $0.hasSuffix("peripheral  Took services and advertisement back") })
        #expect(terminal.screen.modes == [25] && !terminal.screen.isStyled && !terminal.isRaw)
    }

    @Test func `in a pipe there is a plain line for each event`() async throws {
        let run = try await PipedRun(Self.command + ["--duration", "5"], environment: PipedRun.colourful)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.allSatisfy { $0.hasPrefix("peripheral  ") || $0.hasPrefix("central     ") })
        #expect(run.output.last == "peripheral  Took services and advertisement back")
        #expect(!run.output.contains { $0.contains("\u{1B}") } && !run.errors.contains("\u{1B}"))
    }
}
#endif
