// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapRuntime
import BlueCapSerDe

/// A manager's place over the backend of the central role: it keeps all events, and asks.
final class Seam: Sendable {
    private typealias Waiter = CheckedContinuation<Result<CentralReply, OperationFailure>, Never>

    private struct State {
        var events: [CentralEvent] = []
        var coalescing: [Bool] = []
        var lastRequest: UInt64 = 0
        var waiting: [RequestID: Waiter] = [:]
    }

    let backend: CoreBluetoothCentralBackend
    private let world: StandInWorld
    private let state = Locked(State())

    init(in world: StandInWorld, over backend: CoreBluetoothCentralBackend = CoreBluetoothCentralBackend()) {
        self.world = world
        self.backend = world.attached(backend)
    }

    var events: [CentralEvent] { state.withLock { $0.events } }

    /// The reports about the background. They are none of `events`: a notification of the system, which a test posts,
    /// comes to the backends of all tests.
    var coalescing: [Bool] { state.withLock { $0.coalescing } }

    /// Begins, and waits until the radio is on.
    func begin() async throws -> Bool {
        await backend.activate(clock: world.clock, sink: CentralEventSink { [weak self] in self?.receive($0) })
        return try await world.wait { self.events.contains { $0.isPoweredOn } }
    }

    private func receive(_ event: CentralEvent) {
        let continuation = state.withLock { state -> Waiter? in
            if case .sightingsCoalesced(let isOn) = event {
                state.coalescing.append(isOn)
                return nil
            }
            state.events.append(event)
            if case .reply(let request, _) = event { return state.waiting.removeValue(forKey: request) }
            return nil
        }
        if case .reply(_, let result) = event { continuation?.resume(returning: result) }
    }

    /// Begins an operation.
    ///
    /// - Returns: The number of the request.
    @discardableResult
    func send(_ operation: CentralOperation) async -> RequestID {
        let id = makeRequest()
        await backend.perform(CentralRequest(id: id, operation: operation))
        return id
    }

    /// Performs an operation, for ten simulated seconds at the most.
    func ask(_ operation: CentralOperation) async throws -> CentralReply {
        let id = makeRequest()
        let (backend, state) = (backend, state)
        let timer = world.clock.schedule(after: .seconds(10)) {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: .failure(.unsupported))
        }
        defer { timer.cancel() }
        return try await withCheckedContinuation { continuation in
            state.withLock { $0.waiting[id] = continuation }
            backend.later { $0.perform(CentralRequest(id: id, operation: operation)) }
        }.get()
    }

    private func makeRequest() -> RequestID {
        state.withLock { state in
            state.lastRequest += 1
            return RequestID(rawValue: state.lastRequest)
        }
    }

    /// Connects, and waits until the connection is reported.
    func connect(_ id: PeerIdentifier) async throws -> Bool {
        let before = count { $0.isConnection(to: id) }
        await backend.connect(id)
        return try await world.wait { self.count { $0.isConnection(to: id) } > before }
    }

    func count(_ isCounted: (CentralEvent) -> Bool) -> Int { events.count(where: isCounted) }

    /// The answers in the order in which they came.
    var answered: [RequestID] {
        events.compactMap { if case .reply(let request, _) = $0 { request } else { nil } }
    }

    /// Discovers the services and their characteristics.
    func discover(_ id: PeerIdentifier) async throws -> [DiscoveredService: [DiscoveredCharacteristic]] {
        var found: [DiscoveredService: [DiscoveredCharacteristic]] = [:]
        guard case .services(let services) = try await ask(.discoverServices(id, nil)) else { return [:] }
        for service in services {
            let reply = try await ask(.discoverCharacteristics(id, service: service.id, nil))
            if case .characteristics(let list) = reply { found[service] = list }
        }
        return found
    }
}

extension CentralEvent {
    var isPoweredOn: Bool { if case .stateChanged(.poweredOn, _) = self { true } else { false } }

    func isConnection(to peer: PeerIdentifier) -> Bool {
        if case .connected(peer, _) = self { true } else { false }
    }
}
