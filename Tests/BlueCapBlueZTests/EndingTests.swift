// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapPrivateBus
import BlueCapRuntime
import BlueCapSerDe
import Testing

extension OverABus {
    /// The end of a manager whose calls are not answered, as those to a bluetoothd that stands still.
    @Suite(.timeLimit(.minutes(60)))
    struct EndingTests {
        private func stub(on bus: PrivateBus) async throws -> StubBlueZ {
            let stub = try StubBlueZ(on: bus)
            await stub.run { stub in
                stub.accepted = []
                stub.add(StubBlueZ.adapter, Stage.adapter())
                stub.add(Stage.device, Stage.deviceProperties())
            }
            try await stub.start()
            return stub
        }

        /// Returns when the program of a call has left the bus.
        private func expectLeft(_ call: StubCall, _ stub: StubBlueZ) async {
            while case .success = await stub.invoke(call.call.sender, "/", StandardInterface.peer, "Ping") {}
            // Until here it has no answer.
            withExtendedLifetime(call) {}
        }

        @Test func `a central manager that ends while nothing is answered leaves the bus without waiting`()
            async throws
        {
            let bus = try PrivateBus()
            let stub = try await stub(on: bus)
            let call = try await abandonCentral(on: bus, stub)
            await expectLeft(call, stub)
        }

        private func abandonCentral(on bus: PrivateBus, _ stub: StubBlueZ) async throws -> StubCall {
            let (backend, clock, log) = (BlueZCentralBackend(bus: bus.address), ManualClock(), EventLog())
            await run(backend) { $0.activate(clock: clock.clock, sink: log.sink) }
            try await #expect(log.state() == .poweredOn)
            await run(backend) { backend in
                backend.scan(ScanRequest())
                backend.connect(Stage.id)
            }
            let call = try await stub.call("Connect")
            await run(backend) { backend in
                backend.disconnect(Stage.id)
                backend.invalidate()
            }
            return call
        }

        private func run(
            _ backend: isolated BlueZCentralBackend, _ body: @Sendable (isolated BlueZCentralBackend) -> Void
        ) { body(backend) }

        @Test func `a peripheral manager that ends while nothing is answered leaves the bus without waiting`()
            async throws
        {
            let bus = try PrivateBus()
            let stub = try await stub(on: bus)
            let call = try await abandonPeripheral(on: bus, stub)
            await expectLeft(call, stub)
        }

        private func abandonPeripheral(on bus: PrivateBus, _ stub: StubBlueZ) async throws -> StubCall {
            let (backend, clock) = (BlueZPeripheralBackend(bus: bus.address), ManualClock())
            let states = Mailbox<ManagerState, Never>(capacity: .unbounded)
            let sink = PeripheralEventSink { if case .stateChanged(let state, _) = $0 { states.push(state) } }
            await run(backend) { $0.activate(clock: clock.clock, sink: sink) }
            while let state = await states.next(), state != .poweredOn {}
            let service = LocalService(id: AttributeID(rawValue: 1), uuid: "FFF0")
            await run(backend) { $0.perform(PeripheralRequest(id: RequestID(rawValue: 1), operation: .add(service))) }
            let call = try await stub.call("RegisterApplication")
            await run(backend) { $0.invalidate() }
            return call
        }

        private func run(
            _ backend: isolated BlueZPeripheralBackend, _ body: @Sendable (isolated BlueZPeripheralBackend) -> Void
        ) { body(backend) }
    }
}
#endif
