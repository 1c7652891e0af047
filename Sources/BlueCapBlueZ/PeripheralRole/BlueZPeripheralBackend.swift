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
    let startFailure: BackendFailure?
    nonisolated let limits = Locked(PeripheralLimits())
    /// The answers that wait for the end of the command in which they were given.
    private nonisolated let answers = Locked<[PeripheralEvent]>([])

    var watch: AdapterWatch
    var sink: PeripheralEventSink?
    private var clock = BlueCapClock.continuous
    /// Names this backend among the observers of its session and in its object paths.
    var number: UInt64 = 0
    let registrar = Registrar()
    var applications: [Application] = []
    var lastApplication = 0
    let advertisements = Advertisements()
    let accesses = Accesses()
    var notifiers: [AttributeID: Notifier] = [:]
    /// The centrals that came and may be subscribers, by device.
    var arrivals: [String: Arrival] = [:]

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

    /// The features beyond the common ground. Several advertisements are possible if the controller has instances for
    /// them. BlueZ distinguishes subscribers since 5.76; before, a value that is sent to one subscriber goes to all,
    /// and before 5.69 only the first one has a name. A write request and a command look alike, and where a
    /// characteristic accepts both, `bluetoothd` answers success by itself.
    public nonisolated var features: PeripheralFeatures {
        let limits = limits.withLock { $0 }
        var features: PeripheralFeatures = .confirmsAmbiguousWrites
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

    /// Returns the number of bytes by which the advertisement exceeds one packet of the controller, which holds 31
    /// bytes unless it has extended advertising; nil if it fits. The name goes into the scan response.
    public nonisolated func excessByteCount(of advertisement: Advertisement) -> Int? {
        let limits = limits.withLock { $0 }
        let excess = max(
            advertisement.packetByteCount - limits.packetLength,
            advertisement.scanResponseByteCount - limits.responseLength)
        return excess > 0 ? excess : nil
    }

    /// The interval and the power where this daemon ignores them, and two structures of one type: their properties are
    /// dictionaries by type, of which the daemon keeps the last of each. Whether it sends a scan response shows only
    /// when it is asked to.
    public nonisolated func unsupportedOption(of advertisement: Advertisement) -> AdvertisingOption? {
        let limits = limits.withLock { $0 }
        if advertisement.interval != nil, !limits.hasIntervals { return .interval }
        if advertisement.txPower != nil, !limits.hasTxPower { return .txPower }
        let repeats = [advertisement.structures, advertisement.scanResponse].contains { structures in
            Set(structures.map(\.type)).count < structures.count
        }
        return repeats ? .structuresOfOneType : nil
    }

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
        guard let session else { return }
        session.removeObserver(number)
        session.pairing.forget(number)
        for application in applications { unregister(application) }
        advertisements.unregister(self)
        forgetEverything()
    }

    /// Begins an operation.
    public func perform(_ request: PeripheralRequest) {
        guard watch.state == .poweredOn else { return reply(request.id, .failure(.poweredOff)) }
        switch request.operation {
        case .add(let service): add(service, request.id)
        case .remove(let service): remove(service, request.id)
        case .advertise(let id, let advertisement): advertisements.add(id, advertisement, request.id, self)
        case .updateAdvertisement(let id, let advertisement):
            advertisements.update(id, advertisement, request.id, self)
        case .stopAdvertising(let id): advertisements.remove(id, request.id, self)
        case .update(let attribute, let value, let central): update(attribute, value, central, request.id)
        }
    }

    /// Answers an access of a central. An error that BlueZ cannot express is sent as 0x0E. An answer to an access that
    /// is over has no effect.
    ///
    /// - Parameters:
    ///   - access: The identifier of the access.
    ///   - result: The value from the requested offset on for a read, no bytes for a write, or the error that the
    ///     central receives.
    public func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) {
        accesses.respond(to: access, result)
    }

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
    func after(
        _ delay: Duration, _ body: @escaping @Sendable (isolated BlueZPeripheralBackend) -> Void
    ) -> ClockTimer {
        clock.schedule(after: delay) { [weak self] in self?.later(body) }
    }

    var isOn: Bool { watch.state == .poweredOn }

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
}

/// The limits of the daemon and the adapter in the peripheral role.
struct PeripheralLimits {
    var packetLength = 31
    var responseLength = 31
    var instances = 1
    /// Whether `MinInterval` and `MaxInterval` are looked at.
    var hasIntervals = true
    /// Whether the controller's transmit power can be set.
    var hasTxPower = true
    var sockets = NotificationSockets.separate
}

/// How a version of bluetoothd uses the sockets of `AcquireNotify` (`sock_io_read` in `src/gatt-database.c`).
enum NotificationSockets {
    /// Before 5.69 one is for all subscribers. Where two subscribe at once it asks for two and reads both, sends to all
    /// the values that come through either, and ends the later one when there is no subscriber any more.
    case single
    /// From 5.69 each subscriber has its own, and values that come through it go to all.
    case shared
    /// Since 5.76 values that come through the socket of a subscriber go to that one only.
    case separate

    init(_ version: BlueZVersion?) {
        switch version {
        case let version? where version < BlueZVersion(5, 69): self = .single
        case let version? where version < BlueZVersion(5, 76): self = .shared
        default: self = .separate
        }
    }
}
#endif
