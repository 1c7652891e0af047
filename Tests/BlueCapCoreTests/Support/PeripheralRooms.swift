// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import BlueCapTestExecutor

@testable import BlueCapCore

/// An owner of the rooms of the peripheral role, without a manager: a scripted backend takes down the calls of the
/// rooms, and the test hands them the events.
actor PeripheralRooms {
    nonisolated let executor: any BackendExecutor
    nonisolated let clock: BlueCapClock
    nonisolated let meter = RadioMeter(role: .peripheral)
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    nonisolated let scripted: ScriptedPeripheralBackend
    nonisolated let logger = RadioLog(PeripheralManager.Configuration().logger, .redacted)
    nonisolated let radio = RadioState<PeripheralRooms>()
    nonisolated let pairing = PairingDesk<PeripheralRooms>(acceptsJustWorks: false)
    nonisolated let published = PublishedPeripheralState()
    let requests = RequestLine<PeripheralRooms>()
    let journal = JournalKeeper<PeripheralRooms>(Journal.Opened())
    let server: AttributeServer
    let updates: Updates
    let registrations: Registrations
    let links: CentralLinks

    private init(_ time: TestTime, maximumOpenRequests: Int) {
        executor = time.executor
        clock = time.clock.clock
        scripted = ScriptedPeripheralBackend(executor: time.executor, features: [], accessTimeLimit: nil)
        let database = LocalDatabase(meter: meter)
        server = AttributeServer(
            database, .init(maximumOpenRequests: maximumOpenRequests), platformLimit: nil, writes: published.writes)
        updates = Updates(database, subscriptions: published.subscriptions)
        registrations = Registrations(database, published)
        links = CentralLinks(published, limit: nil)
    }

    /// Runs a test on a stage of its own, with the radio on, whose clock stands still until the test lets time pass.
    static func run(
        maximumOpenRequests: Int = 16, _ body: @Sendable (PeripheralRooms, TestTime) async throws -> Void
    ) async throws {
        let time = TestTime()
        let stage = PeripheralRooms(time, maximumOpenRequests: maximumOpenRequests)
        try await withTaskExecutorPreference(time.executor) {
            await stage.act { $0.radio.changed(to: .poweredOn, nil, $0) }
            try await body(stage, time)
        }
    }

    /// Calls the rooms.
    func act<Result: Sendable>(_ body: @Sendable (isolated PeripheralRooms) throws -> Result) rethrows -> Result {
        try body(self)
    }

    /// The operations that were asked of the backend, summed up.
    var operations: [String] { scripted.onExecutor { $0.summary() } }

    /// The answers to an access.
    func answers(to access: UInt64) -> [Result<Bytes, ATTError>] {
        scripted.onExecutor { $0.answers(to: AccessID(rawValue: access)) }
    }

    /// Answers the oldest request that has no answer.
    func answer(_ result: Result<CentralReply, OperationFailure> = .success(.done)) {
        guard let request = scripted.onExecutor({ $0.takeFirst() }) else { return }
        requests.finish(request.id, result, self)
    }

    /// Adds a service with one characteristic, and gives the characteristic's number.
    func add(_ characteristic: MutableCharacteristic) throws -> AttributeID {
        let service = MutableService(uuid: "180F")
        service.characteristics = [characteristic]
        let id = try registrations.add(service, handle: nil, self)
        registrations.settleAll(self)
        answer()
        guard case .service(_, let local)? = registrations[id]?.content else { throw Unexpected() }
        return local.characteristics[0].id
    }

    /// A service has no place in the table.
    struct Unexpected: Error {}
}

extension PeripheralRooms: PeripheralOwner {
    typealias Operation = PeripheralOperation
    typealias StateError = PeripheralManagerError
    typealias Contents = PeripheralRestoration
    typealias Restored = RestoredPeripheralState

    nonisolated var backend: any PeripheralBackend { scripted }
    nonisolated var manager: PeripheralManager? { nil }
    nonisolated var unclaimed: Locked<Int> { published.unclaimed }
    var deadlines: DeadlineTimer<PeripheralRooms> { requests.deadlines }
    var isInvalidated: Bool { false }
    var isClosed: Bool { false }
    var contents: PeripheralRestoration { PeripheralRestoration(services: [], advertisements: []) }

    func restore(_ contents: PeripheralRestoration) {}
    func radioLost(_ reason: OperationFailure) {}
    func radioReturned() {}
}
