// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Connecting", .timeLimit(.minutes(60)))
struct ConnectingTests {
    private func run(
        _ peripheral: VirtualPeripheral = VirtualPeripheral(name: "Tag", services: [VirtualService("180F")]),
        _ body: @escaping @Sendable (VirtualRadio, VirtualPeripheral, Recorder) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(limit: .seconds(300)) { radio in
            radio.add(peripheral)
            try await body(radio, peripheral, await Recorder.on(radio.central()))
        }
    }

    @Test(arguments: [(23, 23), (185, 185), (517, 517), (9, 23), (600, 517)])
    func `reports the lesser of both sides' MTUs`(offered: Int, used: Int) async throws {
        let peripheral = VirtualPeripheral(name: "Tag", connection: .init(maximumTransmissionUnit: offered))
        try await run(peripheral) { _, peripheral, recorder in
            await recorder.begin(connecting: peripheral.identifier)
            let entry = await recorder.next { if case .connected = $0 { true } else { false } }
            #expect(entry.event.summary == "connected \(peripheral.identifier) \(used)")
        }
    }

    @Test func `waits for as long as the peripheral does not advertise`() async throws {
        let peripheral = VirtualPeripheral(name: "Tag", isAdvertising: false)
        try await run(peripheral) { radio, peripheral, recorder in
            await recorder.begin(connecting: peripheral.identifier)
            try await radio.clock.sleep(for: .seconds(100))
            #expect(await recorder.entries.count == 1)
            peripheral.startAdvertising()
            _ = await recorder.next { if case .connected = $0 { true } else { false } }
            #expect(radio.clock.elapsed < .seconds(101))
        }
    }

    @Test func `that is taken back fails, and the peripheral stays free`() async throws {
        let peripheral = VirtualPeripheral(name: "Tag", isAdvertising: false)
        try await run(peripheral) { radio, peripheral, recorder in
            await recorder.begin(connecting: peripheral.identifier)
            await recorder.disconnect(peripheral.identifier)
            let entry = await recorder.next { if case .connectFailed = $0 { true } else { false } }
            #expect(entry.event.summary == "connect failed \(peripheral.identifier) disconnected")
            peripheral.startAdvertising()
            try await radio.clock.sleep(for: .seconds(5))
            #expect(peripheral.totalConnectionCount == 0)
        }
    }

    @Test func `that is taken back while the link is made fails, and the link goes`() async throws {
        try await run { _, peripheral, recorder in
            await recorder.begin(connecting: peripheral.identifier)
            try await peripheral.wait { $0.connectionCount == 1 }
            await recorder.disconnect(peripheral.identifier)
            let entry = await recorder.next { if case .connectFailed = $0 { true } else { false } }
            #expect(entry.event.summary == "connect failed \(peripheral.identifier) disconnected")
            #expect(peripheral.connectionCount == 0)
            #expect(await recorder.connect(peripheral.identifier) == nil)
        }
    }

