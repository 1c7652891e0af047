// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
public import BlueCapSerDe
import BlueCapDBus
import BlueCapRuntime

/// The peripheral role over BlueZ: services by `GattManager1`, advertisements by `LEAdvertisingManager1`.
///
/// Each service is an application of its own (or shares one with the services that it includes), so that services come
/// and go at any time. The module's documentation lists the operations that BlueZ makes impossible.
public actor BlueZPeripheralBackend: PeripheralBackend {
    /// The event loop of the bus connection, which all managers of this process on one bus share.
    public nonisolated let executor: any BackendExecutor

    // SAFETY: `executor` is held by a `let` of this actor, so it lives at least as long as the unowned reference is
    // used.
    /// The executor, for the actor's own use.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Nil when there is no bus to be had at all; `startFailure` then says why.
    let session: BlueZSession?
    private let startFailure: BackendFailure?
    private let channelTable = ChannelTable()
    var channels: ChannelTable { channelTable }
    private nonisolated let lockedLimits = Locked(PeripheralLimits())
    /// The answers that wait for the end of the command in which they were given.
    private nonisolated let answers = Locked<[PeripheralEvent]>([])

    private var watch: AdapterWatch
    private var sink: PeripheralEventSink?
    private var clock = BlueCapClock.continuous
    /// Names this backend among the observers of its session and in its object paths.
    private var number: UInt64 = 0
    let registrar = Registrar()
    let applications = Applications()
    let advertisements = Advertisements()
    let accesses = Accesses()
    let notifiers = Notifiers()
    let centrals = Centrals()

    /// Creates a backend for one adapter.
    ///
    /// - Parameters:
    ///   - adapter: The adapter to use.
    ///   - bus: The D-Bus address of the bus; nil for the system bus.
    public init(adapter: AdapterSelection = .default, bus: String? = nil) {
        watch = AdapterWatch(adapter)
        let opening = SessionOpening(bus: bus)
        (session, startFailure, executor) = (opening.session, opening.failure, opening.executor)
    }

    // MARK: BlueZ's capabilities

    nonisolated var limits: PeripheralLimits { lockedLimits.withLock { $0 } }

    /// The features beyond the common ground. Several advertisements are possible if the controller has instances for
    /// them. BlueZ distinguishes subscribers since 5.76; before, a value that is sent to one subscriber goes to all,
    /// and before 5.69 only the first one has a name. A write request and a command look alike, and where a
    /// characteristic accepts both, `bluetoothd` answers success by itself. The links of centrals are those of devices
    /// that no manager of this process connected to. Channels are the kernel's.
    public nonisolated var features: PeripheralFeatures {
        let limits = limits
        var features: PeripheralFeatures = [
            .channels, .confirmsAmbiguousWrites, .centralLinks, .centralDisconnection,
        ]
        if limits.instances > 1 { features.insert(.severalAdvertisements) }
        if limits.sockets == .separate { features.insert(.individualSubscribers) }
        return features
    }

    /// The time after which `bluetoothd` answers the central with 0x0E by itself: 5 s (measured with 5.66, for reads
    /// and writes alike).
    public nonisolated var accessTimeLimit: Duration? { .seconds(5) }

    /// Returns whether BlueZ can express the error (`dbus_error_to_att_ecode` in `src/gatt-database.c`): 0x02 for
    /// reads, 0x03 for writes, 0x06, 0x07, 0x08, 0x0D, 0x0E, 0xFE and, since 5.66, 0x80 through 0x9F.
    public nonisolated func isSendable(_ error: ATTError) -> Bool { error.blueZReply != nil }

    /// Returns the number of bytes by which the advertisement exceeds one packet, which holds 31 bytes in legacy
    /// advertising, in extended as many as the daemon and the controller take; nil if it fits. The name goes into the
    /// scan response of legacy advertising.
    public nonisolated func excessByteCount(of advertisement: Advertisement) -> Int? {
        let limits = limits
        let excess = max(
            advertisement.packetByteCount - (advertisement.secondaryPHY == nil ? 31 : limits.packetLength),
            advertisement.scanResponseByteCount - min(limits.responseLength, 31))
        return excess > 0 ? excess : nil
    }

    /// A PHY that the controller lacks, or one for a broadcast with a name, which the daemon moves into a scan response
    /// that extended advertising does not have; the interval and the power where this daemon ignores them, structures
    /// of a type that it refuses, and two of one type: their properties are dictionaries by type, of which the daemon
    /// keeps the last of each. Whether it sends a scan response shows only when it is asked to.
    public nonisolated func unsupportedOption(of advertisement: Advertisement) -> AdvertisingOption? {
        let limits = limits
        if let phy = advertisement.secondaryPHY {
            let isNamedBroadcast = advertisement.kind == .broadcast && advertisement.localName != nil
            if isNamedBroadcast || !limits.secondaryPHYs.contains(phy) { return .secondaryPHY }
        }
        if advertisement.interval != nil, !limits.hasIntervals { return .interval }
        if advertisement.txPower != nil, !limits.hasTxPower { return .txPower }
        if advertisement.structures.contains(where: { Self.refusedTypes.contains($0.type) }) { return .structures }
        if advertisement.scanResponse.contains(where: { Self.refusedTypes.contains($0.type) }) { return .scanResponse }
        let repeats = [advertisement.structures, advertisement.scanResponse].contains { structures in
            Set(structures.map(\.type)).count < structures.count
        }
        return repeats ? .structuresOfOneType : nil
    }

    /// The AD types that the daemon writes itself or wants in no program's hands (`bt_ad_add_data` in
    /// `src/shared/ad.c`).
    private static let refusedTypes: Set<UInt8> = Set(0x01...0x0A).union(0x0D...0x12).union(0x14...0x23)
        .union(0x27...0x2B).union([0x3D, 0xFF])

    // MARK: Life

    /// Opens the bus, unless another manager of this process has, and reports the state after this returns.
    ///
    /// - Parameters:
    ///   - clock: The clock that all times come from.
    ///   - sink: The function that takes the backend's events, called on its executor only.
    public func activate(clock: BlueCapClock, sink: PeripheralEventSink) {
        self.clock = clock
        self.sink = sink
        guard let session else { return later { $0.statusChanged() } }
        number = session.observe(callback { $0.apply($1) })
        session.start(clock: clock)
        later { $0.statusChanged() }
    }

    /// Removes every service and advertisement.
    public func invalidate() {
        guard sink != nil else { return }
        sink = nil
        channels.end()
        guard let session else { return }
        session.removeObserver(number)
        session.pairing.forget(number)
        applications.unregister(self)
        advertisements.unregister(self)
        forgetEverything()
    }

    public func perform(_ request: PeripheralRequest) {
        guard watch.state == .poweredOn else { return reply(request.id, .failure(.poweredOff)) }
        switch request.operation {
        case .add(let service): applications.add(service, request.id, self)
        case .remove(let service): applications.remove(service, request.id, self)
        case .advertise(let id, let advertisement): advertisements.add(id, advertisement, request.id, self)
        case .updateAdvertisement(let id, let advertisement):
            advertisements.update(id, advertisement, request.id, self)
        case .stopAdvertising(let id): advertisements.remove(id, request.id, self)
        case .disconnect(let central, _): centrals.disconnect(central, request.id, self)
        case .update(let attribute, let value, let central):
            notifiers.update(attribute, value, central, request.id, self)
        }
    }

    /// Answers an access of a central. An error that BlueZ cannot express is sent as 0x0E. An answer to an access that
    /// is over has no effect.
    ///
    /// - Parameters:
    ///   - access: The identifier of the access.
    ///   - result: The value from the requested offset on for a read, no bytes for a write, or the error that the
    ///     central receives.
    public func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) { accesses.respond(to: access, result) }

    // MARK: Events

    func emit(_ event: PeripheralEvent) { sink?(event) }

    /// Answers a request, after the command in which this may be, and before any later change of the state.
    nonisolated func reply(_ id: RequestID, _ result: Result<Void, OperationFailure>) {
        answers.withLock { $0.append(.reply(id, result)) }
        later { $0.emitAnswers() }
    }

    /// Reports the answers that have come: once the radio is lost, the manager assumes that the values were not sent.
    func emitAnswers() {
        let due = answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
        for answer in due { emit(answer) }
    }

    /// Calls a method of an object, by default the adapter's; the answer is dropped when the bus, the daemon or this
    /// backend is gone by then.
    func call(
        _ interface: String, _ member: String, _ body: [DBusValue], at path: String? = nil,
        reply: @escaping @Sendable (isolated BlueZPeripheralBackend, Result<Message, DBusError>) -> Void = { _, _ in }
    ) {
        guard let session, let path = path ?? watch.path else { return }
        let generation = session.generation
        session.call(path, interface, member, body) { [weak self, weak session] result in
            guard session?.isAnswer(result, in: generation) == true else { return }
            self?.onExecutor { if $0.sink != nil { reply($0, result) } }
        }
    }

    /// Runs `body` when time has passed on the manager's clock.
    @discardableResult
    func after(_ delay: Duration, _ body: @escaping @Sendable (isolated BlueZPeripheralBackend) -> Void) -> ClockTimer {
        clock.schedule(after: delay) { [weak self] in self?.later(body) }
    }

    var rootPath: String { "/org/bluecap/peripheral\(number)" }

    var isOn: Bool { watch.state == .poweredOn }

    /// The adapter's path; nil while there is none.
    var adapter: String? { watch.path }

    /// Whether the adapter has a manager.
    func offers(_ interface: String) -> Bool {
        guard let session, let path = watch.path else { return false }
        return session.tree[path, interface] != nil
    }

    /// Runs `body` when the daemon has received the signals that were sent: signals have no answer, but a call behind
    /// them has one.
    func onceHeard(
        _ body: @escaping @Sendable (isolated BlueZPeripheralBackend, Result<Message, DBusError>) -> Void
    ) { call(StandardInterface.peer, "Ping", [], reply: body) }

    /// Brings a call of the daemon's to this actor. Calls of other programs are refused: the bus lets any program of
    /// the same user call, and only the daemon speaks for a central.
    func onCall(
        _ body: @escaping @Sendable (isolated BlueZPeripheralBackend, MethodCall) -> Void
    ) -> @Sendable (MethodCall) -> Void {
        callback { backend, call in
            guard call.sender == backend.session?.owner else {
                return call.fail(ErrorName.accessDenied, "only bluetoothd may call this")
            }
            body(backend, call)
        }
    }

    // MARK: State

    private func apply(_ event: BlueZSession.Event) {
        switch event {
        case .status: statusChanged()
        case .tree(let change): apply(change)
        case .disconnectReason(let path, let name, let text): centrals.noteReason(path, name, text)
        case .value, .sighted: break
        }
    }

    private func statusChanged() {
        if let session, session.status == .ready { chooseAdapter(in: session) } else { watch.lose() }
        evaluate()
    }

    private func apply(_ change: TreeChange) {
        switch change.interface {
        case BlueZInterface.adapter:
            if case .removed(let path, _, _) = change, path == watch.path {
                watch.lose()
                registrar.lose()
                evaluate()
            }
            if let session { chooseAdapter(in: session) }
            evaluate()
        case BlueZInterface.advertisingManager, BlueZInterface.gattManager:
            readLimits()
            if case .added(let path, let interface) = change, path == watch.path { registrar.appeared(interface, self) }
        case BlueZInterface.device where serves(change.path):
            switch change {
            case .added(let path, _):
                if isConnected(path) {
                    centrals.came(path, self)
                    notifiers.came(path, self)
                }
            case .changed(let path, _, let set, _):
                if let isConnected = set[Device1.connected] {
                    if isConnected {
                        centrals.came(path, self)
                        notifiers.came(path, self)
                    } else {
                        centrals.left(path, self)
                        accesses.deviceLeft(path, self)
                        notifiers.left(path, self)
                    }
                }
                centrals.changed(path, set, self)
                if set[Device1.servicesResolved] == true { notifiers.finishArrival(of: path, self) }
            case .removed(let path, _, let properties):
                centrals.left(path, self)
                notifiers.forgotten(path, wasBonded: DeviceFacts(properties).isBonded, self)
            }
        default: break
        }
    }

    private func chooseAdapter(in session: BlueZSession) {
        guard watch.choose(in: session) else { return }
        registrar.begin(session.generation)
        readLimits()
    }

    private func evaluate() {
        let wasOn = watch.state == .poweredOn
        guard watch.evaluate(session, startFailure), watch.state != .unknown else { return }
        if wasOn, watch.state != .poweredOn { dropLinks() }
        emitAnswers()
        if watch.state == .poweredOn, registrar.takeLoss() {
            forgetEverything()
            emit(.registrationsLost)
        } else if watch.state == .poweredOn, !wasOn {
            advertisements.sendAgain(self)
        }
        emit(.stateChanged(watch.state, watch.failure))
    }

    /// Drops all accesses and subscriptions, as the manager assumes that they have ended.
    private func dropLinks() {
        channels.stop()
        centrals.forget()
        accesses.drop()
        notifiers.radioLost(self)
    }

    /// Releases everything that the daemon has forgotten, or is to forget.
    private func forgetEverything() {
        dropLinks()
        notifiers.forget()
        registrar.reset()
        applications.forget(self)
        advertisements.forget(self)
    }

    private func readLimits() {
        guard let session, let path = watch.path else { return }
        lockedLimits.withLock { $0.read(session.tree, adapter: path) }
    }

    /// The central that a device object stands for.
    func identify(_ path: String, maximumUpdateLength: Int? = nil) -> Central {
        let facts = session?.tree[path, BlueZInterface.device].map { DeviceFacts($0) }
        return Central(
            identifier: facts?.identifier ?? BlueZPath.address(of: path), maximumUpdateLength: maximumUpdateLength,
            security: centrals.security(of: path))
    }

    // MARK: Devices

    func isConnected(_ device: String) -> Bool {
        session?.tree[device, BlueZInterface.device].map { DeviceFacts($0).isConnected } ?? false
    }

    /// Whether a device has the HID service, over GATT or over BR/EDR.
    func isForInput(_ device: String) -> Bool {
        session?.tree[device, BlueZInterface.device].map {
            DeviceFacts($0).uuids.contains { $0 == "1812" || $0 == "1124" }
        } ?? false
    }

    func isBonded(_ device: String) -> Bool {
        session?.tree[device, BlueZInterface.device].map { DeviceFacts($0).isBonded } ?? false
    }

    func isPaired(_ device: String) -> Bool {
        session?.tree[device, BlueZInterface.device].map { DeviceFacts($0).isPaired } ?? false
    }

    func areServicesResolved(_ device: String) -> Bool {
        session?.tree[device, BlueZInterface.device].map { DeviceFacts($0).areServicesResolved } ?? false
    }

    func hasConnectedDevice(besides others: Set<String> = []) -> Bool {
        guard let session, let path = watch.path else { return false }
        return session.tree.hasConnectedDevice(below: path, besides: others)
    }

    // MARK: Pairing

    /// Registers this process's agent with the given capability, or, for nil, unregisters it. All managers of the
    /// session share one agent.
    public func setPairingCapability(_ capability: PairingCapability?) {
        guard let session else { return }
        guard let capability else { return session.pairing.remove(number) }
        let handler = callback { (backend: isolated BlueZPeripheralBackend, event: PairingAgent.Event) in
            switch event {
            case .asked(let prompt): backend.emit(.pairingRequested(prompt))
            case .ended(let id): backend.emit(.pairingRequestEnded(id))
            case .unavailable(let failure): backend.emit(.pairingUnavailable(failure))
            }
        }
        session.pairing.set(
            capability, for: number, serves: { [weak self] device in self?.onExecutor { $0.serves(device) } ?? false },
            handler: handler)
    }

    /// Whether a device is one of this backend's adapter.
    private func serves(_ device: String) -> Bool {
        guard let adapter = watch.path else { return false }
        return BlueZPath.device(of: device, adapter: adapter) == device
    }

    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        session?.pairing.answer(prompt, answer)
    }
}
#endif
