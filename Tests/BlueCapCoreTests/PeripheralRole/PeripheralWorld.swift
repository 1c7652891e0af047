// SPDX-License-Identifier: MIT

import BlueCapSerDe
import BlueCapTestExecutor
import Logging
import Testing

@testable import BlueCapCore

/// A peripheral manager over a scripted backend, on a manual clock.
struct PeripheralWorld: ManualWorld {
    static let one = Central(identifier: "C0:DE:00:00:00:01", maximumUpdateLength: 20)
    static let two = Central(identifier: "C0:DE:00:00:00:02", maximumUpdateLength: 20)

    let clock = ManualClock()
    let executor = TestExecutor()
    let backend: ScriptedPeripheralBackend
    let manager: PeripheralManager

    private init(
        features: PeripheralFeatures, accessTimeLimit: Duration?, maximumPendingUpdates: Int,
        maximumOpenRequests: Int, maximumCentrals: Int?, logger: Logger, store: MemoryRestorationStore?
    ) {
        backend = ScriptedPeripheralBackend(executor: executor, features: features, accessTimeLimit: accessTimeLimit)
        manager = PeripheralManager(
            backend: backend,
            configuration: .init(
                clock: clock.clock, logger: logger, maximumPendingUpdates: maximumPendingUpdates,
                maximumOpenRequests: maximumOpenRequests, maximumCentrals: maximumCentrals,
                restoreIdentifier: store.map { _ in "app" }, restorationStore: store))
    }

    /// Runs a test whose tasks are all on the world's one executor, so that ``idle()`` can wait for all of them.
    static func run(
        state: ManagerState? = .poweredOn,
        features: PeripheralFeatures = [.severalAdvertisements, .individualSubscribers],
        accessTimeLimit: Duration? = .seconds(30), maximumPendingUpdates: Int = 1024,
        maximumOpenRequests: Int = 1024, maximumCentrals: Int? = nil,
        logger: Logger = Logger(label: "bluecap.peripheral"),
        restoring store: MemoryRestorationStore? = nil,
        _ body: @Sendable (PeripheralWorld) async throws -> Void
    ) async throws {
        let world = PeripheralWorld(
            features: features, accessTimeLimit: accessTimeLimit, maximumPendingUpdates: maximumPendingUpdates,
            maximumOpenRequests: maximumOpenRequests, maximumCentrals: maximumCentrals, logger: logger, store: store)
        try await world.run(from: state.map { .stateChanged($0, nil) }, body)
    }

    func emit(_ event: PeripheralEvent) async {
        await backend.emit(event)
        await idle()
    }

    /// Answers the oldest request.
    func answer(_ result: Result<Void, OperationFailure> = .success(())) async {
        #expect(await backend.answerNext(result))
        await idle()
    }

    func refuse(_ failure: OperationFailure = .backend(.refused)) async { await answer(.failure(failure)) }

    // MARK: Shorthand

    /// Adds a service, which the platform takes at once.
    func add(_ service: MutableService) async throws {
        let call = await start { try await manager.add(service) }
        await answer()
        _ = try call.get()
    }

    /// A characteristic in a service that is added.
    func characteristic(
        properties: CharacteristicProperties = [.read, .write, .notify],
        permissions: AttributePermissions = [.readable, .writeable], value: Bytes? = nil
    ) async throws -> MutableCharacteristic {
        let characteristic = MutableCharacteristic(
            uuid: "2A19", properties: properties, permissions: permissions, value: value)
        let service = MutableService(uuid: "180F")
        service.characteristics = [characteristic]
        try await add(service)
        return characteristic
    }

    /// Reads as a central, and returns the answers: none, one, or, wrongly, several.
    func read(
        _ characteristic: MutableCharacteristic, from offset: Int = 0
    ) async throws -> [Result<Bytes, ATTError>] {
        let id = try #require(characteristic.registration?.id)
        let access = await backend.access(id, .read(offset: offset), Self.one)
        await idle()
        return await backend.answers(to: access)
    }

    /// Begins to write as a central.
    func write(
        _ value: Bytes, at offset: Int = 0, _ kind: WriteRequestKind = .request, from central: Central = one,
        to characteristic: MutableCharacteristic
    ) async throws -> AccessID {
        let id = try #require(characteristic.registration?.id)
        let access = await backend.access(id, .write(value, offset: offset, kind), central)
        await idle()
        return access
    }

    func answers(to access: AccessID) async -> [Result<Bytes, ATTError>] {
        await idle()
        return await backend.answers(to: access)
    }

    func subscribe(_ central: Central = one, to characteristic: MutableCharacteristic) async throws {
        await emit(.subscribed(try #require(characteristic.registration?.id), central))
    }

    func unsubscribe(_ central: Central = one, from characteristic: MutableCharacteristic) async throws {
        await emit(.unsubscribed(try #require(characteristic.registration?.id), central))
    }

    /// The radio goes off and comes back with its registrations, or without them.
    func cyclePower(forgetting: Bool = false) async {
        await emit(.stateChanged(.poweredOff, nil))
        if forgetting { await emit(.registrationsLost) }
        await emit(.stateChanged(.poweredOn, nil))
    }
}

extension BackendFailure {
    static let refused = BackendFailure(name: "org.example.Refused", message: "refused")
}

extension PeripheralOperation {
    /// The operation and its object, without the content.
    var summary: String {
        switch self {
        case .add(let service): "add \(service.uuid)"
        case .remove: "remove"
        case .advertise(_, let advertisement): "advertise \(advertisement.localName ?? "")"
        case .updateAdvertisement(_, let advertisement): "change to \(advertisement.localName ?? "")"
        case .stopAdvertising: "stop"
        case .update(_, let value, _): "update \(value.hex)"
        case .disconnect(let central, let reason): "disconnect \(central) for \(reason)"
        }
    }
}

extension ScriptedPeripheralBackend {
    /// All operations from a place on, summed up.
    func summary(from index: Int = 0) -> [String] { operations.dropFirst(index).map(\.summary) }
}
