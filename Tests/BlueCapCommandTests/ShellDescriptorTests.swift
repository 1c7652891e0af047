// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

/// Descriptors and the signal, as a shell is asked for them.
@Suite(.timeLimit(.minutes(60)))
struct ShellDescriptorTests {
    /// A lamp whose characteristic has a name that can be changed, and a descriptor that can be read only.
    static func lamp() -> VirtualPeripheral {
        VirtualPeripheral(name: "Lamp", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") {
                VirtualCharacteristic(
                    "FFF1", properties: [.read, .notify], value: [1],
                    descriptors: [
                        VirtualDescriptor("2901", permissions: [.readable, .writeable], value: Bytes("Light".utf8)),
                        VirtualDescriptor("ABCD", permissions: .readable, value: [0x0F]),
                    ])
            }
        }
    }

    /// Performs lines of the shell, with the lamp connected.
    ///
    /// - Returns: The model's state, the lines of its events, and the messages of its errors.
    private func perform(_ lines: [String]) async throws -> (state: ShellState, events: [String], errors: [String]) {
        let (result, errors) = (Locked<ShellState?>(nil), Locked<[String]>([]))
        let events = Locked<[String]>([])
        try await inTown { radio, central in
            radio.add(Self.lamp())
            let model = ShellModel(
                central: central, timeout: .seconds(10), clock: radio.clock,
                sink: { event, _ in events.withLock { $0 += event.lines } })
            try await ShellSession.run(model) {
                try await model.perform(.connect("Lamp"))
                for line in lines {
                    guard case .request(let request) = try ShellLine(line) else { continue }
                    do {
                        try await model.perform(request)
                    } catch {
                        errors.withLock { $0.append(CommandFailure(error).message) }
                    }
                }
                result.withLock { $0 = model.state }
            }
        }
        return (try #require(result.withLock { $0 }), events.withLock { $0 }, errors.withLock { $0 })
    }

    @Test func `descriptors are listed, and read and written by name, UUID and handle`() async throws {
        let run = try await perform([
            "descriptors FFF1", "descriptors FFF1 2901",
            #"descriptors FFF1 "characteristic user description" Lamp --text"#,
            "descriptors FFF1 0x4 00", "descriptors FFF1 abcd", "descriptors FFF1",
        ])
        #expect(run.events.contains("FFF1 has 3 descriptors"), "\(run.events)")
        #expect(run.events.contains("read Characteristic User Description of FFF1: Light  4c69676874"))
        #expect(run.events.contains("wrote Characteristic User Description of FFF1: Lamp  4c616d70"))
        #expect(run.events.contains("read ABCD of FFF1: 0f"))
        // The values that were read and written are in the list from then on.
        #expect(run.errors.count == 1, "\(run.errors)")
        let known = run.state.peer?.characteristics.first { $0.uuid == "FFF1" }?.descriptors ?? []
        #expect(
            known.map(\.line) == [
                "0x4     Client Characteristic Configuration  2902",
                "0x5     Characteristic User Description  2901  Lamp  4c616d70", "0x6     ABCD  0f",
            ])
    }

    @Test(arguments: [
        ("descriptors FFF1 2902 0100", "'subscribe' writes it"), ("descriptors FFF1 2904", "it has these:"),
        ("descriptors FFF1 2901 xyz", "neither bytes"), ("descriptors 2A99", "has no characteristic"),
    ])
    func `what cannot be is refused with what can`(line: String, reason: String) async throws {
        let run = try await perform([line])
        #expect(run.errors.count == 1 && run.errors[0].contains(reason), "\(run.errors)")
    }

    @Test func `the signal is measured and stays with the device`() async throws {
        let run = try await perform(["rssi"])
        let rssi = try #require(run.state.peer?.rssi)
        #expect(rssi < 0 && run.events.last == "signal \(SignalBars.text(rssi)) dBm", "\(run.events)")
        #expect(try run.state.treeLines(matching: "")[0].hasSuffix(", not paired, \(rssi) dBm"))
    }
}
