// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual

/// Plays a manager over one peripheral backend: answers accesses with a handler, keeps the events and waits for them.
actor ServerRecorder: RadioActor {
    typealias Handler = @Sendable (AttributeAccess) -> Result<Bytes, ATTError>?

    private let backend: VirtualPeripheralBackend
    private let handler: Handler
    private(set) var events: [PeripheralEvent] = []
    private var read = 0
    private var waiter: CheckedContinuation<Void, Never>?
    private var lastRequest: UInt64 = 0

    nonisolated var executor: any BackendExecutor { backend.executor }
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe backend.executor.asUnownedSerialExecutor() }

    init(_ backend: VirtualPeripheralBackend, handler: @escaping Handler) {
        self.backend = backend
        self.handler = handler
    }

    /// A recorder over a backend that has reported that its radio is on; accesses for which the handler has no answer
    /// stay open.
    static func on(
        _ backend: VirtualPeripheralBackend, handler: @escaping Handler = { _ in .success([]) }
    ) async -> ServerRecorder {
        let recorder = ServerRecorder(backend, handler: handler)
        await recorder.start()
        _ = await recorder.next { if case .stateChanged = $0 { true } else { false } }
        return recorder
    }

    private func start() async {
        let sink = PeripheralEventSink { event in self.onExecutor { $0.took(event) } }
        await backend.activate(clock: backend.radio.clock, sink: sink)
    }

    private func took(_ event: PeripheralEvent) {
        events.append(event)
        if case .access(let access) = event, let answer = handler(access) {
            backend.onExecutor { $0.respond(to: access.id, answer) }
        }
        waiter?.resume()
        waiter = nil
    }

    /// The next event, from where the last call ended, that fits; those before it are passed over.
    func next(_ fits: @Sendable (PeripheralEvent) -> Bool) async -> PeripheralEvent {
        while true {
            while read < events.count {
                read += 1
                if fits(events[read - 1]) { return events[read - 1] }
            }
            await withCheckedContinuation { waiter = $0 }
        }
    }

    /// Does an operation; nil when it succeeded.
    @discardableResult
    func perform(_ operation: PeripheralOperation) async -> OperationFailure? {
        lastRequest += 1
        let id = RequestID(rawValue: lastRequest)
        await backend.perform(PeripheralRequest(id: id, operation: operation))
        let reply = await next { if case .reply(id, _) = $0 { true } else { false } }
        if case .reply(_, .failure(let failure)) = reply { return failure }
        return nil
    }

    func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) async {
        await backend.respond(to: access, result)
    }

    func nextAccess() async -> AttributeAccess? {
        let event = await next { if case .access = $0 { true } else { false } }
        if case .access(let access) = event { return access }
        return nil
    }
}

/// A peripheral role on one adapter and a central on another, connected, with one service of one characteristic.
struct RolesWorld: Sendable {
    static let characteristic = AttributeID(rawValue: 2)
    static let address: PeerIdentifier = "00:00:5E:00:53:02"

    let radio: VirtualRadio
    let server: ServerRecorder
    let central: Recorder
    let found: FoundDatabase

    var value: AttributeID { found.characteristic("FFF1") }

    static func service(
        id: UInt32 = 1, _ properties: CharacteristicProperties, _ permissions: AttributePermissions
    ) -> LocalService {
        LocalService(
            id: AttributeID(rawValue: id), uuid: "FFF0",
            characteristics: [
                LocalCharacteristic(
                    id: AttributeID(rawValue: id + 1), uuid: "FFF1", properties: properties, permissions: permissions)
            ])
    }

    static func run(
        properties: CharacteristicProperties = [.read, .write, .notify],
        permissions: AttributePermissions = [.readable, .writeable],
        adapter: VirtualAdapter.Configuration = .init(),
        handler: @escaping ServerRecorder.Handler = { _ in .success([]) },
        _ body: @escaping @Sendable (RolesWorld) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let server = await ServerRecorder.on(radio.peripheral(configuration: adapter), handler: handler)
            await server.perform(.add(service(properties, permissions)))
            await server.perform(.advertise(AdvertisementID(rawValue: 1), Advertisement(localName: "Ours")))
            let central = await Recorder.on(radio.central())
            _ = await central.connect(address)
            let found = try await central.discover(address)
            try await body(RolesWorld(radio: radio, server: server, central: central, found: found))
        }
    }
}
