// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Restoring a central", .timeLimit(.minutes(60)))
struct CentralRestoringTests {
    static let on = CentralOperation.setNotifying(.one, Battery.level, true, .standard)
    static let off = CentralOperation.setNotifying(.one, Battery.level, false, .standard)

    /// A program that is connected to ``PeerIdentifier/one``, listens to its level, and ends without a word.
    static func killed(
        _ store: MemoryRestorationStore, policy: ReconnectPolicy = .never,
        _ body: @escaping @Sendable (World, Peripheral, Characteristic) async throws -> Void = { _, _, _ in }
    ) async throws {
        try await World.run(restoring: store) { world in
            let (peripheral, level) = try await world.level()
            peripheral.reconnectPolicy = policy
            let listener = Recorder(try await NotifyingTests.listen(world, level), on: world)
            await world.idle()
            try await body(world, peripheral, level)
            store.closeAll()
            listener.cancel()
        }
    }

    /// Answers the requests of a restored manager whose link stands, up to the subscription's confirmation.
    static func takeUp(_ world: World, stands: Bool = true) async {
        await world.emit(.stateChanged(.poweredOn, nil))
        await world.answer(.retrieve([.one]), .peripherals([KnownPeripheral(id: .one, isConnected: stands)]))
        await world.emit(.connected(.one, maximumTransmissionUnit: 185))
        let battery = Battery()
        await world.answer(.discoverServices(.one, ["180F"]), .services([battery.service]))
        await world.answer(
            .discoverCharacteristics(.one, service: battery.service.id, nil), .characteristics(battery.characteristics))
    }

    @Test func `a link that stands is taken up, and its subscription is on before it is reported`() async throws {
        let store = MemoryRestorationStore()
        try await Self.killed(store)
        try await World.run(state: nil, restoring: store) { world in
            let restored = try #require(try await world.central.restoredState())
            let peripheral = try #require(restored.peripherals.first)
            let level = try #require(restored.characteristics.first)
            #expect(peripheral.identifier == .one)
            #expect(world.central.state == .unknown)
            let again = try await world.central.restoredState()
            #expect(again == nil)
            let events = await world.recorder(peripheral.connectionEvents())
            await Self.takeUp(world)
            #expect(!peripheral.isConnected)
            #expect(events.all == [])
            // The peer's first value finds the subscription.
            await world.emit(NotifyingTests.value([1]))
            await world.answer(Self.on, .done)
            #expect(events.all == [.connected])
            #expect(peripheral.isConnected)
            await world.emit(NotifyingTests.value([2]))
            let values = Recorder(try await NotifyingTests.listen(world, level), on: world)
            await world.idle()
            #expect(values.all == [[1], [2]])
            await world.emit(NotifyingTests.value([3]))
            #expect(values.all == [[1], [2], [3]])
            values.cancel()
            await world.idle()
            #expect(await world.backend.pending == [Self.off])
        }
    }

    @Test
    func `a caller whose time is over before a restored link is reported is answered, and the link stays`() async throws
    {
        for policy in [ReconnectPolicy.never, ReconnectPolicy(), ReconnectPolicy(maximumTimeouts: 0)] {
            let store = MemoryRestorationStore()
            try await Self.killed(store, policy: policy)
            try await World.run(state: nil, restoring: store) { world in
                let peripheral = try #require(try await world.central.restoredState()?.peripherals.first)
                let events = await world.recorder(peripheral.connectionEvents())
                await Self.takeUp(world)
                let call = await world.start { try await peripheral.connect(timeout: .seconds(1)) }
                await world.advance(by: .seconds(1))
                #expect(call.error as? PeripheralError == .connectionTimeout)
                #expect(events.all == [])
                await world.answer(Self.on, .done)
                #expect(events.all == [.connected])
                #expect(peripheral.isConnected)
                #expect(peripheral.statistics.timeoutCount == 0)
            }
        }
    }

