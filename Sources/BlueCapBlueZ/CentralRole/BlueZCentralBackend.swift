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
    /// range, compares packets with patterns, opens channels at the kernel, and asks it for the signal strength and the
    /// parameters of connections, which it grants to processes with `CAP_NET_ADMIN`.
    public nonisolated var features: CentralFeatures {
        [
            .channels, .connectionParameters, .connectionRSSI, .patternMatching, .peripheralPresence,
            .separatesReadsFromNotifications,
        ]
    }

    // SAFETY: `executor` is held by a `let` of this actor, so it lives at least as long as the unowned reference is
    // used.
    /// The executor, for the actor's own use.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Nil when there is no bus to be had at all; `startFailure` then says why.
    let session: BlueZSession?
    private let startFailure: BackendFailure?
    private let channelTable = ChannelTable()
    var channels: ChannelTable { channelTable }
    private var sink: CentralEventSink?
    private(set) var clock = BlueCapClock.continuous
    /// Names this backend among the observers and users of its session.
    private(set) var number: UInt64 = 0
    private var watch: AdapterWatch
    var state: ManagerState { watch.state }
    var adapter: String? { watch.path }
    private var names = DeviceNames()
    /// The attributes of the links by their objects.
    var routes = RouteTable()
    let links = LinkTable()
    let scanner: Scanner
    let search = DeviceSearch()

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
    public init(adapter: AdapterSelection = .default, bus: String? = nil, filtersServicesInDaemon: Bool = false) {
        watch = AdapterWatch(adapter)
        scanner = Scanner(passesServices: filtersServicesInDaemon)
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
        guard let session else { return later { $0.statusChanged() } }
        number = session.observe(callback { $0.apply($1) })
        joinPairing()
        session.start(clock: clock)
        later { $0.statusChanged() }
    }

    /// Ends the scan and disconnects every link that this backend made.
    public func invalidate() {
        guard sink != nil else { return }
        sink = nil
        channels.end()
        guard let session else { return }
        session.removeObserver(number)
        session.pairing.forget(number)
        scanner.end(self)
        search.endAll(self)
        for link in links.all {
            link.values.takeBack(self)
            link.closeSockets()
            link.connection.restoreBearer(self)
            if link.connection.isOurs { session.send(link.path, BlueZInterface.device, "Disconnect") }
            remove(link)
        }
    }

    /// Scans with BlueZ's discovery, merged with that of the process's other managers.
    public func scan(_ request: ScanRequest?) { scanner.scan(request, self) }

    // MARK: Events

    func emit(_ event: CentralEvent) { sink?(event) }

    /// Runs `body` when time has passed on the manager's clock.
    @discardableResult
    func after(_ delay: Duration, _ body: @escaping @Sendable (isolated BlueZCentralBackend) -> Void) -> ClockTimer {
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
        case .sighted(let device, let adapter, let sighting):
            scanner.sighted(device, below: adapter, sighting, self)
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
    private func device(of path: String) -> String? { adapter.flatMap { BlueZPath.device(of: path, adapter: $0) } }

    /// The attribute that an object stands for, if there is a link to its device.
    private func route(_ object: Int) -> (BlueZLink, AttributeID)? {
        if let route = routes[object] { return route }
        guard let path = session?.tree.path(of: object), let device = device(of: path), let link = links[device] else {
            return nil
        }
        link.database.learn(self)
        return routes[object]
    }

    // MARK: State

    private func statusChanged() {
        if session?.status == .ready { chooseAdapter() } else { loseAdapter() }
        evaluate()
    }

    private func adapterChanged(_ change: TreeChange) {
        if case .removed(let path, _, _) = change, path == adapter {
            loseAdapter()
            evaluate()
        }
        chooseAdapter()
        evaluate()
    }

    private func chooseAdapter() {
        guard let session, watch.choose(in: session), let adapter else { return }
        for device in session.tree.notableDevices(below: adapter) {
            learn(device, isNew: true)
            tellBond(device)
        }
    }

    private func loseAdapter() {
        // The discovery there has ended. BlueZ does not report that where the adapter goes without losing its power
        // first.
        if let adapter { session?.discoveries[adapter]?.reset() }
        watch.lose()
        names = DeviceNames()
    }

    private func evaluate() {
        let wasOn = state == .poweredOn
        guard watch.evaluate(session, startFailure), state != .unknown else { return }
        if wasOn, state != .poweredOn { dropEverything() }
        emit(.stateChanged(state, watch.failure))
    }

    /// Drops all scans, links and requests, as the manager assumes that they have ended.
    private func dropEverything() {
        if let adapter { session?.discovery(on: adapter).reset() }
        scanner.reset(self)
        for link in links.all {
            link.values.deliverRest(self)
            // BlueZ keeps subscriptions over the power's end, too.
            link.values.takeBack(self)
            link.closeSockets()
            link.connection.restoreBearer(self)
            remove(link)
        }
        search.reset()
    }

    // MARK: Devices

    /// Remembers which identifier a device goes by.
    private func learn(_ path: String, isNew: Bool) {
        if let address = facts(path)?.identifier { names.learn(path, address, isNew: isNew) }
    }

    /// The identifier that a device goes by; nil for one that is not there, or without an address.
    func identifier(of path: String) -> PeerIdentifier? { names.identifier(of: path) ?? facts(path)?.identifier }

    /// The identifier that a device, by its number in the mirror, goes by; nil where that is its address.
    func learnedIdentifier(of object: Int) -> PeerIdentifier? {
        names.isEmpty ? nil : session?.tree.path(of: object).flatMap(names.identifier)
    }

    /// The identifier that the device at an address goes by, whether it is there or not.
    func identifier(at address: PeerIdentifier) -> PeerIdentifier {
        if names.isEmpty { return address }
        return adapter.flatMap { names.path(of: address, on: $0) }.flatMap(names.identifier) ?? address
    }

    /// The name that BlueZ knows of the device at an address; nil for none.
    func name(at address: PeerIdentifier) -> String? {
        adapter.flatMap { names.path(of: address, on: $0) }.flatMap { facts($0)?.name }
    }

    /// The device that goes by an identifier; nil for one that is not there.
    func device(of identifier: PeerIdentifier) -> String? {
        guard let adapter, let path = names.path(of: identifier, on: adapter) else { return nil }
        return facts(path)?.identifier == nil ? nil : path
    }

    /// A device that was gone with its daemon or its adapter comes back with its keys.
    private func tellBond(_ path: String) { if facts(path)?.isBonded == true { bondChanged(path) } }

    private func deviceChanged(_ path: String, _ change: TreeChange) {
        switch change {
        case .added:
            learn(path, isNew: true)
            tellBond(path)
            scanner.sight(path, self)
            search.found(path, self)
        case .removed(_, _, let properties):
            links[path]?.connection.deviceRemoved(self)
            let facts = DeviceFacts(properties)
            let identifier = names.identifier(of: path) ?? facts.identifier
            scanner.removed(path, identifier, self)
            if facts.isBonded, let identifier { emit(.bondChanged(identifier, false)) }
            names.forget(path, facts.identifier)
        case .changed(_, _, let set, _):
            if set.has(Device1.address) { learn(path, isNew: false) }
            if let name = set[Device1.name], let id = identifier(of: path) { emit(.nameChanged(id, name)) }
            scanner.sight(path, after: set, self)
            if set.has(Device1.bonded) || set.has(Device1.paired) { bondChanged(path) }
            if set[Device1.paired] == true { links[path]?.pairing.paired(self) }
            if let isConnected = set[Device1.connected] { connectedChanged(path, isConnected) }
            if let isResolved = set[Device1.servicesResolved] {
                links[path]?.database.resolvedChanged(isResolved, self)
                if isResolved { links[path]?.connection.resolved(self) }
            }
        }
    }

    // MARK: The mirror

    func properties(_ path: String, _ interface: String) -> ObjectMirror.Properties? { session?.tree[path, interface] }

    func database(_ device: String) -> PeerDatabase {
        PeerDatabase(tree: session?.tree ?? ObjectMirror(), device: device)
    }

    /// The interface by which an attribute is read and written; nil for one that is gone.
    func valueInterface(_ path: String) -> String? {
        if properties(path, BlueZInterface.characteristic) != nil { return BlueZInterface.characteristic }
        return properties(path, BlueZInterface.descriptor) == nil ? nil : BlueZInterface.descriptor
    }

    func facts(_ path: String) -> DeviceFacts? { properties(path, BlueZInterface.device).map { DeviceFacts($0) } }

    func advertisements(_ path: String) -> PeripheralAdvertisements {
        session?.advertisements(of: path) ?? PeripheralAdvertisements()
    }

    func isUp(_ path: String) -> Bool { facts(path)?.isConnected ?? false }
}
#endif
