// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapDBus
import BlueCapPrivateBus
import Testing

/// A backend over a stub, on a bus of its own and a clock that stands still.
final class Stage: Sendable {
    static let id: PeerIdentifier = "C0:00:00:00:00:01"
    static let device = StubBlueZ.adapter + "/dev_C0_00_00_00_00_01"
    static let service = device + "/service0010"
    /// Reads, notifies.
    static let value = service + "/char0011"
    static let valueID = AttributeID(handle: 0x11)
    /// Reads, writes, takes commands.
    static let control = service + "/char0014"
    static let controlID = AttributeID(handle: 0x14)

    let bus: PrivateBus
    let stub: StubBlueZ
    let clock = ManualClock()
    let backend: BlueZCentralBackend
    let events: EventLog
    private let lastRequest = Locked<UInt64>(0)

    /// - Parameter isOn: Whether to start the stub with an adapter that is on, and wait for the backend to say so.
    init(
        adapter: AdapterSelection = .default, isOn: Bool = true, filtersServicesInDaemon: Bool = false,
        version: String = "0542"
    ) async throws {
        bus = try PrivateBus()
        stub = try StubBlueZ(on: bus)
        backend = BlueZCentralBackend(
            adapter: adapter, bus: bus.address, filtersServicesInDaemon: filtersServicesInDaemon)
        events = EventLog()
        if isOn {
            await stub.run { $0.add(StubBlueZ.adapter, Stage.adapter(version: version)) }
            try await stub.start()
        }
        let (clock, sink) = (clock.clock, events.sink)
        await command { $0.activate(clock: clock, sink: sink) }
        if isOn { try await #expect(events.state() == .poweredOn) }
    }

    /// A stage with the device known, connected and resolved.
    static func connected() async throws -> Stage {
        let stage = try await Stage()
        await stage.stub.run {
            $0.add(Stage.device, Stage.deviceProperties())
        }
        try await stage.connect()
        await stage.stub.run { stub in
            stub.addDatabase()
            stub.set(Stage.device, BlueZInterface.device, ["ServicesResolved": .bool(true)])
        }
        let found = try await stage.perform(.discoverServices(Stage.id, nil))
        guard case .success(.services) = found else { throw Unexpected("\(found)") }
        return stage
    }

    /// Connects as BlueZ does.
    func connect() async throws {
        // The backend has to know the objects that the stub has announced.
        try await settle()
        await command { $0.connect(Stage.id) }
        let call = try await stub.call("Connect")
        await stub.run { stub in
            stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(true)])
            call.reply()
        }
        guard case .connected = try await events.next() else { throw Unexpected("not connected") }
    }

    /// Lets the time pass for which the first discovery after an outage waits.
    func passGrace() async {
        await clock.waitForTimer(within: .milliseconds(100))
        clock.advance(by: .milliseconds(100))
    }

    /// Runs a command on the backend's executor.
    func command(_ body: @escaping @Sendable (isolated BlueZCentralBackend) -> Void) async {
        await run(body, on: backend)
    }

    private func run(
        _ body: @Sendable (isolated BlueZCentralBackend) -> Void, on backend: isolated BlueZCentralBackend
    ) { body(backend) }

    /// Sends a request without waiting for its answer.
    @discardableResult
    func request(_ operation: CentralOperation) async -> RequestID {
        let number = lastRequest.withLock { number in
            number += 1
            return number
        }
        let request = CentralRequest(id: RequestID(rawValue: number), operation: operation)
        await command { $0.perform(request) }
        return request.id
    }

    /// Sends a request and waits for its answer, which is to be the next event but for changes of the MTU.
    func perform(_ operation: CentralOperation) async throws -> Result<CentralReply, OperationFailure> {
        let id = await request(operation)
        return try await answer(to: id)
    }

    func answer(to id: RequestID) async throws -> Result<CentralReply, OperationFailure> {
        while true {
            switch try await events.next() {
            case .maximumTransmissionUnitChanged: continue
            case .reply(id, let result): return result
            case let event: throw Unexpected("\(event)")
            }
        }
    }

    /// Returns when the backend has handled all messages of the stub, and the stub all messages that the backend sent
    /// in return.
    func settle() async throws {
        // A signal that the backend does answer to, behind all others.
        let name = "Settled \(lastRequest.withLock { $0 += 1; return $0 })"
        await stub.run { $0.set(Stage.device, BlueZInterface.device, ["Name": .string(name)]) }
        guard case .nameChanged(_, name) = try await events.next() else { throw Unexpected("an event before") }
        await stub.settle()
    }

    /// Removes BlueZ's objects of the peer's services and adds the same ones again.
    func renewServices() async throws {
        await stub.run { stub in
            for path in [Stage.value + "/desc0013", Stage.value, Stage.service] { stub.remove(path) }
            stub.addDatabase()
        }
        // The first of these objects sets the timer. All of them are to be known before the clock is advanced.
        try await settle()
        await clock.waitForTimer(within: .milliseconds(150))
        clock.advance(by: .milliseconds(150))
        guard case .servicesChanged = try await events.next() else { throw Unexpected("no change") }
    }
}

