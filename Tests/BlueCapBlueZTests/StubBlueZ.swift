// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapRuntime

// SAFETY: everything but the mailboxes, which have their lock, is touched on the loop's thread alone, inside `run` and
// by handlers of calls.
/// An `org.bluez` without behaviour: it holds objects that the test puts there, and every call waits for the test's
/// answer.
final class StubBlueZ: @unchecked Sendable {
    typealias Properties = [String: DBusValue]

    static let adapter = "/org/bluez/hci0"

    let loop: EventLoop
    let address: String
    private(set) var objects: [String: [String: Properties]] = [:]
    private(set) var link: BusLink?
    /// Every call but GetManagedObjects, as `member` and the last part of its path.
    private(set) var log: [String] = []
    var holdsObjects = false
    /// Members that are answered with nothing, at once.
    var accepted: Set<String> = [
        "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery", "StopNotify", "UnregisterApplication",
        "UnregisterAdvertisement", "RegisterMonitor", "UnregisterMonitor",
    ]
    private var exported: Set<String> = []
    /// The client that asked for the objects last.
    private var client: String?
    private let boxes = Locked<[String: Mailbox<StubCall, Never>]>([:])

    init(on bus: PrivateBus) throws {
        address = bus.address
        loop = try EventLoop()
    }

    /// Runs `body` on the stub's thread.
    @discardableResult
    func run<Value: Sendable>(_ body: @escaping @Sendable (StubBlueZ) -> Value) async -> Value {
        await loop.run { body(self) }
    }

    /// Comes onto the bus as `org.bluez`.
    func start() async throws {
        let connection = try await connect()
        // The name belongs to the connection that `kill` closed until the bus has read its end.
        while try await !connection.requestName("org.bluez") {}
    }

    /// Comes onto the bus without a name.
    @discardableResult
    func connect() async throws -> BusConnection {
        let connection = try await BusConnection.open(BusAddress(address), on: loop)
        let link = connection.link
        await run { me in
            // The connection would close with its actor.
            me.connections.append(connection)
            me.link = link
            me.exported = []
            me.exportManager()
            me.export(BlueZPath.root)
            for path in me.objects.keys.sorted() { me.export(path) }
        }
        return connection
    }

    private var connections: [BusConnection] = []

    /// Has the bus read its configuration again, and returns when it has.
    func reloadBus() async throws {
        _ = try await invoke(BusDaemon.name, BusDaemon.path, BusDaemon.interface, "ReloadConfig").get()
    }

    /// Leaves the bus as a daemon that is killed.
    func kill() async {
        await run { me in
            me.link?.close()
            me.link = nil
        }
    }

    /// The same, and returns when the bus has announced the end to every program.
    func leave() async throws {
        let connection = try await BusConnection.open(BusAddress(address), on: loop)
        await kill()
        let bus = "org.freedesktop.DBus"
        var isOwned = true
        while isOwned {
            let question = try Message.methodCall(
                to: bus, path: "/org/freedesktop/DBus", interface: bus, member: "NameHasOwner",
                body: [.string("org.bluez")])
            isOwned = try await connection.call(question).body(expecting: "b")[0].boolValue ?? false
        }
    }

    /// The next call of a member; waits for it.
    func call(_ member: String) async throws -> StubCall {
        guard let call = await box(member).next() else { throw CancellationError() }
        return call
    }

    private func box(_ member: String) -> Mailbox<StubCall, Never> {
        boxes.withLock { boxes in
            if let box = boxes[member] { return box }
            let box = Mailbox<StubCall, Never>(capacity: .unbounded)
            boxes[member] = box
            return box
        }
    }

    /// Returns when everything is in the log that the backend has called so far.
    func settle() async {
        guard let client = await run({ $0.client }) else { return }
        // Answered behind that; by the bus, where the backend has left it.
        _ = await invoke(client, "/", "org.freedesktop.DBus.Peer", "Ping")
    }

    /// Asks an agent that was registered with `registration`.
    func ask(_ registration: StubCall, _ member: String, _ body: [DBusValue]) async -> Result<[DBusValue], DBusError> {
        let result = await invoke(
            registration.call.sender, registration.arguments[0].objectPathValue ?? "/", BlueZInterface.agent, member,
            body)
        return result.flatMap { reply in
            Result { () throws(DBusError) in try reply.body() }
        }
    }

    /// Calls a method of a program's object.
    func invoke(
        _ client: String, _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = []
    ) async -> Result<Message, DBusError> {
        // Ends with the test that waits, too, when no answer comes.
        let answer = Mailbox<Result<Message, DBusError>, Never>(capacity: .unbounded)
        loop.submit { [self] in
            let message = Result { () throws(DBusError) in
                try Message.methodCall(to: client, path: path, interface: interface, member: member, body: body)
            }
            guard let link, case .success(let message) = message else {
                answer.push(.failure(.disconnected))
                return
            }
            link.call(message) { _ = answer.push($0) }
        }
        return await answer.next() ?? .failure(.cancelled)
    }

    // MARK: On the stub's thread

    /// Puts interfaces on an object and announces them.
    func add(_ path: String, _ interfaces: [String: Properties]) {
        objects[path, default: [:]].merge(interfaces) { $1 }
        export(path)
        emit(
            "/", StandardInterface.objectManager, "InterfacesAdded", [.objectPath(path), Self.describe(interfaces)])
    }

