// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapDBus

/// The central role over BlueZ: communicates with `bluetoothd` over the system's message bus, beside all other programs
/// that do.
///
/// It needs no privileges beyond the bus's policy for `org.bluez`. The module's documentation lists the operations that
/// BlueZ makes impossible, and the error for each.
public actor BlueZCentralBackend: CentralBackend {
    /// The event loop of the bus connection, which all managers of this process on one bus share.
    public nonisolated let executor: any BackendExecutor
    /// The features beyond the common ground: the backend reports when a peripheral that a connection waits for is in
    /// range. BlueZ cannot measure a connection's signal strength.
    public nonisolated var features: CentralFeatures {
        [.peripheralPresence, .separatesReadsFromNotifications]
    }

    // SAFETY: `executor` is held by a `let` of this actor, so it lives at least as long as the unowned reference is
    // used.
    /// The executor, for the actor's own use.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Nil when there is no bus to be had at all; `startFailure` then says why.
    let session: BlueZSession?
    let startFailure: BackendFailure?
    let passesServices: Bool

    var sink: CentralEventSink?
    var clock = BlueCapClock.continuous
    /// Names this backend among the observers and users of its session.
    var number: UInt64 = 0
    var watch: AdapterWatch
    var state: ManagerState { watch.state }
    var adapter: String? { watch.path }

    var isScanning = false
    var links: [String: BlueZLink] = [:]
    /// Links that ended in this turn.
    var ended: [BlueZLink] = []
    /// The attributes of the links by their objects.
    var routes = RouteTable()
    var lastLink: UInt64 = 0
    /// Devices whose link ended so recently that `Connect` is not to be called yet, with the number of that end.
    var clearing: [String: UInt64] = [:]
    var lastEnd: UInt64 = 0
    /// Devices to connect to that BlueZ does not know: a scan looks for them.
    var sought: Set<PeerIdentifier> = []
    /// The peripherals whose search has ended, which is about to be reported.
    var takenBack: Set<PeerIdentifier> = []
    var names = DeviceNames()

    /// Creates a backend for one adapter.
    ///
    /// - Parameters:
    ///   - adapter: The adapter to use.
    ///   - bus: The D-Bus address of the bus; nil for the system bus.
    ///   - filtersServicesInDaemon: Whether a scan for services lets BlueZ leave out the others. That spares work in
    ///     crowded air, but BlueZ then also hides peripherals that advertise a service in service data alone.
    ///     bluetoothd 5.87 crashes on such a filter (bluez issue 2282), and no later release is known to be whole: from
    ///     that version on, and where the version is unknown, the manager filters alone, whatever is chosen here. So it
    ///     does while another manager of this process scans on the same adapter without the choice.
    public init(
        adapter: AdapterSelection = .default, bus: String? = nil, filtersServicesInDaemon: Bool = false
    ) {
        watch = AdapterWatch(adapter)
        passesServices = filtersServicesInDaemon
        let opening = SessionOpening(bus: bus)
        (session, startFailure, executor) = (opening.session, opening.failure, opening.executor)
    }

    // MARK: Life

    /// Opens the bus, unless another manager of this process has, and reports the state after this returns.
    ///
    /// - Parameters:
    ///   - clock: The clock that all times come from.
    ///   - sink: The function that takes the backend's events, called on its executor only.
    public func activate(clock: BlueCapClock, sink: CentralEventSink) {
        self.clock = clock
        self.sink = sink
        guard let session else {
            return later { $0.statusChanged() }
        }
        number = session.observe(callback { $0.apply($1) })
        joinPairing()
        session.start(clock: clock)
        later { $0.statusChanged() }
    }

    /// Ends the scan and disconnects every link that this backend made.
    public func invalidate() {
        guard sink != nil else { return }
        sink = nil
        guard let session else { return }
        session.removeObserver(number)
        session.pairing.forget(number)
        if isScanning, let adapter { session.discovery(on: adapter).set(nil, for: number) }
        isScanning = false
        sought = []
        updateSearch()
        for link in links.values {
            link.values.takeBack(self)
            link.closeSockets()
            link.connection.restoreBearer(self)
            if link.connection.isOurs { session.send(link.path, BlueZInterface.device, "Disconnect") }
            remove(link)
        }
    }

    // MARK: Events

    func emit(_ event: CentralEvent) { sink?(event) }

    /// Runs `body` when time has passed on the manager's clock.
    @discardableResult
    func after(
        _ delay: Duration, _ body: @escaping @Sendable (isolated BlueZCentralBackend) -> Void
    ) -> ClockTimer {
        clock.schedule(after: delay) { [weak self] in self?.later(body) }
    }

    /// Calls a method; the answer is dropped when the bus, the daemon or this backend is gone by then.
    func call(
        _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = [],
        reply: @escaping @Sendable (isolated BlueZCentralBackend, Result<Message, DBusError>) -> Void
    ) {
        guard let session else { return }
        session.call(path, interface, member, body, reply: answer(of: session, reply))
    }

    /// Wraps a reply handler: it runs unless the bus, the daemon or this backend is gone by then.
    func answer(
        of session: BlueZSession,
        _ reply: @escaping @Sendable (isolated BlueZCentralBackend, Result<Message, DBusError>) -> Void
    ) -> @Sendable (Result<Message, DBusError>) -> Void {
        let generation = session.generation
        return { [weak self, weak session] result in
            guard session?.isAnswer(result, in: generation) == true else { return }
            self?.onExecutor { if $0.sink != nil { reply($0, result) } }
        }
    }

    private func apply(_ event: BlueZSession.Event) {
        switch event {
        case .status: statusChanged()
        case .tree(let change): apply(change)
        case .value(let object, let value): signalled(object, value)
        case .packet(let object): sight(object)
        case .disconnectReason(let path, let name, let text): links[path]?.connection.noteReason(name, text)
        }
    }

    private func apply(_ change: TreeChange) {
        if change.interface == BlueZInterface.adapter { return adapterChanged(change) }
        if case .changed(let path, BlueZInterface.characteristic, let set, _) = change {
            return characteristicChanged(path, set)
        }
        guard let device = device(of: change.path) else { return }
        switch (change.interface, change) {
        case (BlueZInterface.device, _): deviceChanged(device, change)
        case (BlueZInterface.battery, _): batteryChanged(device, change)
        case (_, .changed): break
        case (BlueZInterface.characteristic, _), (BlueZInterface.service, _), (BlueZInterface.descriptor, _):
            links[device]?.database.changed(change, self)
        default: break
        }
    }

    /// A characteristic has a value.
    private func signalled(_ object: Int, _ value: Bytes) {
        guard let (link, attribute) = route(object), link.isConnected else { return }
        link.values.signalled(attribute, value, self)
    }

    private func characteristicChanged(_ path: String, _ set: ObjectMirror.Properties) {
        guard let object = session?.tree.number(of: path) else { return }
        if let bytes = set[GattCharacteristic1.value] { signalled(object, Bytes(bytes)) }
        if let unit = set[GattCharacteristic1.maximumTransmissionUnit], let (link, _) = route(object), link.isConnected
        {
            link.database.noteMaximumTransmissionUnit(Int(unit), self)
        }
    }

    /// The device of this adapter that an object belongs to, or is.
    private func device(of path: String) -> String? {
        adapter.flatMap { BlueZPath.device(of: path, adapter: $0) }
    }

    /// The attribute that an object stands for, if there is a link to its device.
    private func route(_ object: Int) -> (BlueZLink, AttributeID)? {
        if let route = routes[object] { return route }
        guard let path = session?.tree.path(of: object), let device = device(of: path), let link = links[device] else {
            return nil
        }
        link.database.learn(self)
        return routes[object]
    }

    // MARK: The mirror

    func properties(_ path: String, _ interface: String) -> ObjectMirror.Properties? {
        session?.tree[path, interface]
    }

    func database(_ device: String) -> PeerDatabase {
        PeerDatabase(tree: session?.tree ?? ObjectMirror(), device: device)
    }

    /// The interface by which an attribute is read and written; nil for one that is gone.
    func valueInterface(_ path: String) -> String? {
        if properties(path, BlueZInterface.characteristic) != nil { return BlueZInterface.characteristic }
        return properties(path, BlueZInterface.descriptor) == nil ? nil : BlueZInterface.descriptor
    }

    func facts(_ path: String) -> DeviceFacts? {
        properties(path, BlueZInterface.device).map { DeviceFacts($0) }
    }

    func advertisements(_ path: String) -> PeripheralAdvertisements {
        session?.advertisements(of: path) ?? PeripheralAdvertisements()
    }

    func isUp(_ path: String) -> Bool { facts(path)?.isConnected ?? false }
}
#endif
