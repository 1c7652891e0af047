// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("An adapter's faults", .timeLimit(.minutes(60)))
struct AdapterTests {
    @Test func `powering off ends links and requests with no event but the state`() async throws {
        try await VirtualRadio.run(limit: .seconds(100)) { radio in
            let peripheral = VirtualPeripheral(name: "Tag", services: [VirtualService("180F")])
            radio.add(peripheral)
            let adapter = radio.adapter()
            let recorder = await Recorder.on(radio.central(on: adapter))
            _ = try await recorder.open(peripheral)
            _ = await recorder.begin(.discoverServices(peripheral.identifier, nil))
            let count = await recorder.entries.count
            adapter.powerOff()
            #expect(adapter.state == .poweredOff)
            #expect(peripheral.connectionCount == 0)
            try await radio.clock.sleep(for: .seconds(40))
            #expect(await recorder.entries.dropFirst(count).map(\.event.summary) == ["state poweredOff"])
            adapter.powerOn()
            #expect(await recorder.connect(peripheral.identifier) == nil)
        }
    }

    @Test
    func `unplugging leaves the peripheral with a link that it notices by its supervision timeout`() async throws {
        try await VirtualRadio.run(limit: .seconds(100)) { radio in
            let peripheral = VirtualPeripheral(name: "Tag")
            radio.add(peripheral)
            let adapter = radio.adapter()
            let recorder = await Recorder.on(radio.central(on: adapter))
            #expect(await recorder.connect(peripheral.identifier) == nil)
            let start = radio.clock.elapsed
            adapter.unplug()
            _ = await recorder.next { if case .stateChanged(.resetting, _) = $0 { true } else { false } }
            #expect(peripheral.connectionCount == 1)
            try await peripheral.wait { $0.connectionCount == 0 }
            #expect(radio.clock.elapsed - start == .seconds(4))
            adapter.plugIn()
            _ = await recorder.next { if case .stateChanged(.poweredOn, _) = $0 { true } else { false } }
        }
    }

    @Test func `an operation while the radio is off fails as powered off`() async throws {
        try await VirtualRadio.run { radio in
            let recorder = await Recorder.on(radio.central(configuration: .init(state: .poweredOff)))
            #expect(await recorder.perform(.retrieve(["C0:00:00:00:00:01"])) == .failure(.poweredOff))
        }
    }

    @Test(arguments: [ManagerState.unsupported, .unauthorized])
    func `a state that needs an explanation has one`(state: ManagerState) async throws {
        try await VirtualRadio.run { radio in
            let recorder = Recorder(radio.central(configuration: .init(state: state)))
            await recorder.start()
            let entry = await recorder.next { _ in true }
            guard case .stateChanged(let seen, let failure) = entry.event else { throw UnexpectedReply() }
            #expect(seen == state)
            #expect(failure != nil)
        }
    }

    @Test func `invalidating ends links and is followed by no event`() async throws {
        try await VirtualRadio.run(limit: .seconds(100)) { radio in
            let peripheral = VirtualPeripheral(name: "Tag")
            radio.add(peripheral)
            let recorder = await Recorder.on(radio.central())
            #expect(await recorder.connect(peripheral.identifier) == nil)
            await recorder.scan(ScanRequest(allowsDuplicates: true))
            let count = await recorder.entries.count
            await recorder.invalidate()
            try await radio.clock.sleep(for: .seconds(10))
            #expect(peripheral.connectionCount == 0)
            #expect(await recorder.entries.count == count)
        }
    }

    @Test func `a backend that is let go takes its links down`() async throws {
        try await VirtualRadio.run(limit: .seconds(100)) { radio in
            let peripheral = VirtualPeripheral(name: "Tag")
            radio.add(peripheral)
            func connect() async {
                let central = radio.central()
                await central.activate(clock: radio.clock, sink: CentralEventSink { _ in })
                await central.connect(peripheral.identifier)
                try? await peripheral.wait { $0.connectionCount == 1 }
            }
            await connect()
            try await peripheral.wait { $0.connectionCount == 0 }
        }
    }
}
