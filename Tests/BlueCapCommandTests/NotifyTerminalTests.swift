// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapTerminal
import Testing

/// The built `bluecap notify` in a real pseudo-terminal, and with pipes.
@Suite(.timeLimit(.minutes(60)))
struct NotifyTerminalTests {
    private static let command = ["notify", "Heart Strap", "2A37", "--plot", "--backend", "virtual"]

    @Test func `the curves stand on the screen, and are drawn as wide as another size is`() async throws {
        let terminal = try PseudoTerminal(Self.command, controls: true)
        var lines = try await terminal.wait("curves") { Self.areCurves($0, columns: 80) }
        let heading = try #require(lines.firstIndex { $0.hasPrefix("Heart Rate Measurement  ") })
        #expect(lines[heading].hasSuffix(" values, Ctrl-C ends it"))
        #expect(lines[heading + 1].wholeMatch(of: /heartRate  \d+ bpm  \(\d+ to \d+\)/) != nil)
        #expect(terminal.screen.styles.contains(31) && !terminal.screen.modes.contains(25))
        terminal.resize(columns: 100, rows: 30)
        lines = try await terminal.wait("wider curves") { Self.areCurves($0, columns: 100) }
        #expect(lines[0].hasPrefix("Heart Rate Measurement  ") && lines[1].hasPrefix("heartRate  "))
        #expect(lines.filter { $0.hasPrefix("heartRate  ") }.count == 1)
        terminal.type("\u{3}")
        #expect(try await terminal.end() == 130)
    }

    /// Whether there are several values' curves, whole to the last column.
    private static func areCurves(_ screen: EmulatedTerminal, columns: Int) -> Bool {
        let curves = screen.lines.filter { $0.unicodeScalars.contains { (0x2800...0x28FF).contains($0.value) } }
        return curves.count > 1 && curves.allSatisfy { $0.count == columns }
            && screen.lines.contains { $0.hasSuffix(" values, Ctrl-C ends it") }
    }

    @Test func `Ctrl-C ends it with 130, the cursor shown and no colour left`() async throws {
        let terminal = try PseudoTerminal(Self.command, controls: true)
        try await terminal.wait("curves") { Self.areCurves($0, columns: 80) }
        #expect(!terminal.screen.modes.contains(25))
        terminal.type("\u{3}")
        #expect(try await terminal.end() == 130)
        #expect(terminal.screen.modes == [25] && !terminal.screen.isStyled && !terminal.isRaw)
        #expect(terminal.screen.unknown.isEmpty)
        #expect(terminal.screen.lines.contains { $0.hasPrefix("heartRate  ") })
    }

    @Test func `in a pipe there is a plain line for each value`() async throws {
        let run = try await PipedRun(Self.command + ["--count", "3"], environment: PipedRun.colourful)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.count == 3)
        #expect(run.output.allSatisfy { $0.wholeMatch(of: /heartRate \d+ bpm, .*  [0-9a-f]+/) != nil })
        #expect(!run.output.contains { $0.contains("\u{1B}") } && !run.errors.contains("\u{1B}"))
    }
}
#endif