    @Test func `a restored link that the app ends before it is reported is never reported as connected`() async throws {
        for answersFirst in [true, false] {
            let store = MemoryRestorationStore()
            try await Self.killed(store)
            try await World.run(state: nil, restoring: store) { world in
                let peripheral = try #require(try await world.central.restoredState()?.peripherals.first)
                let events = await world.recorder(peripheral.connectionEvents())
                await Self.takeUp(world)
                let end = await world.start { await peripheral.disconnect() }
                let next = await world.start { try await peripheral.connect(timeout: .seconds(60)) }
                if answersFirst { await world.answer(Self.on, .done) }
                await world.advance(by: .seconds(6))
                #expect(events.all == [])
                #expect(!next.isDone)
                await world.emit(.disconnected(.one, nil))
                #expect(end.isDone)
                #expect(events.all == [.forcedDisconnect])
            }
        }
    }

    @Test func `a link that has fallen is given up without a policy, and made again with one`() async throws {
        for policy in [ReconnectPolicy.never, ReconnectPolicy()] {
            let store = MemoryRestorationStore()
            try await Self.killed(store, policy: policy)
            try await World.run(state: nil, restoring: store) { world in
                let restored = try #require(try await world.central.restoredState())
                let peripheral = try #require(restored.peripherals.first)
                #expect(peripheral.reconnectPolicy == policy)
                let events = await world.recorder(peripheral.connectionEvents())
                await world.emit(.stateChanged(.poweredOn, nil))
                await world.answer(.retrieve([.one]), .peripherals([KnownPeripheral(id: .one)]))
                #expect(events.all == (policy == .never ? [.disconnected(.disconnected)] : []))
                #expect(await world.backend.count(.connect(.one)) == (policy == .never ? 0 : 1))
            }
        }
    }

    @Test func `a radio that goes away while it is asked which links stand is waited for`() async throws {
        let store = MemoryRestorationStore()
        try await Self.killed(store)
        try await World.run(state: nil, restoring: store) { world in
            let peripheral = try #require(try await world.central.restoredState()?.peripherals.first)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(await world.backend.pending == [.retrieve([.one])])
            await world.emit(.stateChanged(.poweredOff, nil))
            await Self.takeUp(world)
            await world.answer(Self.on, .done)
            #expect(peripheral.isConnected)
        }
    }

    @Test
    func `a peripheral that the app disconnects before the radio is on loses the link that still stands`() async throws
    {
        for stands in [true, false] {
            let store = MemoryRestorationStore()
            try await Self.killed(store, policy: ReconnectPolicy())
            try await World.run(state: nil, restoring: store) { world in
                let peripheral = try #require(try await world.central.restoredState()?.peripherals.first)
                await peripheral.disconnect()
                let events = await world.recorder(peripheral.connectionEvents())
                await world.emit(.stateChanged(.poweredOn, nil))
                await world.answer(.retrieve([.one]), .peripherals([KnownPeripheral(id: .one, isConnected: stands)]))
                #expect(await world.backend.count(.connect(.one)) == (stands ? 1 : 0))
                if !stands { return }
                await world.emit(.connected(.one, maximumTransmissionUnit: 185))
                #expect(await world.backend.count(.disconnect(.one)) == 1)
                await world.emit(.disconnected(.one, nil))
                #expect(events.all == [.forcedDisconnect])
                #expect(await world.backend.pending == [])
            }
        }
    }

    @Test func `values that nobody takes up are held to a bound, and the others counted`() async throws {
        let store = MemoryRestorationStore()
        try await Self.killed(store)
        try await World.run(state: nil, restoring: store) { world in
            let level = try #require(try await world.central.restoredState()?.characteristics.first)
            await Self.takeUp(world)
            await world.answer(Self.on, .done)
            for number in 0..<1_030 { await world.backend.emit(NotifyingTests.value(.init([UInt8(number & 255)]))) }
            await world.idle()
            #expect(level.droppedCount == 6)
            let notifications = try await NotifyingTests.listen(world, level)
            #expect(notifications.droppedCount == 6)
        }
    }

    @Test func `what a program does not want any more is not restored`() async throws {
        let store = MemoryRestorationStore()
        try await Self.killed(store) { world, peripheral, _ in
            let call = await world.start { await peripheral.disconnect() }
            await world.emit(.disconnected(.one, nil))
            _ = try call.get()
        }
        try await World.run(state: nil, restoring: store) { world in
            let restored = try await world.central.restoredState()
            #expect(restored == nil)
        }
    }

