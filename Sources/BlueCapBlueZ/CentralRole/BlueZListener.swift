// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapLoop
public import BlueCapSerDe
import BlueCapDBus

/// Listens to the announcements of `bluetoothd` about a device, and requests nothing from the device.
///
/// While another program is connected to a device, bluetoothd announces the database that it discovered, the values
/// that the program reads, and those that it is notified of, to all programs on the bus. A listener takes these in: it
/// does not connect, scan, read or subscribe. Values that the other program takes over a socket (`AcquireNotify`) are
/// not announced.
public actor BlueZListener: RadioActor {
    /// A value that bluetoothd announced.
    public struct Value: Sendable, Hashable {
        /// The handle of the characteristic's value, as in `TwinCharacteristic.handle`.
        public let characteristic: UInt16
        /// The value in bytes.
        public let value: Bytes
        /// A Boolean value that is true if a program is subscribed to the characteristic.
        ///
        /// BlueZ announces read values and notified values alike.
        public let isNotification: Bool
    }

    /// The event loop of the bus connection.
    public nonisolated let executor: any BackendExecutor

    // SAFETY: `executor` is held by a `let` of this actor, so it lives at least as long as the unowned reference is
    // used.
    /// The executor, for the actor's own use.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private struct Watch {
        let id: UInt64
        let device: String
        let continuation: AsyncStream<Value>.Continuation
    }

    let session: BlueZSession?
    private let startFailure: BackendFailure?
    let selection: AdapterSelection
    private let clock: BlueCapClock
    private var number: UInt64?
    private var lastID: UInt64 = 0
    private var watches: [Watch] = []
    private var waiters: [(id: UInt64, resume: @Sendable () -> Void)] = []

    /// How long bluetoothd may take to answer.
    private static let patience = Duration.seconds(5)
    /// How many values wait for a slow reader; the newest are kept.
    private static let capacity = 65_536

    /// Creates a listener to one adapter's devices.
    ///
    /// - Parameters:
    ///   - adapter: The adapter to listen to.
    ///   - bus: The D-Bus address of the bus; nil for the system bus.
    ///   - clock: The clock on which waiting is measured.
    public init(adapter: AdapterSelection = .default, bus: String? = nil, clock: BlueCapClock = .continuous) {
        selection = adapter
        self.clock = clock
        let opening = SessionOpening(bus: bus)
        (session, startFailure, executor) = (opening.session, opening.failure, opening.executor)
    }

    deinit {
        for watch in watches { watch.continuation.finish() }
        guard let session, let number else { return }
        session.loop.submit { session.removeObserver(number) }
    }

    // MARK: The known device

    /// Returns a device as bluetoothd knows it now, or nil if bluetoothd does not know it.
    ///
    /// Its values are those that programs read last or received last by notification. Its advertisement is divided into
    /// packet and scan response (`TwinAdvertisement(whole:rssi:)`), and is as strong as the last one that a scanning
    /// program received.
    ///
    /// - Parameter device: The address of the device, or its name, in upper or lower case.
    /// - Throws: `CentralManagerError` where there is no bluetoothd or no adapter to listen to.
    public func peer(_ device: String) async throws(CentralManagerError) -> Twin? {
        let session = try await ready()
        guard let path = path(of: device) else { return nil }
        var values: [String: ObjectMirror.Properties] = [:]
        let database = PeerDatabase(tree: session.tree, device: path)
        for attribute in database.attributes {
            for interface in [BlueZInterface.characteristic, BlueZInterface.descriptor]
            where session.tree[attribute.path, interface] != nil {
                values[attribute.path] = await properties(of: attribute.path, interface)
            }
        }
        return Twin(session.tree, path, values, session.advertisements(of: path))
    }

    /// The properties of an object, as bluetoothd has cached them; a value that no program has read is not among them.
    func properties(of path: String, _ interface: String) async -> ObjectMirror.Properties {
        guard let session else { return ObjectMirror.Properties() }
        return await withCheckedContinuation { continuation in
            session.call(path, "org.freedesktop.DBus.Properties", "GetAll", [.string(interface)]) { result in
                let values = (try? result.get()).flatMap { try? $0.body() }?.first?.propertiesValue
                let properties = values.flatMap { try? ObjectMirror.Properties($0) }
                continuation.resume(returning: properties ?? ObjectMirror.Properties())
            }
        }
    }

    // MARK: Announced values

    /// Returns a stream of the values that bluetoothd announces for a device from now on.
    ///
    /// The stream ends when it is released or its task is cancelled, and with this listener; where there is no bus, for
    /// which ``peer(_:)`` gives the reason, it ends at once. The newest 65,536 values wait for a slow reader.
    ///
    /// - Parameter device: The address of the device, or its name, in upper or lower case.
    public func values(of device: String) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(Self.capacity))
        guard session != nil else {
            continuation.finish()
            return stream
        }
        begin()
        lastID += 1
        let id = lastID
        watches.append(Watch(id: id, device: device, continuation: continuation))
        let (executor, release) = (executor, callback { me in me.watches.removeAll { $0.id == id } })
        continuation.onTermination = { _ in executor.submit(release) }
        return stream
    }

    private func heard(_ event: BlueZSession.Event) {
        switch event {
        case .status:
            let resumed = waiters
            waiters = []
            for waiter in resumed { waiter.resume() }
        case .tree(.changed(let path, BlueZInterface.characteristic, let set, _)):
            // Values that come with other properties.
            if let value = set[GattCharacteristic1.value] { pass(path, Bytes(value)) }
        case .value(let object, let value): session?.tree.path(of: object).map { pass($0, value) }
        case .tree, .sighted, .disconnectReason: break
        }
    }

    private func pass(_ path: String, _ value: Bytes) {
        guard !watches.isEmpty, let session, let handle = BlueZPath.attribute(of: path),
            let service = BlueZPath.parent(of: path), let device = BlueZPath.parent(of: service),
            BlueZPath.parent(of: device) == selection.choose(from: session.tree, bound: nil)
        else { return }
        let characteristic = session.tree[path, BlueZInterface.characteristic]
        let isNotification = characteristic?[GattCharacteristic1.notifying] ?? false
        // The handle of the value stands behind that of the declaration, which BlueZ has.
        for watch in watches where isDevice(device, watch.device) {
            watch.continuation.yield(Value(characteristic: handle &+ 1, value: value, isNotification: isNotification))
        }
    }

    // MARK: The session

    private func begin() {
        guard let session, number == nil else { return }
        number = session.observe(callback { $0.heard($1) })
        session.start(clock: clock)
    }

    /// The session once bluetoothd's objects are known.
    func ready(within patience: Duration = patience) async throws(CentralManagerError) -> BlueZSession {
        guard let session else { throw startFailure.map { .backend($0) } ?? .unsupported }
        begin()
        let end = clock.elapsed + patience
        while session.status != .ready, clock.elapsed < end {
            if Task.isCancelled { throw .cancelled }
            await statusChange(within: end - clock.elapsed)
        }
        switch session.status {
        case .ready: break
        case .unreachable(_, isRefusal: true), .refused(_, isRefusal: true): throw .unauthorized
        case .unreachable(let failure, _), .refused(let failure, _): throw .backend(failure)
        case .withoutDaemon, .opening, .loading: throw .powerOnTimeout
        }
        return session
    }

    /// Whether a call waits for the session's status to change.
    var isWaiting: Bool { !waiters.isEmpty }

    /// Returns when the session's status changes, at the latest after a time or when the task is cancelled.
    private func statusChange(within limit: Duration) async {
        lastID += 1
        let id = lastID
        let (executor, give) = (executor, callback { me in me.giveUp(id) })
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiters.append((id, { continuation.resume() }))
                _ = session?.after(limit, give)
            }
        } onCancel: {
            // Behind this turn, so that the waiter is there, whenever the task was cancelled.
            executor.submit(give)
        }
    }

    private func giveUp(_ id: UInt64) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).resume()
    }

    /// The object of a device on the adapter.
    private func path(of device: String) -> String? {
        guard let session, let adapter = selection.choose(from: session.tree, bound: nil) else { return nil }
        return session.tree.children(of: adapter, with: BlueZInterface.device).first { isDevice($0, device) }
    }

    /// Whether an object is the device with an address or a name.
    private func isDevice(_ path: String, _ device: String) -> Bool {
        guard let properties = session?.tree[path, BlueZInterface.device] else { return false }
        let facts = DeviceFacts(properties)
        return facts.identifier == PeerIdentifier(device) || facts.name?.lowercased() == device.lowercased()
    }
}
#endif