    @Test func `fails with a reason when the peripheral refuses, and succeeds when it does no more`() async throws {
        try await run { _, peripheral, recorder in
            peripheral.refuseConnections()
            let failure = await recorder.connect(peripheral.identifier)
            guard case .backend(let reason) = failure else { return #expect(failure == nil) }
            #expect(reason.name == "VirtualRadio.ConnectionFailedToBeEstablished")
            peripheral.refuseConnections(false)
            #expect(await recorder.connect(peripheral.identifier) == nil)
        }
    }

    @Test func `a vanished peripheral is lost after the supervision timeout, not before`() async throws {
        try await run { radio, peripheral, recorder in
            #expect(await recorder.connect(peripheral.identifier) == nil)
            let start = radio.clock.elapsed
            peripheral.vanish()
            let end = await recorder.disconnection(of: peripheral.identifier)
            #expect(end.time - start == .seconds(4))
            #expect(end.failure?.name == "VirtualRadio.ConnectionTimeout")
            #expect(peripheral.connectionCount == 0)
        }
    }

    @Test
    func `a peripheral that comes back within the supervision timeout keeps its link and what was sent`() async throws {
        try await run { radio, peripheral, recorder in
            #expect(await recorder.connect(peripheral.identifier) == nil)
            peripheral.vanish()
            let id = await recorder.begin(.discoverServices(peripheral.identifier, nil))
            try await radio.clock.sleep(for: .seconds(3))
            peripheral.reappear()
            let reply = try await recorder.reply(to: id).get()
            guard case .services(let services) = reply else { throw UnexpectedReply() }
            #expect(services.map(\.uuid) == ["180F"])
            try await radio.clock.sleep(for: .seconds(10))
            #expect(peripheral.connectionCount == 1)
        }
    }

    @Test func `ended by the peripheral gives its reason`() async throws {
        try await run { _, peripheral, recorder in
            #expect(await recorder.connect(peripheral.identifier) == nil)
            peripheral.disconnect()
            let end = await recorder.disconnection(of: peripheral.identifier)
            #expect(end.failure?.name == "VirtualRadio.RemoteUserTerminated")
        }
    }

    @Test func `ended from both sides at once is reported once`() async throws {
        try await run { radio, peripheral, recorder in
            #expect(await recorder.connect(peripheral.identifier) == nil)
            peripheral.disconnect()
            await recorder.disconnect(peripheral.identifier)
            try await radio.clock.sleep(for: .seconds(10))
            #expect(await recorder.count { if case .disconnected = $0 { true } else { false } } == 1)
        }
    }

    @Test func `a peripheral that restarts is lost by the supervision timeout and advertises at once`() async throws {
        try await run { radio, peripheral, recorder in
            #expect(await recorder.connect(peripheral.identifier) == nil)
            await recorder.scan(ScanRequest(allowsDuplicates: true))
            let start = radio.clock.elapsed
            peripheral.reset()
            #expect(await recorder.sighting(of: "Tag") != nil)
            #expect(radio.clock.elapsed - start < .milliseconds(500))
            let end = await recorder.disconnection(of: peripheral.identifier)
            #expect(end.time - start == .seconds(4))
        }
    }

    @Test func `stops the peripheral's advertising until it ends`() async throws {
        try await run { radio, peripheral, recorder in
            #expect(await recorder.connect(peripheral.identifier) == nil)
            await recorder.scan(ScanRequest(allowsDuplicates: true))
            try await radio.clock.sleep(for: .seconds(2))
            #expect(await recorder.count { if case .sighted = $0 { true } else { false } } == 0)
            await recorder.disconnect(peripheral.identifier)
            #expect(await recorder.sighting(of: "Tag") != nil)
        }
    }

    @Test func `two centrals share a peripheral that takes two, and compete for one that takes one`() async throws {
        try await VirtualRadio.run { radio in
            let one = VirtualPeripheral(name: "One")
            let two = VirtualPeripheral(name: "Two", connection: .init(maximumConnections: 2))
            radio.add(one)
            radio.add(two)
            let first = await Recorder.on(radio.central(address: "00:00:5E:00:53:0A"))
            let second = await Recorder.on(radio.central(address: "00:00:5E:00:53:0B"))
            #expect(await first.connect(two.identifier) == nil)
            #expect(await second.connect(two.identifier) == nil)
            #expect(two.connectionCount == 2)
            #expect(await first.connect(one.identifier) == nil)
            await second.begin(connecting: one.identifier)
            try await radio.clock.sleep(for: .seconds(5))
            #expect(one.totalConnectionCount == 1)
            await first.disconnect(one.identifier)
            try await one.wait { $0.totalConnectionCount == 2 }
        }
    }

    @Test func `without a link every operation on it fails as disconnected`() async throws {
        try await run { _, peripheral, recorder in
            let reply = await recorder.perform(.read(peripheral.identifier, AttributeID(handle: 3)))
            #expect(reply == .failure(.disconnected))
        }
    }

    @Test func `tells what the adapter knows and what is connected`() async throws {
        try await run { _, peripheral, recorder in
            let id = peripheral.identifier
            #expect(await recorder.perform(.retrieve([id])) == .success(.peripherals([])))
            #expect(await recorder.connect(id) == nil)
            let expected = KnownPeripheral(id: id, name: "Tag", isConnected: true, isBonded: false)
            #expect(await recorder.perform(.retrieve([id, "C0:00:00:00:00:00"])) == .success(.peripherals([expected])))
            #expect(
                await recorder.perform(.retrieveConnected(services: ["180F"])) == .success(.peripherals([expected])))
            #expect(await recorder.perform(.retrieveConnected(services: ["180D"])) == .success(.peripherals([])))
        }
    }

    @Test func `measures the strength of the link, and has none of a vanished peripheral`() async throws {
        try await run { _, peripheral, recorder in
            #expect(await recorder.connect(peripheral.identifier) == nil)
            peripheral.move(to: .immediate)
            guard case .rssi(let rssi) = try await recorder.perform(.readRSSI(peripheral.identifier)).get() else {
                throw UnexpectedReply()
            }
            #expect((-47 ... -33).contains(rssi))
            peripheral.vanish()
            #expect(await recorder.perform(.readRSSI(peripheral.identifier)) == .failure(.rssiUnavailable))
        }
    }

    @Test func `another timing holds from the event that carries it, for packets and for the loss of the link`()
        async throws
    {
        let parameters = try ConnectionParameters(
            interval: .milliseconds(500)...(.milliseconds(900)), latency: 1, supervisionTimeout: .seconds(10))
        try await run { radio, peripheral, recorder in
            let id = peripheral.identifier
            #expect(await recorder.connect(id) == nil)
            #expect(peripheral.connectionParameters == nil)
            let updates = Locked<[AirLink]>([])
            _ = radio.observe { event in
                if case .timed(let link) = event { updates.withLock { $0.append(link) } }
            }
            #expect(
                await recorder.perform(.setConnectionParameters(id, parameters)) == .success(.parameters(.now)))
            #expect(peripheral.connectionParameters == parameters)
            #expect(updates.withLock { $0.map(\.interval) } == [.milliseconds(500)])
            #expect(updates.withLock { $0.map(\.latency) } == [1])
            let start = radio.clock.elapsed
            // A request goes out at one event, and its answer comes at the next.
            _ = await recorder.perform(.discoverServices(id, nil))
            #expect(radio.clock.elapsed - start >= .seconds(1))
            peripheral.vanish()
            let vanished = radio.clock.elapsed
            _ = await recorder.next { if case .disconnected = $0 { true } else { false } }
            #expect(radio.clock.elapsed - vanished == .seconds(10))
        }
    }
}
