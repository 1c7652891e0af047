// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapESPHome

@Suite("A recorded session", .timeLimit(.minutes(60)))
struct ReplayTests {
    /// The device of the sessions, with its handles.
    private static func device() -> VirtualPeripheral {
        let echo = VirtualCharacteristic("6E400003-B5A3-F393-E0A9-E50E24DCCA9E", properties: .notify)
        let input = VirtualCharacteristic(
            "6E400002-B5A3-F393-E0A9-E50E24DCCA9E", properties: [.write, .writeWithoutResponse],
            onWrite: { _, value in
                echo.update(Bytes(Array(value.reversed())))
                return .success(())
            })
        let locked = VirtualCharacteristic(
            "6E400004-B5A3-F393-E0A9-E50E24DCCA9E", permissions: .readEncryptionRequired,
            value: Bytes(Array("locked".utf8)))
        let level = VirtualCharacteristic(
            "2A19", properties: [.read, .notify], value: [0x57],
            descriptors: [VirtualDescriptor("2901", value: Bytes(Array("charge".utf8)))])
        return VirtualPeripheral(
            name: "Proto", address: "C0:11:22:33:44:55",
            services: [
                VirtualService("180F", isPrimary: true, handle: 10, includedServices: [], characteristics: [level]),
                VirtualService(
                    "6E400001-B5A3-F393-E0A9-E50E24DCCA9E", isPrimary: true, handle: 20, includedServices: [],
                    characteristics: [input, echo, locked]),
            ])
    }

    private struct Line {
        let kind: Character
        let raw: RawMessage

        init(_ text: Substring) throws {
            let words = text.split(separator: " ")
            kind = try #require(text.first)
            let body = words.count > 2 ? Array(try Bytes(hex: String(words[2]))) : []
            raw = RawMessage(number: try #require(UInt16(words[1])), body: body[...])
        }
    }

    /// A device may notify a value before or after it answers, and so it comes: values after answers.
    private static func ordered<Item>(_ items: some Sequence<Item>, _ raw: (Item) -> RawMessage) -> [Item] {
        items.filter { raw($0).number != NotifiedValueResponse.number }
            + items.filter { raw($0).number == NotifiedValueResponse.number }
    }

    /// Plays the client of a session against a proxy, and compares the answers.
    private func play(_ session: String, _ scene: ProxyScene) async throws {
        var lines = try session.split(separator: "\n").map { try Line($0) }[...]
        var client = scene.client()
        while !lines.isEmpty {
            let requests = lines.prefix { $0.kind == ">" }
            lines = lines.dropFirst(requests.count)
            let answers = lines.prefix { $0.kind != ">" }
            lines = lines.dropFirst(answers.count)
            if requests.first?.raw.number == HelloRequest.number {
                client = scene.client()
                await client.join()
            }
            await client.send(raw: requests.flatMap { Frame.clear($0.raw).bytes })
            let wanted = Self.ordered(answers.filter { $0.kind != "-" }, \.raw)
            var came: [RawMessage] = []
            for _ in wanted { came.append(try await client.nextAnswer()) }
            for (answer, next) in zip(wanted, Self.ordered(came, \.self)) {
                #expect(next.number == answer.raw.number, "\(requests), \(answer)")
                if answer.kind != "~" { #expect(next == answer.raw, "\(requests), \(answer)") }
            }
            #expect(client.numbers.filter { $0 != RawAdvertisementsResponse.number } == [], "\(requests)")
        }
    }

    @Test(arguments: [RecordedSession.firmware, RecordedSession.homeAssistant])
    func `is answered as the foreign server answered it`(session: String) async throws {
        let configuration = VirtualAdapter.Configuration(maximumTransmissionUnit: 247)
        try await ProxyScene.run(device: Self.device(), adapter: configuration) { scene in
            // The proxy has heard the device, as that of the session had.
            let listener = try await scene.listener()
            try await play(session, scene)
            await listener.leave()
        }
    }
}
#endif