    @Test func `a subscription in an included service is found again through the service that includes it`()
        async throws
    {
        let store = MemoryRestorationStore()
        let battery = Battery()
        let inner = DiscoveredService(id: AttributeID(handle: 0x30), uuid: "180A", isPrimary: false)
        let inside = DiscoveredCharacteristic(id: AttributeID(handle: 0x32), uuid: "2A29", properties: [.notify])
        let on = CentralOperation.setNotifying(.one, inside.id, true, .standard)
        let included = CentralOperation.discoverIncludedServices(.one, service: battery.service.id, nil)
        let found = CentralOperation.discoverCharacteristics(.one, service: inner.id, nil)
        try await World.run(restoring: store) { world in
            let (peripheral, _) = try await world.level()
            let outer = try #require(peripheral.services.first)
            let call = await world.start { try await outer.discoverIncludedServices() }
            await world.answer(included, .services([inner]))
            let service = try #require(try call.get().first)
            let discovery = await world.start { try await service.discoverCharacteristics() }
            await world.answer(found, .characteristics([inside]))
            let characteristic = try #require(try discovery.get().first)
            let listening = await world.start { try await characteristic.startNotifying() }
            await world.answer(on, .done)
            _ = try listening.get()
            store.closeAll()
        }
        try await World.run(state: nil, restoring: store) { world in
            let restored = try #require(try await world.central.restoredState())
            let characteristic = try #require(restored.characteristics.first)
            #expect(characteristic.uuid == "2A29")
            await world.emit(.stateChanged(.poweredOn, nil))
            await world.answer(.retrieve([.one]), .peripherals([KnownPeripheral(id: .one, isConnected: true)]))
            await world.emit(.connected(.one, maximumTransmissionUnit: 185))
            let asked = await world.backend.pending.last
            guard case .discoverServices(.one, let uuids?) = asked else {
                Issue.record("asked for \(String(describing: asked))")
                return
            }
            #expect(Set(uuids) == ["180F", "180A"])
            await world.answer(.discoverServices(.one, uuids), .services([battery.service]))
            await world.answer(included, .services([inner]))
            await world.answer(found, .characteristics([inside]))
            await world.answer(on, .done)
            #expect(characteristic.isNotifying)
            #expect(restored.peripherals.first?.isConnected == true)
        }
    }

    @Test func `the end of a manager for good empties its journal; its release does not`() async throws {
        let store = MemoryRestorationStore()
        try await Self.killed(store)
        let before = store["app.central"]
        try await World.run(state: nil, restoring: store) { world in
            _ = try await world.central.restoredState()
        }
        #expect(store["app.central"] == before)
        try await World.run(state: nil, restoring: store) { world in await world.central.invalidate() }
        #expect(store["app.central"] != before)
    }

