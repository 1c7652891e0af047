// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapDBus
import BlueCapPrivateBus
import Testing

/// A backend of the peripheral role over a stub, on a bus of its own and a clock that stands still.
final class PeripheralStage: Sendable {
    let bus: PrivateBus
    let stub: StubBlueZ
    let clock = ManualClock()
    let backend: BlueZPeripheralBackend
    private let box = Mailbox<PeripheralEvent, Never>(capacity: .unbounded)
    private let lastRequest = Locked<UInt64>(0)

    /// Makes a stage with an adapter that is on, and the central's device connected.
    ///
    /// - Parameters:
    ///   - advertising: The properties of the adapter's advertising interface.
    ///   - modalias: The adapter's Modalias, which shows the daemon's version.
    init(advertising: StubBlueZ.Properties? = nil, modalias: String? = nil) async throws {
        bus = try PrivateBus()
        stub = try StubBlueZ(on: bus)
        backend = BlueZPeripheralBackend(bus: bus.address)
        await stub.run {
            $0.add(StubBlueZ.adapter, Stage.adapter())
            if let modalias {
                $0.keep(StubBlueZ.adapter, BlueZInterface.adapter, ["Modalias": .string(modalias)])
            }
            if let advertising { $0.add(StubBlueZ.adapter, [BlueZInterface.advertisingManager: advertising]) }
            $0.add(Stage.device, Stage.deviceProperties(isConnected: true))
        }
        try await stub.start()
        let (clock, sink) = (clock.clock, PeripheralEventSink { [box] in box.push($0) })
        await command { $0.activate(clock: clock, sink: sink) }
        while true {
            if case .stateChanged(.poweredOn, _) = try await next() { return }
        }
    }

    /// The number of events that have come and were not taken yet.
    var eventCount: Int { box.count }

    /// Sends a value to all subscribers, without waiting for its answer.
    func update(_ value: Bytes) async -> RequestID {
        await request(.update(Self.characteristic, value, central: nil))
    }

    /// The next event, those of the links of centrals left out.
    func next() async throws -> PeripheralEvent {
        while true {
            let event = try await nextOfAll()
            if !event.isOfLink { return event }
        }
    }

    /// The next event, which is to be one of a link.
    func nextOfLink() async throws -> PeripheralEvent {
        let event = try await nextOfAll()
        guard event.isOfLink else { throw Unexpected("\(event)") }
        return event
    }

    private func nextOfAll() async throws -> PeripheralEvent {
        guard let event = await box.next() else { throw CancellationError() }
        return event
    }

    /// The next event, which is to be an access.
    func access() async throws -> AttributeAccess {
        let event = try await next()
        guard case .access(let access) = event else { throw Unexpected("\(event)") }
        return access
    }

    /// The next event, which is to be a subscription.
    func subscriber(of attribute: AttributeID) async throws -> Central {
        let event = try await next()
        guard case .subscribed(attribute, let central) = event else { throw Unexpected("\(event)") }
        return central
    }

    // MARK: Links

    /// Changes properties of the central's device.
    func set(_ properties: StubBlueZ.Properties) async {
        await stub.run { $0.set(Stage.device, BlueZInterface.device, properties) }
    }

    /// Changes them without a word.
    func keep(_ properties: StubBlueZ.Properties) async {
        await stub.run { $0.keep(Stage.device, BlueZInterface.device, properties) }
    }

    /// Lets the time pass after which the backend handles the consequences of a link's change.
    func passSettlingTime() async {
        await clock.waitForTimer(within: .milliseconds(200))
        clock.advance(by: .milliseconds(200))
        // The jobs of the timers run before this one.
        await command { _ in }
    }

    static let other = StubBlueZ.adapter + "/dev_C0_00_00_00_00_02"

    /// Another device is connected.
    func addOther() async {
        await stub.run {
            $0.add(
                Self.other,
                Stage.deviceProperties(address: "C0:00:00:00:00:02", isConnected: true))
        }
    }

    /// Its link ends.
    func endOther() async {
        await stub.run { $0.set(Self.other, BlueZInterface.device, ["Connected": .bool(false)]) }
    }

