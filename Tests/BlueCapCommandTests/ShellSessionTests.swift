// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime
import BlueCapTerminal
import Testing

@testable import BlueCapCommand

/// A shell that is given lines, or keys of which an editor makes lines.
@Suite(.timeLimit(.minutes(60)))
struct ShellSessionTests {
    private struct Run: Sendable {
        var output: [String] = []
        var errors: [String] = []
        var terminal = ""
        var kept: [String] = []
        var status = ToolStatus.done
        /// The lifetime of the town.
        var duration = Duration.zero
    }

    private enum Script: Sendable {
        case lines([String])
        /// Each is typed at an empty prompt.
        case keys([String])

        var keys: ArraySlice<String>? { if case .keys(let keys) = self { keys[...] } else { nil } }
    }

    private func shell(
        _ script: Script, device: String? = nil, add devices: [VirtualPeripheral] = [],
        pairing: VirtualPairing = .justWorks,
        limit: Int? = nil
    ) async throws -> Run {
        let result = Locked(Run())
        try await inTown { radio, central in
            for device in devices {
                radio.add(device)
                device.changePairing(to: pairing)
            }
            let inputs = ShellInputs()
            let output = RecordedOutput(limit: limit)
            let typed = Locked(script.keys ?? [])
            let draw: @Sendable (String) -> Void = { text in
                result.withLock { $0.terminal += text }
                guard text.contains("> \u{1B}[K"), let keys = typed.withLock({ $0.popFirst() }) else { return }
                var decoder = KeyDecoder()
                for key in decoder.decode(keys.utf8) { inputs.push(.key(key)) }
            }
            let console = ShellConsole(
                output: output, errors: { text in result.withLock { $0.errors.append(text) } },
                draw: script.keys == nil ? nil : draw)
            let model = ShellModel(
                central: central, timeout: .seconds(10), clock: radio.clock,
                sink: ShellLineSession.sink(console, inputs))
            let runner = ShellRunner(model: model, executor: central.executor) { inputs.push(.finished($0)) }
            let source: ShellLineSession.Source
            switch script {
            case .lines(let lines):
                let rest = Locked(lines)
                source = .lines(next: {
                    let line = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    inputs.push(line.map { .line($0) } ?? .ended)
                })
            case .keys: source = .keys(columns: { 80 }, suspend: {})
            }
            let session = ShellLineSession(
                model: model, inputs: inputs, runner: runner, console: console, source: source,
                keep: { lines in result.withLock { $0.kept = lines } })
            do {
                try await ShellSession.run(model) {
                    let status = try await session.run(device: device)
                    result.withLock { $0.status = status }
                }
            } catch let closed as OutputClosed {
                result.withLock { $0.errors.append("closed: \(closed.reason ?? "-")") }
            }
            result.withLock { ($0.output, $0.duration) = (output.lines, radio.clock.elapsed) }
        }
        return result.withLock { $0 }
    }

    @Test func `lines are done one after the other, and their end ends the shell after the last`() async throws {
        let run = try await shell(
            .lines(["# what a script says", "scan 2", "connect Heart", "read 2A38", "tree body", "values 2A38"]))
        #expect(run.errors.isEmpty)
        #expect(run.output.filter { $0.contains("  C0:DE:") }.count == 5)
        #expect(run.output.contains("read Body Sensor Location: Chest  01"))
        let tree = run.output.suffix(8)
        #expect(tree.contains("Heart Rate  180D") && !tree.contains("Battery  180F"))
        #expect(run.output.suffix(2).first == "Body Sensor Location")
        #expect(run.output.last?.hasSuffix("  read      Chest  01") == true)
    }

    @Test func `an output that takes nothing more ends what waits for values`() async throws {
        let run = try await shell(.lines(["subscribe 2A37", "wait 1000"]), device: "Heart Strap", limit: 5)
        #expect(run.errors == ["closed: -"])
        #expect(run.duration < .seconds(100))
    }

    @Test func `what goes wrong is said and does not end the shell`() async throws {
        let run = try await shell(
            .lines([
                "read 2A19", "nonsense", "write", "connect Nowhere", "connect Heart Strap", "write 2A39 02",
                "read 2A38",
            ]))
        #expect(run.errors.count == 5, "\(run.errors)")
        #expect(run.errors.allSatisfy { $0.hasPrefix("bluecap: ") })
        #expect(run.output.last == "read Body Sensor Location: Chest  01")
        #expect(run.status == .usage)
    }

