// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import BlueCapVirtual
import Testing

@Suite("The radio of a gateway", .timeLimit(.minutes(60)))
struct LastingScanTests {
    private static let availability = "bluecap/cellar/a4c138000001/availability"

    /// Runs a gateway that hears one sensor in simulated time.
    private func run(
        _ body: @escaping @Sendable (VirtualRadio, DeviceGateway, PublishedMessages) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let messages = PublishedMessages()
            let frame = BTHome(objects: [BTHomeObject(0x02, 21.5)].compactMap(\.self))
            radio.add(
                VirtualPeripheral(
                    name: "Cellar", address: "A4:C1:38:00:00:01",
                    advertising: VirtualAdvertising(frame.advertisement)))
            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
            let gateway = DeviceGateway(GatewayPlan(name: "cellar"), publisher: messages, clock: radio.clock)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await LastingScan(central: central, gateway: gateway, clock: radio.clock).run() }
                defer { group.cancelAll() }
                try await body(radio, gateway, messages)
            }
            await central.invalidate()
        }
    }

    private static func availability(in messages: PublishedMessages) -> [String] {
        messages.taken().filter { $0.topic == availability }.map(\.text)
    }

    @Test(arguments: [ManagerState.poweredOff, .resetting, .unsupported, .unauthorized])
    func `goes on when it is back, and its devices are not available meanwhile`(state: ManagerState) async throws {
        try await run { radio, gateway, messages in
            try await radio.clock.sleep(for: .seconds(5))
            #expect(Self.availability(in: messages) == ["online"])
            radio.adapter().change(to: state)
            try await radio.clock.sleep(for: .seconds(1800))
            #expect(Self.availability(in: messages) == ["offline"])
            radio.adapter().powerOn()
            try await radio.clock.sleep(for: .seconds(3))
            #expect(Self.availability(in: messages) == ["online"])
            var changes: [Bool] = []
            for event in gateway.events.taken() {
                if case .radioLost = event { changes.append(false) }
                if case .radioReturned = event { changes.append(true) }
            }
            #expect(changes == [false, true])
        }
    }

    @Test func `ends with its manager`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
            let gateway = DeviceGateway(
                GatewayPlan(name: "cellar"), publisher: PublishedMessages(), clock: radio.clock)
            async let listening: Void = LastingScan(central: central, gateway: gateway, clock: radio.clock).run()
            try await radio.clock.sleep(for: .seconds(1))
            await central.invalidate()
            await listening
        }
    }
}
#endif
