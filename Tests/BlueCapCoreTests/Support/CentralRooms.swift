// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import BlueCapTestExecutor

@testable import BlueCapCore

/// An owner of the rooms of the central role, without a manager: a scripted backend takes down the calls of the rooms,
/// and the test hands them the events.
actor CentralRooms {
    nonisolated let executor: any BackendExecutor
    nonisolated let clock: BlueCapClock
    nonisolated let meter = RadioMeter(role: .central)
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    nonisolated let scripted: ScriptedCentralBackend
    nonisolated let logger = RadioLog(CentralManager.Configuration().logger, .redacted)
    nonisolated let radio = RadioState<CentralRooms>()
    nonisolated let pairing = PairingDesk<CentralRooms>(acceptsJustWorks: false)
    nonisolated let published = PublishedCentralState()
    let requests = RequestLine<CentralRooms>()
    let journal = JournalKeeper<CentralRooms>(Journal.Opened())
    let book: PeripheralBook
    let scans: ScanDesk
    nonisolated let connections: Connections
    let deliveries = Deliveries()

    private init(_ time: TestTime, features: CentralFeatures, maximumPeripherals: Int) {
        executor = time.executor
        clock = time.clock.clock
        scripted = ScriptedCentralBackend(executor: time.executor, features: features)
        book = PeripheralBook(published, maximum: maximumPeripherals)
        scans = ScanDesk(published)
        connections = Connections(published, maximumAttributes: 16)
    }

    /// Runs a test on a stage of its own, with the radio on, whose clock stands still until the test lets time pass.
    static func run(
        features: CentralFeatures = .separatesReadsFromNotifications, maximumPeripherals: Int = 16,
        _ body: @Sendable (CentralRooms, TestTime) async throws -> Void
    ) async throws {
        let time = TestTime()
        let stage = CentralRooms(time, features: features, maximumPeripherals: maximumPeripherals)
        try await withTaskExecutorPreference(time.executor) {
            await stage.act { $0.radio.changed(to: .poweredOn, nil, $0) }
            try await body(stage, time)
        }
    }

    /// Calls the rooms.
    func act<Result: Sendable>(_ body: @Sendable (isolated CentralRooms) throws -> Result) rethrows -> Result {
        try body(self)
    }

    /// The operations that the backend has not answered.
    var pending: [CentralOperation] { scripted.onExecutor { $0.pending } }

    /// The calls that the backend was given.
    var calls: [ScriptedCentralBackend.Call] { scripted.onExecutor { $0.calls } }

    /// Answers the oldest request that has no answer.
    func answer(_ result: Result<CentralReply, OperationFailure>) {
        guard let request = scripted.onExecutor({ $0.takeFirst() }) else { return }
        requests.finish(request.id, result, self)
    }

    // MARK: Records

    /// A peripheral with a connection.
    func connect(_ id: PeerIdentifier) throws -> PeripheralRecord {
        let record = book.record(for: id, self)
        _ = try record.connection.join(.init(timeout: nil, user: nil) { _ in }, makeNumber(), self)
        record.connection.connected(nil, self)
        return record
    }

    /// A peripheral with a connection, and the characteristics of ``Battery``.
    func discovered(_ id: PeerIdentifier = .one) throws -> (PeripheralRecord, [Characteristic]) {
        let record = try connect(id)
        let service = record.database.merge(services: [Battery().service], replacing: true)[0]
        return (record, record.database.merge(characteristics: Battery().characteristics, of: service))
    }
}

extension CentralRooms: CentralOwner {
    typealias Operation = CentralOperation
    typealias StateError = CentralManagerError
    typealias Contents = CentralRestoration
    typealias Restored = RestoredCentralState

    nonisolated var backend: any CentralBackend { scripted }
    nonisolated var unclaimed: Locked<Int> { published.unclaimed }
    var deadlines: DeadlineTimer<CentralRooms> { requests.deadlines }
    var isInvalidated: Bool { false }
    var isClosed: Bool { false }
    var contents: CentralRestoration { CentralRestoration(peripherals: [], scans: []) }

    func restore(_ contents: CentralRestoration) {}
    func radioLost(_ reason: OperationFailure) {}
    func radioReturned() {}
    func makePeripheral(_ id: PeerIdentifier) -> Peripheral { Peripheral(identifier: id, manager: nil, clock: clock) }
}
