// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform
import BlueCapTerminal
import Testing

/// The built `bluecap beacon range` in a real pseudo-terminal, and with pipes.
@Suite(.timeLimit(.minutes(60)))
struct BeaconTerminalTests {
    private static let command = ["beacon", "range", "--backend", "virtual"]
    private static let heading = "DISTANCE  PROXIMITY  SIGNAL      ID                 FAMILY     BEACON"

    @Test func `beacons of all families stand in one table, which is drawn anew for another size`() async throws {
        let terminal = try PseudoTerminal(Self.command + ["--all"], controls: true)
        var lines = try await terminal.wait("five beacons") { screen in
            screen.lines[0] == "All beacons: 5 heard, Ctrl-C ends it" && screen.lines[6].hasPrefix("  ")
        }
        #expect(lines[1] == Self.heading)
        // The nearest first: thirty centimetres away.
        #expect(lines[2].hasPrefix("   0.") && lines[2].contains("  immediate  "))
        for beacon in [
            "  C0:DE:00:00:00:B1  iBeacon    1/1 7c0e8a36-52d…", "  C0:DE:00:00:00:B4  AltBeacon  1/4 7c0e8a36-52d…",
            "  C0:DE:00:00:00:B5  Eddystone  7c0e8a3652d14b6f…",
        ] {
            #expect(lines[2...6].contains { $0.hasSuffix(beacon) && $0.count == 80 }, "\(lines)")
        }
        #expect(lines[7...].allSatisfy { $0.isEmpty } && !terminal.screen.modes.contains(25))
        terminal.resize(columns: 120, rows: 30)
        lines = try await terminal.wait("a wider table") { screen in
            screen.lines[2...6].contains { $0.hasSuffix("Eddystone  7c0e8a3652d14b6f9a44/000000000005") }
        }
        #expect(lines.filter { $0 == Self.heading }.count == 1 && terminal.screen.unknown.isEmpty)
        // From here on a line may be too wide for the screen: a table for the wide one may still be on its way.
        terminal.resize(columns: 40, rows: 6)
        lines = try await terminal.wait("as many beacons as fit") { screen in
            screen.lines[1].hasPrefix("DISTANCE") && screen.lines[1].hasSuffix("…") && screen.lines[4].isEmpty
        }
        #expect(lines[2].hasSuffix("…") && lines[3].hasSuffix("…"))
        terminal.type("\u{3}")
        #expect(try await terminal.end() == 130)
        #expect(terminal.screen.modes == [25] && !terminal.isRaw)
        #expect(terminal.screen.unknown.allSatisfy { $0.hasPrefix("beyond the edge") })
    }

    @Test func `in a pipe there is a plain line for each beacon`() async throws {
        let beacon = "C0:DE:00:00:00:B5  Eddystone  7c0e8a3652d14b6f9a44/000000000005"
        let run = try await PipedRun(
            Self.command + ["--all"], signal: SIGINT, after: beacon, environment: PipedRun.colourful)
        #expect(run.status == 128 + SIGINT, "\(run.errors)")
        #expect(run.output.contains { $0.hasSuffix(beacon) })
        #expect(!run.output.contains { $0.contains("\u{1B}") } && !run.errors.contains("\u{1B}"))
    }
}
#endif