    /// Takes an object, or some of its interfaces, away.
    func remove(_ path: String, _ interfaces: [String]? = nil) {
        let gone = interfaces ?? objects[path]?.keys.sorted() ?? []
        for name in gone { objects[path]?[name] = nil }
        if objects[path]?.isEmpty == true { objects[path] = nil }
        emit("/", StandardInterface.objectManager, "InterfacesRemoved", [.objectPath(path), .strings(gone)])
    }

    /// Changes properties without a word.
    func keep(_ path: String, _ interface: String, _ set: Properties) { objects[path]?[interface]?.merge(set) { $1 } }

    /// Changes properties and says so.
    func set(_ path: String, _ interface: String, _ set: Properties, invalidated: [String] = []) {
        keep(path, interface, set)
        for name in invalidated { objects[path]?[interface]?[name] = nil }
        emit(
            path, StandardInterface.properties, "PropertiesChanged",
            [.string(interface), .properties(set), .strings(invalidated)])
    }

    /// Notifies the value of a characteristic.
    func notify(_ path: String, _ bytes: [UInt8]) {
        set(path, BlueZInterface.characteristic, ["Value": .bytes(bytes)])
    }

    func emit(_ path: String, _ interface: String, _ member: String, _ body: [DBusValue]) {
        try? link?.emitSignal(at: path, interface: interface, member: member, body: body)
    }

    private static func describe(_ interfaces: [String: Properties]) -> DBusValue {
        .dictionary(
            DBusDictionary(
                keySignature: "s", valueSignature: "a{sv}",
                entries: interfaces.sorted { $0.key < $1.key }
                    .map { .init(key: .string($0.key), value: .properties($0.value)) }))
    }

    var managed: DBusValue {
        .dictionary(
            DBusDictionary(
                keySignature: "o", valueSignature: "a{sa{sv}}",
                entries: objects.sorted { $0.key < $1.key }
                    .map { .init(key: .objectPath($0.key), value: Self.describe($0.value)) }))
    }

    private func exportManager() {
        var manager = ExportedInterface(StandardInterface.objectManager)
        manager.method("GetManagedObjects", out: "a{oa{sa{sv}}}") { [weak self] call in
            // A test that has ended answers nothing any more.
            guard let self else { return }
            client = call.sender
            if holdsObjects { box("GetManagedObjects").push(StubCall(call)) } else { call.reply(managed) }
        }
        try? link?.export([manager], at: "/")
    }

    private static let methods: [String: [(String, String)]] = [
        BlueZInterface.adapter: [
            ("StartDiscovery", ""), ("StopDiscovery", ""), ("SetDiscoveryFilter", "a{sv}"), ("GetDiscoveryFilters", ""),
            ("RemoveDevice", "o"),
        ],
        BlueZInterface.device: [("Connect", ""), ("Disconnect", ""), ("Pair", ""), ("CancelPairing", "")],
        BlueZInterface.agentManager: [("RegisterAgent", "os"), ("UnregisterAgent", "o"), ("RequestDefaultAgent", "o")],
        BlueZInterface.characteristic: [
            ("ReadValue", "a{sv}"), ("WriteValue", "aya{sv}"), ("StartNotify", ""), ("StopNotify", ""),
            ("AcquireNotify", "a{sv}"), ("AcquireWrite", "a{sv}"),
        ],
        BlueZInterface.descriptor: [("ReadValue", "a{sv}"), ("WriteValue", "aya{sv}")],
        BlueZInterface.gattManager: [("RegisterApplication", "oa{sv}"), ("UnregisterApplication", "o")],
        BlueZInterface.advertisementMonitorManager: [("RegisterMonitor", "o"), ("UnregisterMonitor", "o")],
        BlueZInterface.advertisingManager: [
            ("RegisterAdvertisement", "oa{sv}"), ("UnregisterAdvertisement", "o"),
        ],
    ]

    /// The properties that a program may set.
    private static let settable: Set<String> = ["PreferredBearer"]

    /// Methods stay when an object goes: only the signals show whether the object is there.
    private func export(_ path: String) {
        guard let link, exported.insert(path).inserted else { return }
        let interfaces = Self.methods.map { name, methods in
            var interface = ExportedInterface(name)
            for (member, signature) in methods {
                interface.method(member, in: signature) { [weak self] in self?.receive($0, path) }
            }
            for (property, value) in objects[path]?[name] ?? [:] {
                let get: () -> DBusValue? = { [weak self] in self?.objects[path]?[name]?[property] ?? value }
                guard Self.settable.contains(property) else {
                    interface.property(property, value.signature, get: get)
                    continue
                }
                interface.property(property, value.signature, get: get) { [weak self] value, call in
                    self?.log.append("\(property) \(value.stringValue ?? "")")
                    self?.set(path, name, [property: value])
                    call.reply()
                }
            }
            return interface
        }
        try? link.export(interfaces, at: path)
    }

    private func receive(_ call: MethodCall, _ path: String) {
        let member = call.message.member ?? ""
        log.append("\(member) \(BlueZPath.name(of: path))")
        if member == "GetDiscoveryFilters" {
            call.reply(.strings(filterKeys))
        } else if accepted.contains(member) {
            call.reply { _ in }
            box(member).push(StubCall(call))
        } else {
            box(member).push(StubCall(call))
        }
    }

    var filterKeys = ["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"]
}

/// A call that waits for its answer.
struct StubCall: Sendable {
    let call: MethodCall

    init(_ call: MethodCall) { self.call = call }

    var path: String { call.message.path ?? "" }
    var arguments: [DBusValue] { call.arguments }

    func reply(_ value: DBusValue) { call.reply(value) }
    func reply() { call.reply { _ in } }
    func fail(_ name: String, _ text: String = "") { call.fail("org.bluez.Error." + name, text) }
}
#endif
