// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
package import BlueCapKernel
package import BlueCapLoop
package import BlueCapRuntime
package import BlueCapSerDe
package import BlueCapDBus

// SAFETY: all mutable state belongs to the loop's thread. The package's functions trap elsewhere; the internal
// functions and the properties are for backends, whose executor is the loop, and for calls of the bus there. The end of
// the last reference, on any thread, finds no other user, as calls of the bus know the session weakly, and hands the
// link to the loop.
/// This process's view of one `bluetoothd`: one bus connection, one mirror of its objects, shared by all managers.
///
/// Order on the bus: match rules first, then `GetManagedObjects`, then the signals that came meanwhile. A daemon that
/// is not running is not started (its calls ask for no activation).
package final class BlueZSession: @unchecked Sendable {
    /// How far the connection to the daemon is.
    package enum Status: Sendable, Hashable {
        /// Not known yet.
        case opening
        /// The bus cannot be reached; it is tried again.
        case unreachable(BackendFailure, isRefusal: Bool)
        /// The name `org.bluez` has no owner.
        case withoutDaemon
        /// The objects are being read.
        case loading
        /// The bus or the daemon refuses a necessary call, or does not answer sensibly; it is asked again.
        case refused(BackendFailure, isRefusal: Bool)
        /// The mirror is true.
        case ready
    }

    /// An event that the session reports to its observers, in bus order.
    package enum Event: Sendable {
        case status(Status)
        case tree(TreeChange)
        /// A characteristic, by its number in the mirror, has a value.
        case value(object: Int, Bytes)
        /// A running discovery has received a device, by its number in the mirror, below an adapter: properties changed
        /// that only packets change. The sighting goes by the device's address.
        case sighted(device: Int, adapter: String, Sighting)
        /// `Device1.Disconnected` (BlueZ 5.83): the name and text of the reason.
        case disconnectReason(path: String, name: String, text: String)
    }

    /// The thread of everything here.
    package let loop: EventLoop
    /// The mirror; loop only.
    package internal(set) var tree = ObjectMirror()
    package private(set) var status = Status.opening { didSet { isMirrorTrue = status == .ready } }
    /// Whether the mirror is true now, so that changes can be taken into it; the same as `status == .ready`.
    private var isMirrorTrue = false
    let daemon: DaemonConnection
    let objects = ObjectReader()
    var discoveries = Discoveries()
    /// Opens the kernel's socket.
    private var openManagement: ManagementOpening = ManagementSocket.open
    /// Where channels are opened at the kernel.
    private var place: ChannelPlace
    /// By the adapter's path.
    private var packets: [String: EveryPacket] = [:]
    /// By the adapter's path.
    private var passive: [String: PassiveMonitors] = [:]
    var notifying = NotifyingManagers()
    private(set) lazy var pairing = PairingAgent(session: self)
    private var clock: BlueCapClock?
    private var observers: [(id: UInt64, handler: (Event) -> Void)] = []
    private var lastObserver: UInt64 = 0
    private var isStarted = false

    /// A session of its own; see ``shared(at:)``.
    package init(address: BusAddress, loop: EventLoop) {
        daemon = DaemonConnection(to: address)
        self.loop = loop
        place = ChannelPlace(loop: loop, sockets: KernelChannelSockets())
    }

    deinit {
        let link = link ?? openingLink
        let loop = loop
        loop.submit { link?.close() }
        // The loop's thread cannot wait for its own end; jobs that are still submitted to it run.
        Task { await loop.stop() }
    }

    /// Opens the bus, once.
    package func start(clock: BlueCapClock) {
        loop.checkIsolated()
        if isStarted { return }
        isStarted = true
        self.clock = clock
        daemon.open(self)
    }

    /// The connection to the bus, which has welcomed it.
    package var link: BusLink? { daemon.link }
    /// The connection that the bus has not welcomed yet.
    package var openingLink: BusLink? { daemon.openingLink }
    /// Counts the daemon's lives, by which a late reply of an earlier one is recognised.
    package var generation: UInt64 { daemon.generation }
    /// The unique name of the daemon that lives now.
    var owner: String? { daemon.owner }

    /// The daemon is gone, and everything that it had.
    func forgetObjects() {
        objects.end()
        tree = ObjectMirror()
        discoveries.reset()
        for monitors in passive.values { monitors.reset() }
        passive = [:]
        notifying = NotifyingManagers()
        pairing.reset()
    }

    /// Has another kernel stand for the machine's, before one was asked. Loop only.
    package func openManagement(by open: @escaping ManagementOpening) { openManagement = open }

    /// Has others stand for the kernel's channels, before one was opened. Loop only.
    package func openChannels(by sockets: any ChannelSockets) { place = ChannelPlace(loop: loop, sockets: sockets) }

    /// Where channels are opened at the kernel, and the address of an adapter there; nil for one that is gone.
    func channels(of adapter: String) -> (ChannelPlace, KernelAddress)? {
        guard let properties = tree[adapter, BlueZInterface.adapter], let text = properties[Adapter1.address],
            let address = KernelAddress(text, isRandom: properties[Adapter1.addressType] == "random")
        else { return nil }
        return (place, address)
    }

    /// An adapter at the kernel.
    func kernel(of adapter: String) -> ManagementPlace {
        ManagementPlace(loop: loop, controller: BlueZPath.controller(of: adapter), open: openManagement)
    }

    /// Sets what a manager does with the packets that the kernel reports of an adapter; nil for nothing.
    func hearPackets(on adapter: String, for manager: UInt64, _ handler: ((PacketMonitor.Event) -> Void)?) {
        if packets[adapter] == nil, handler != nil {
            packets[adapter] = EveryPacket(adapter: adapter, on: loop, open: openManagement)
        }
        packets[adapter]?.set(handler, for: manager)
    }

    /// Sets the passive scans of a manager on an adapter.
    func scanPassively(
        on adapter: String, _ modes: Set<ScanMode>, for manager: UInt64,
        _ handle: @escaping (PassiveMonitors.Report) -> Void = { _ in }
    ) {
        if passive[adapter] == nil, !modes.isEmpty {
            passive[adapter] = PassiveMonitors(session: self, adapter: adapter)
        }
        passive[adapter]?.set(modes, for: manager, handle)
    }

    func passiveMonitors(on adapter: String) -> PassiveMonitors? { passive[adapter] }

    // MARK: Observers

    /// Hands every later event to `handler`; the current state is read from the properties.
    package func observe(_ handler: @escaping (Event) -> Void) -> UInt64 {
        loop.checkIsolated()
        lastObserver += 1
        observers.append((lastObserver, handler))
        return lastObserver
    }

    package func removeObserver(_ id: UInt64) {
        loop.checkIsolated()
        observers.removeAll { $0.id == id }
    }

    /// The advertisements of a device in the mirror.
    func advertisements(of device: String) -> PeripheralAdvertisements {
        loop.checkIsolated()
        return tree.number(of: device).map { tree.advertisements(of: $0) } ?? PeripheralAdvertisements()
    }

    func notify(_ event: Event) { for observer in observers { observer.handler(event) } }

    func become(_ status: Status) {
        if self.status == status { return }
        self.status = status
        notify(.status(status))
    }

    /// Reads all objects again and reports the differences as changes; `done` follows them.
    ///
    /// Cures the races in which the daemon says that services are there before it has announced them.
    package func refresh(done: @escaping () -> Void) {
        loop.checkIsolated()
        guard status == .ready else { return loop.runLater(done) }
        objects.refresh(self, done: done)
    }

    // MARK: Calls and times

    /// Calls a method of the daemon that lives now; `reply` comes once, on the loop, never before this returns.
    @discardableResult
    package func call(
        _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = [],
        reply: @escaping (Result<Message, DBusError>) -> Void
    ) -> CallID? {
        loop.checkIsolated()
        do throws(DBusError) {
            return call(try message(path, interface, member, body), reply: reply)
        } catch {
            loop.runLater { reply(.failure(error)) }
            return nil
        }
    }

    /// Calls a method of the daemon that lives now by a message that was made for it, as often as wanted.
    @discardableResult
    func call(_ message: Message, reply: @escaping (Result<Message, DBusError>) -> Void) -> CallID? {
        guard let link else {
            loop.runLater { reply(.failure(.disconnected)) }
            return nil
        }
        defer { daemon.watchForStall(link, self) }
        return link.call(message, reply: reply)
    }

    /// A call of a method of the daemon that lives now; throws `.disconnected` when there is none.
    func message(
        _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = []
    ) throws(DBusError) -> Message {
        guard let owner else { throw .disconnected }
        return try Message.methodCall(to: owner, path: path, interface: interface, member: member, body: body)
    }

    /// Whether an answer to a call that was made in a life of the daemon says something: not when that is over, and not
    /// when the bus has ended, which is reported next and ends whatever was asked for.
    func isAnswer(_ result: Result<Message, DBusError>, in generation: UInt64) -> Bool {
        if case .failure(.disconnected) = result { return false }
        return generation == self.generation
    }

    /// Calls a method whose answer does not matter.
    package func send(_ path: String, _ interface: String, _ member: String) { call(path, interface, member) { _ in } }

    /// Calls `body` on the loop when time has passed on the managers' clock.
    @discardableResult
    package func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> ClockTimer? {
        loop.checkIsolated()
        let loop = loop
        return clock?.schedule(after: delay) { loop.submit(body) }
    }

    // MARK: Changes

    /// Takes the signals of the rules that the connection adds.
    func listen(to link: BusLink) {
        let (root, name) = (BlueZPath.root, DaemonConnection.name)
        link.onPropertiesChanged(.namespace(root), sender: name) { [weak self] in self?.receive($0) }
        link.onSignal(.path("/"), sender: name, interface: StandardInterface.objectManager) {
            [weak self] signal in self.map { $0.objects.receive(signal, $0) }
        }
        link.onSignal(.namespace(root), sender: name, interface: BlueZInterface.device) {
            [weak self] signal in self.map { $0.objects.receive(signal, $0) }
        }
    }

    /// Properties of an object have changed. Nil is one that cannot be understood.
    private func receive(_ change: PropertiesChanged?) {
        guard let change else { return }
        if isMirrorTrue, !change.hasInvalidated {
            if let object = tree.objectOfValue(like: change), let bytes = change.firstBytes {
                return notify(.value(object: object, Bytes(bytes)))
            }
            if change.isOf(BlueZInterface.characteristic), takeValue(change) { return }
            if change.isOf(BlueZInterface.device), takePacket(change) { return }
        }
        objects.receive(change.message, self)
    }

    /// A characteristic has a value, which the mirror does not hold.
    private func takeValue(_ change: PropertiesChanged) -> Bool {
        guard let property = change.next(), change.isNamed(GattCharacteristic1.value.name, property),
            let bytes = change.bytes(of: property), change.next(after: property) == nil,
            let object = tree.objectOfValue(change)
        else { return false }
        notify(.value(object: object, Bytes(bytes)))
        return true
    }

    /// A device was received: only the properties of its packet are read, and renewed.
    private func takePacket(_ change: PropertiesChanged) -> Bool {
        var next = change.next()
        while let property = next {
            guard change.isNamed(Device1.rssi.name, property) || Device1.ofPackets(change.name(of: property)) != nil
            else { return false }
            next = change.next(after: property)
        }
        guard let device = tree.renew(with: change) else { return false }
        if let (adapter, sighting) = tree.sighting(of: device) {
            notify(.sighted(device: device, adapter: adapter, sighting))
        }
        return true
    }
}
#endif