    /// The radio goes off, which ends the central's link, and on again; nothing else is reported.
    func passPowerOff() async throws {
        await stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)]) }
        guard case .stateChanged(.poweredOff, _) = try await next() else { throw Unexpected("still on") }
        await set(["Connected": .bool(false)])
        await stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(true)]) }
        guard case .stateChanged(.poweredOn, _) = try await next() else { throw Unexpected("not on at once") }
    }

    // MARK: As the manager

    /// Runs a command on the backend's executor.
    func command(_ body: @escaping @Sendable (isolated BlueZPeripheralBackend) -> Void) async {
        await run(body, on: backend)
    }

    private func run(
        _ body: @Sendable (isolated BlueZPeripheralBackend) -> Void, on backend: isolated BlueZPeripheralBackend
    ) { body(backend) }

    /// Sends a request without waiting for its answer.
    @discardableResult
    func request(_ operation: PeripheralOperation) async -> RequestID {
        let number = lastRequest.withLock { number in
            number += 1
            return number
        }
        let request = PeripheralRequest(id: RequestID(rawValue: number), operation: operation)
        await command { $0.perform(request) }
        return request.id
    }

    /// The answer to a request, which is to be the next event.
    func answer(to id: RequestID) async throws -> Result<Void, OperationFailure> {
        let event = try await next()
        guard case .reply(id, let result) = event else { throw Unexpected("\(event)") }
        return result
    }

    /// The failure of a request, which has to be the next event; nil if it succeeded.
    func failure(of id: RequestID) async throws -> OperationFailure? {
        if case .failure(let failure) = try await answer(to: id) { failure } else { nil }
    }

    /// Adds a service, which the daemon takes.
    @discardableResult
    func add(_ service: LocalService) async throws -> Served {
        let id = await request(.add(service))
        let call = try await stub.call("RegisterApplication")
        call.reply()
        try await answer(to: id).get()
        return Served(client: call.call.sender, root: try root(of: call), stub: stub)
    }

    func root(of call: StubCall) throws -> String { try #require(call.arguments[0].objectPathValue) }

    /// Adds a service with one characteristic, whose number is 2.
    func serve(
        _ properties: CharacteristicProperties,
        permissions: AttributePermissions = [.readable, .writeable], usesWriteSocket: Bool = false
    ) async throws -> Served {
        try await add(
            Self.service(
                1,
                .init(
                    id: Self.characteristic, uuid: "2A37", properties: properties, permissions: permissions,
                    usesWriteSocket: usesWriteSocket)))
    }

    static let characteristic = AttributeID(rawValue: 2)

    static func service(
        _ number: UInt32, including included: [UInt32] = [], _ characteristics: LocalCharacteristic...
    ) -> LocalService {
        LocalService(
            id: AttributeID(rawValue: number), uuid: "180D",
            includedServices: included.map { AttributeID(rawValue: $0) }, characteristics: characteristics)
    }
}

extension PeripheralEvent {
    /// Whether a central connected, changed or left.
    fileprivate var isOfLink: Bool {
        switch self {
        case .centralConnected, .centralChanged, .centralDisconnected: true
        default: false
        }
    }
}

/// An application that was registered, as the daemon sees it.
struct Served {
    let client: String
    let root: String
    let stub: StubBlueZ

    /// The properties of an interface of all objects, by path.
    func objects(_ interface: String) async throws -> [String: StubBlueZ.Properties] {
        let message = try await stub.invoke(client, root, StandardInterface.objectManager, "GetManagedObjects").get()
        var objects: [String: StubBlueZ.Properties] = [:]
        for object in try message.body(expecting: "a{oa{sa{sv}}}")[0].entriesValue ?? [] {
            for entry in object.value.entriesValue ?? [] where entry.key.stringValue == interface {
                objects[try #require(object.key.objectPathValue)] = entry.value.propertiesValue
            }
        }
        return objects
    }

    /// The path of the first characteristic.
    func characteristic() async throws -> String {
        try #require(try await objects(BlueZInterface.characteristic).keys.min())
    }

    /// Calls a method of the first characteristic.
    func call(_ member: String, _ body: [DBusValue] = []) async throws -> Message {
        try await stub.invoke(client, try await characteristic(), BlueZInterface.characteristic, member, body).get()
    }

    /// Calls a method whose answer the test has to bring about.
    func begin(_ member: String, _ body: [DBusValue]) async throws -> Task<Result<Message, DBusError>, Never> {
        let path = try await characteristic()
        return Task { await stub.invoke(client, path, BlueZInterface.characteristic, member, body) }
    }

    /// The socket and the MTU that an Acquire method answers.
    func acquire(_ member: String, _ options: StubBlueZ.Properties) async throws -> (SocketEnd, UInt16) {
        let reply = try await call(member, [.properties(options)])
        let unit = try #require(try reply.body(expecting: "hq")[1].uint16Value)
        return (SocketEnd(try reply.takeDescriptor(at: 0)), unit)
    }
}
#endif
