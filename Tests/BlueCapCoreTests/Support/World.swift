// SPDX-License-Identifier: MIT

import BlueCapSerDe
import BlueCapTestExecutor

@testable import BlueCapCore

/// A manager over a scripted backend, on a manual clock.
struct World: ManualWorld {
    let clock = ManualClock()
    let executor = TestExecutor()
    let backend: ScriptedCentralBackend
    let central: CentralManager

    private init(
        features: CentralFeatures, maximumDiscoveredPeripherals: Int, profiles: ProfileManager = ProfileManager(),
        acceptsJustWorks: Bool = false, maximumAttributes: Int = 4096, store: (any RestorationStore)? = nil,
        restoresState: Bool = false
    ) {
        backend = ScriptedCentralBackend(executor: executor, features: features, restoresState: restoresState)
        central = CentralManager(
            backend: backend,
            configuration: .init(
                clock: clock.clock, maximumDiscoveredPeripherals: maximumDiscoveredPeripherals, profiles: profiles,
                acceptsJustWorks: acceptsJustWorks, maximumAttributes: maximumAttributes,
                restoreIdentifier: store.map { _ in "app" }, restorationStore: store))
    }

    /// Runs a test whose tasks are all on the world's one executor, so that ``idle()`` can wait for all of them.
    static func run(
        state: ManagerState? = .poweredOn, features: CentralFeatures = .separatesReadsFromNotifications,
        maximumDiscoveredPeripherals: Int = 1024,
        profiles: ProfileManager = ProfileManager(), acceptsJustWorks: Bool = false, maximumAttributes: Int = 4096,
        restoring store: (any RestorationStore)? = nil, restoresState: Bool = false,
        _ body: @Sendable (World) async throws -> Void
    ) async throws {
        let world = World(
            features: features, maximumDiscoveredPeripherals: maximumDiscoveredPeripherals, profiles: profiles,
            acceptsJustWorks: acceptsJustWorks, maximumAttributes: maximumAttributes, store: store,
            restoresState: restoresState)
        try await world.run(from: state.map { .stateChanged($0, nil) }, body)
    }

    /// Runs a test on the threads of the default executor, against a backend on its own.
    static func runThreaded(
        features: CentralFeatures = [], _ body: @Sendable (World) async throws -> Void
    ) async throws {
        let world = World(features: features, maximumDiscoveredPeripherals: 1024)
        await world.backend.wait(for: .activate)
        await world.backend.emit(.stateChanged(.poweredOn, nil))
        try await body(world)
    }

    /// Sends an event to the manager and lets all of its effects happen.
    func emit(_ event: CentralEvent) async {
        await backend.emit(event)
        await idle()
    }

    /// Answers a request and lets everything that follows from it happen.
    func answer(_ operation: CentralOperation, _ reply: CentralReply) async {
        await backend.answer(operation, .success(reply))
        await idle()
    }

    /// Refuses a request and lets everything that follows from it happen.
    func refuse(_ operation: CentralOperation, _ failure: OperationFailure) async {
        await backend.answer(operation, .failure(failure))
        await idle()
    }

    /// A peripheral that the manager knows.
    func meet(_ id: PeerIdentifier = .one) async -> Peripheral { await central.meet(id) }

    /// A peripheral that is connected.
    func connect(_ id: PeerIdentifier = .one, maximumTransmissionUnit: Int? = nil) async throws -> Peripheral {
        let peripheral = await meet(id)
        try await connect(peripheral, maximumTransmissionUnit: maximumTransmissionUnit)
        return peripheral
    }

    /// Connects a peripheral.
    func connect(_ peripheral: Peripheral, maximumTransmissionUnit: Int? = nil) async throws {
        let call = await start { try await peripheral.connect() }
        await emit(.connected(peripheral.identifier, maximumTransmissionUnit: maximumTransmissionUnit))
        _ = try call.get()
    }

    /// Ends a connection from the far side.
    func lose(_ peripheral: Peripheral) async { await emit(.disconnected(peripheral.identifier, nil)) }

    /// Discovers the services and characteristics of ``Battery`` and gives its level.
    @discardableResult
    func discover(_ peripheral: Peripheral, _ database: Battery = Battery()) async throws -> Characteristic {
        let id = peripheral.identifier
        let call = await start { try await peripheral.discover() }
        await backend.answer(.discoverServices(id, nil), .services([database.service]))
        await backend.answer(
            .discoverCharacteristics(id, service: database.service.id, nil), .characteristics(database.characteristics))
        await idle()
        _ = try call.get()
        return try peripheral.characteristic(database.level.uuid)
    }

    /// A connected peripheral with its level discovered.
    func level(maximumTransmissionUnit: Int? = nil) async throws -> (Peripheral, Characteristic) {
        let peripheral = try await connect(maximumTransmissionUnit: maximumTransmissionUnit)
        return (peripheral, try await discover(peripheral))
    }

    /// A packet is received.
    func sight(
        _ id: PeerIdentifier = .one, name: String? = nil, services: [BluetoothUUID] = [], rssi: Int? = -50
    ) async {
        let advertisements = PeripheralAdvertisements(localName: name, serviceUUIDs: services)
        await emit(.sighted(Sighting(peripheral: id, advertisements: advertisements, rssi: rssi)))
    }
}

extension PeerIdentifier {
    static let one: PeerIdentifier = "C0:DE:00:00:00:01"
    static let two: PeerIdentifier = "C0:DE:00:00:00:02"
    static let three: PeerIdentifier = "C0:DE:00:00:00:03"
}

extension CentralManager {
    func meet(_ id: PeerIdentifier) -> Peripheral { book.record(for: id, self).peripheral }

    /// Calls a room, with the manager as its owner.
    func act(_ body: @Sendable (isolated CentralManager) throws -> Void) rethrows { try body(self) }
}

/// A small database: one service with a characteristic that can do everything and one that is read only.
struct Battery: Sendable {
    var service = DiscoveredService(id: AttributeID(handle: 0x10), uuid: "180F")
    var level = DiscoveredCharacteristic(
        id: AttributeID(handle: 0x12), uuid: "2A19", properties: [.read, .write, .writeWithoutResponse, .notify])
    var status = DiscoveredCharacteristic(id: AttributeID(handle: 0x15), uuid: "2A1A", properties: [.read])
    var characteristics: [DiscoveredCharacteristic] { [level, status] }

    static let level = AttributeID(handle: 0x12)
    static let status = AttributeID(handle: 0x15)
}
