// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCap
import BlueCapTerminal
import Foundation
import Testing

/// The built `bluecap channel` in a real pseudo-terminal, and with pipes.
@Suite(.timeLimit(.minutes(60)))
struct ChannelTerminalTests {
    private static let open = ["channel", "open", "Heart Strap", "--psm", "128", "--backend", "virtual"]

    @Test func `a terminal obeys no character of the device, and the end of the input ends it`() async throws {
        let terminal = try PseudoTerminal(Self.open + ["--wait", "1"], controls: true)
        try await terminal.wait("the channel") { $0.lines.contains { $0.hasPrefix("channel to Heart Strap ") } }
        terminal.type("\u{1B}[31mred\n")
        try await terminal.wait("the echo") { $0.lines.contains { $0.contains("\u{FFFD}[31mred") } }
        #expect(!terminal.screen.isStyled)
        terminal.type("\u{4}")
        #expect(try await terminal.end() == 0)
    }

    @Test func `in a pipe the bytes are as they are`() async throws {
        let run = try await PipedRun(Self.open + ["--wait", "1"], input: "\u{1B}[31mred\n")
        #expect(run.status == 0 && run.output == ["\u{1B}[31mred"], "\(run)")
    }

    @Test func `Ctrl-C ends it by its signal, with the counts`() async throws {
        let run = try await PipedRun(Self.open + ["--wait", "60", "--json"], signal: SIGINT, after: "opened")
        #expect(run.signal == SIGINT)
        #expect(run.output.last?.contains(#""event":"closed""#) == true, "\(run)")
    }

    @Test func `over a radio that another program shares it opens a channel`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID()).sock").path
        let radio = VirtualRadio()
        let device = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20", services: [])
        device.publish(TwinChannel(psm: 129, behaviour: .echo))
        radio.add(device)
        let shared = try radio.share(at: path)
        let words = ["channel", "open", "Lock", "--psm", "129", "--wait", "1", "--backend", "virtual:" + path]
        let run = try await PipedRun(words, input: "hello\n")
        shared.stop()
        #expect(run.status == 0 && run.output == ["hello"], "\(run)")
    }
}
#endif