/// An event after which a test cannot go on.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Keeps a backend's events until they are asked for.
final class EventLog: Sendable {
    private let box = Mailbox<CentralEvent, Never>(capacity: .unbounded)

    var sink: CentralEventSink { CentralEventSink { [box] in box.push($0) } }
    var count: Int { box.count }

    func next() async throws -> CentralEvent {
        guard let event = await box.next() else { throw CancellationError() }
        return event
    }

    /// The next event, which is to be a state.
    func state() async throws -> ManagerState {
        try await change().0
    }

    func change() async throws -> (ManagerState, BackendFailure?) {
        let event = try await next()
        guard case .stateChanged(let state, let failure) = event else { throw Unexpected("\(event)") }
        return (state, failure)
    }

    func value() async throws -> Bytes {
        let event = try await next()
        guard case .valueChanged(_, _, let value) = event else { throw Unexpected("\(event)") }
        return value
    }
}

extension Stage {
    static func adapter(
        address: String = "C0:DE:00:00:00:01", isPowered: Bool = true, version: String = "0542"
    ) -> [String: StubBlueZ.Properties] {
        [
            BlueZInterface.adapter: [
                "Address": .string(address), "Powered": .bool(isPowered),
                "Modalias": .string("usb:v1D6Bp0246d\(version)"),
            ]
        ]
    }

    static func deviceProperties(
        address: String = "C0:00:00:00:00:01", rssi: Int16? = nil, isConnected: Bool = false, isResolved: Bool = false
    ) -> [String: StubBlueZ.Properties] {
        var properties: StubBlueZ.Properties = [
            "Address": .string(address), "Name": .string("Heart"), "Alias": .string("Heart"),
            "Connected": .bool(isConnected), "ServicesResolved": .bool(isResolved),
            "UUIDs": .strings(["0000180d-0000-1000-8000-00805f9b34fb"]), "Adapter": .objectPath(StubBlueZ.adapter),
        ]
        if let rssi { properties["RSSI"] = .int16(rssi) }
        return [BlueZInterface.device: properties]
    }

    static func service(_ uuid: String, isPrimary: Bool = true, includes: [String] = []) -> [String: StubBlueZ
        .Properties]
    {
        [
            BlueZInterface.service: [
                "UUID": .string(uuid), "Primary": .bool(isPrimary), "Device": .objectPath(device),
                "Includes": .objectPaths(includes),
            ]
        ]
    }

    static func characteristic(
        _ uuid: String, _ flags: [String], mtu: UInt16? = 517, more: StubBlueZ.Properties = [:]
    ) -> [String: StubBlueZ.Properties] {
        var properties: StubBlueZ.Properties = ["UUID": .string(uuid), "Flags": .strings(flags), "Value": .bytes([])]
        if let mtu { properties["MTU"] = .uint16(mtu) }
        return [BlueZInterface.characteristic: properties.merging(more) { $1 }]
    }
}

extension StubBlueZ {
    /// One service with the stage's characteristics.
    func addDatabase() {
        add(Stage.service, Stage.service("0000180d-0000-1000-8000-00805f9b34fb"))
        add(
            Stage.value,
            Stage.characteristic(
                "00002a37-0000-1000-8000-00805f9b34fb", ["read", "notify"],
                more: ["Notifying": .bool(false), "NotifyAcquired": .bool(false)]))
        add(
            Stage.value + "/desc0013",
            [BlueZInterface.descriptor: ["UUID": .string("00002902-0000-1000-8000-00805f9b34fb")]])
        add(
            Stage.control,
            Stage.characteristic(
                "00002a39-0000-1000-8000-00805f9b34fb", ["read", "write", "write-without-response"],
                more: ["WriteAcquired": .bool(false)]))
        add(
            Stage.control + "/desc0016",
            [BlueZInterface.descriptor: ["UUID": .string("00002901-0000-1000-8000-00805f9b34fb")]])
    }
}
#endif