    @Test func `a script ends with the status of its first failure, and what was typed with 0`() async throws {
        #expect(try await shell(.lines(["devices", "wait 0"])).status == .done)
        let script = ["connect Heart Strap", "read 2A00", "nonsense"]
        #expect(try await shell(.lines(script)).status == .refused)
        #expect(try await shell(.lines(["devices"]), device: "Nowhere").status == .tryAgain)
        #expect(try await shell(.lines(["tree"])).status == .usage)
        let typed = try await shell(.keys(["nonsense\r", "\u{4}"]))
        #expect(typed.errors.count == 1 && typed.status == .done)
    }

    @Test func `values are printed as they come, and quit leaves lines behind it alone`() async throws {
        let run = try await shell(.lines(["subscribe 2A37", "wait 3.5", "quit", "read 2A38"]), device: "Heart Strap")
        let values = run.output.filter { $0.hasPrefix("notified Heart Rate Measurement: ") }
        #expect(values.count == 4, "\(run.output)")
        #expect(run.errors.isEmpty && !run.output.contains { $0.hasPrefix("read") })
    }

    @Test func `the line behind a question is the answer`() async throws {
        let lock = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") { VirtualCharacteristic("FFF1", value: [1]) }
        }
        let run = try await shell(.lines(["connect Lock", "pair", "yes", "tree"]), add: [lock], pairing: .comparing)
        #expect(run.output.contains { $0.hasSuffix(", too? (yes or no)") })
        #expect(run.output.contains("paired") && run.errors.isEmpty)
        #expect(run.output.contains("Lock (C0:DE:00:00:00:20), connected, paired"), "\(run.output)")
    }

    @Test func `a question that no line answers is refused`() async throws {
        let lock = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") { VirtualCharacteristic("FFF1", value: [1]) }
        }
        let run = try await shell(.lines(["connect Lock", "pair"]), add: [lock], pairing: .comparing)
        #expect(run.output.contains("refused") && !run.output.contains("paired") && run.errors.count == 1)
    }

    @Test func `a reader that goes away ends the shell`() async throws {
        let run = try await shell(.lines(["help", "scan 1000"]), limit: 3)
        #expect(run.errors == ["closed: -"])
    }

    @Test func `a line is typed, completed, corrected and found again`() async throws {
        let run = try await shell(.keys(["hel\tscan\u{7F}\u{7F}an\r", "\u{1B}[A\r", "\u{4}"]))
        #expect(
            run.output.filter { $0 == "scan [SECONDS]: look for devices, for 5 s or as long as you say" }.count == 2)
        #expect(run.terminal.contains("\rbluecap> help scan\u{1B}[K"))
        #expect(run.errors.isEmpty)
    }

    @Test func `each question that comes behind the end of the input is refused`() async throws {
        let lock = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20")
        let run = try await shell(.keys(["pair\rpair\r\u{4}"]), device: "Lock", add: [lock], pairing: .comparing)
        #expect(run.output.count { $0 == "refused" } == 2 && !run.output.contains("paired"), "\(run.output)")
    }

    @Test func `what pairing is answered is in no history`() async throws {
        let lock = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") { VirtualCharacteristic("FFF1", value: [1]) }
        }
        let run = try await shell(
            .keys(["pair\r", "yes\r", "\u{1B}[A\u{3}", "quit\r"]), device: "Lock", add: [lock], pairing: .comparing)
        #expect(run.output.contains("paired") && run.kept == ["pair", "quit"])
        #expect(run.terminal.contains("Lock> pair\u{1B}[K") && !run.terminal.contains("Lock> yes"))
    }

    @Test func `Ctrl-C interrupts the command and not the shell, and what was typed meanwhile is let go`() async throws
    {
        let run = try await shell(.keys(["scan 1000000\rhelp\r\u{3}", "\u{3}", "help log\r", "quit\r"]))
        #expect(run.errors == ["bluecap: interrupted"])
        #expect(run.output.last == "  log battery")
        #expect(!run.output.contains { $0.hasPrefix("  devices [TEXT]") })
    }

    @Test func `the prompt names the device that is connected, without what a terminal would obey`() async throws {
        let device = VirtualPeripheral(name: "Lamp\u{1B}[2J", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") { VirtualCharacteristic("FFF1", value: [1]) }
        }
        let run = try await shell(.keys(["tree\r", "\u{4}"]), device: "C0:DE:00:00:00:20", add: [device])
        #expect(run.terminal.contains("\rLamp\u{FFFD}[2J> "), "\(run.terminal.debugDescription)")
        #expect(!run.terminal.contains("\u{1B}[2J") && !run.output.contains { $0.contains("\u{1B}") })
    }
}