    @Test func `a second manager of one identifier is told that it is in use`() async throws {
        let store = MemoryRestorationStore()
        try await World.run(restoring: store) { _ in
            try await World.run(restoring: store) { second in
                await #expect(
                    throws: CentralManagerError.restoreFailed(
                        RestorationFailure(.inUse, location: "memory:app.central"))
                ) { try await second.central.restoredState() }
                let again = try await second.central.restoredState()
                #expect(again == nil)
            }
        }
    }

    @Test func `a journal that is damaged is told once and kept aside`() async throws {
        let store = MemoryRestorationStore()
        store["app.central"] = Bytes(Array("BlueCapJ".utf8) + [1, 0])
        try await World.run(restoring: store) { world in
            await #expect(
                throws: CentralManagerError.restoreFailed(
                    RestorationFailure(.corrupt, location: "memory:app.central", keptAt: "memory:app.central.kept"))
            ) { try await world.central.restoredState() }
            let again = try await world.central.restoredState()
            #expect(again == nil)
            #expect(store.contentsSetAside("app.central")?.count == 10)
        }
    }

    @Test func `values and sightings write nothing, and nothing is written twice`() async throws {
        let store = MemoryRestorationStore()
        try await Self.killed(store) { world, _, _ in
            let before = store["app.central"]
            store["app.central"] = nil
            for number in 0..<100 { await world.emit(NotifyingTests.value([UInt8(number)])) }
            await world.sight(.two)
            #expect(store["app.central"] == nil)
            store["app.central"] = before
        }
    }

    @Test
    func `what could not be written is written with the next change, though that leads back to it`() async throws {
        let store = FailingStore()
        try await World.run(restoring: store) { world in
            let (peripheral, _) = try await world.level()
            await world.idle()
            let before = try #require(store.memory["app.central"])
            store.fails.withLock { $0 = true }
            peripheral.reconnectPolicy = ReconnectPolicy()
            await world.idle()
            #expect(store.memory["app.central"] == before)
            store.memory["app.central"] = nil
            store.fails.withLock { $0 = false }
            peripheral.reconnectPolicy = ReconnectPolicy()
            await world.idle()
            #expect(store.memory["app.central"] != nil)
        }
    }

    /// A program that ends while it scans, with a journal in `store`.
    private static func leaveScan(in store: MemoryRestorationStore) async throws {
        try await World.run(restoring: store) { world in
            let call = await world.start {
                for try await _ in world.central.scan(for: ["180F"], options: ScanOptions(minimumRSSI: -60)) {}
            }
            await world.idle()
            store.closeAll()
            await world.cancel(call)
        }
    }

    @Test func `a scan is given to the app to begin again`() async throws {
        let store = MemoryRestorationStore()
        try await Self.leaveScan(in: store)
        try await World.run(state: nil, restoring: store) { world in
            let scans = try await world.central.restoredState()?.scans
            #expect(scans == [.init(services: ["180F"], options: ScanOptions(minimumRSSI: -60))])
        }
    }

    @Test func `a scan that the journal and the platform report is restored once, with the journal's options`()
        async throws
    {
        let store = MemoryRestorationStore()
        try await Self.leaveScan(in: store)
        try await World.run(state: nil, restoring: store, restoresState: true) { world in
            let call = await world.start { try await world.central.restoredState() }
            let ofPlatform = [CentralRestoration.Scan(services: ["180F"]), .init(services: ["180D"])]
            await world.emit(.restored(CentralRestoration(scans: ofPlatform)))
            await world.emit(.stateChanged(.poweredOn, nil))
            let ofJournal = CentralRestoration.Scan(services: ["180F"], options: ScanOptions(minimumRSSI: -60))
            let restored = try call.get()
            #expect(restored?.scans == [ofJournal, .init(services: ["180D"])])
        }
    }

    @Test func `a platform that restores by itself is waited for, and its links are taken up`() async throws {
        try await World.run(state: nil, restoresState: true) { world in
            let call = await world.start { try await world.central.restoredState() }
            await world.emit(.restored(CentralRestoration(peripherals: [.init(id: .one)])))
            #expect(!call.isDone)
            await world.emit(.stateChanged(.poweredOn, nil))
            let peripheral = try #require(try call.get()?.peripherals.first)
            // A link that the manager did not make.
            await world.emit(.connected(.one, maximumTransmissionUnit: 23))
            #expect(peripheral.isConnected)
        }
    }
}

/// A store whose disk is full for a while.
private final class FailingStore: RestorationStore {
    private final class FailingJournal: RestorationJournal {
        let journal: any RestorationJournal
        let store: FailingStore

        init(_ journal: any RestorationJournal, _ store: FailingStore) { (self.journal, self.store) = (journal, store) }

        var location: String { journal.location }
        func read() throws(RestorationFailure) -> Bytes? { try journal.read() }
        func setAside() -> String? { journal.setAside() }
        func close() { journal.close() }

        func write(_ contents: Bytes, failed: @escaping @Sendable (RestorationFailure) -> Void) {
            if store.fails.withLock({ $0 }) { return failed(.init(.inaccessible(28), location: location)) }
            journal.write(contents, failed: failed)
        }
    }

    let memory = MemoryRestorationStore()
    let fails = Locked(false)

    func open(_ name: String) throws(RestorationFailure) -> any RestorationJournal {
        FailingJournal(try memory.open(name), self)
    }
}
