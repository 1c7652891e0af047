// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
public import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import CoreBluetooth
import Dispatch

/// The central role over CoreBluetooth, on Apple's platforms.
///
/// The program needs `NSBluetoothAlwaysUsageDescription` in its Info.plist: without it the state of an app's manager is
/// `.unauthorized`, and the system ends any other process when a manager over the backend begins. Pairing belongs to
/// the system, which asks the user when a peripheral refuses an operation for want of security;
/// `CentralOperation.pair(_:)` and its siblings fail with `CoreBluetooth.pairing`, and so does opening a channel of
/// L2CAP that is to be encrypted: open it without, and the system pairs where the peripheral asks for that.
///
/// The streams of a channel do not keep the bounds of units (L6): a unit that comes may be several of the peer's, or a
/// part of one, and the peer may find those of this side joined or cut. No byte is lost or out of order. A unit is sent
/// once the stream has taken it, and has 2,048 bytes at the most, as CoreBluetooth does not report the maximum of the
/// peer (L7). A peer has 64 channels at the most.
public actor CoreBluetoothCentralBackend: CentralBackend {
    private let queueExecutor: DispatchBackendExecutor
    /// The queue on which CoreBluetooth calls back (M7).
    nonisolated var queue: DispatchQueue { queueExecutor.queue }
    /// The thread of control of the backend and its manager: the dispatch queue on which CoreBluetooth calls back.
    public nonisolated var executor: any BackendExecutor { queueExecutor }

    // SAFETY: `queueExecutor` is held by a `let` of this actor, so it lives at least as long as the unowned reference
    // is used.
    /// The executor, for the actor's own use.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queueExecutor.asUnownedSerialExecutor() }

    /// The features beyond the common ground: the strength of a connection's signal can be measured, and channels can
    /// be opened. CoreBluetooth hands over the answer to a read and a notified value by the same callback (E1), and is
    /// silent while a peripheral is out of range.
    public nonisolated var features: CentralFeatures { [.connectionRSSI, .channels] }
    /// Whether CoreBluetooth restores connections and scans of a program that the system ended.
    public nonisolated var restoresState: Bool { restoreIdentifier != nil }

    nonisolated let restoreIdentifier: String?
    nonisolated let options: CoreBluetoothOptions
    /// The reason why no manager of CoreBluetooth may be made; nil if it may.
    nonisolated let usageFailure: BackendFailure?
    private(set) var clock = BlueCapClock.continuous
    private var sink: CentralEventSink?
    private var channelSink: ChannelEventSink?
    /// Whether a command of the manager is under way.
    private var isCommanded = false
    /// M8: CoreBluetooth holds its delegates weakly.
    private(set) var delegate: (any CBCentralManagerDelegate & CBPeripheralDelegate)?
    let radio = CentralRadio()
    let objects = CentralObjects()
    let links = CentralLinks()
    let channels = OpenChannels()
    let earlyValues = EarlyValues()
    /// The occasions on which CoreBluetooth did not do as it is documented.
    public internal(set) var statistics = CoreBluetoothStatistics()

    /// Creates a backend; CoreBluetooth's manager is made when a manager begins to use it.
    ///
    /// - Parameters:
    ///   - restoreIdentifier: The identifier under which the system keeps connections and scans for the next run of the
    ///     program, another for each manager; nil to keep none. It is that of the manager's configuration. On iOS it
    ///     counts only in a program with the background mode `bluetooth-central`.
    ///   - options: The options of CoreBluetooth for its manager and for each attempt to connect.
    public init(restoreIdentifier: String? = nil, options: CoreBluetoothOptions = CoreBluetoothOptions()) {
        self.init(
            restoreIdentifier: restoreIdentifier, options: options, usageFailure: UsageDescription.failure)
    }

    /// Creates a backend of an app that may make no manager of CoreBluetooth where there is a failure.
    init(restoreIdentifier: String?, options: CoreBluetoothOptions, usageFailure: BackendFailure?) {
        self.restoreIdentifier = BackgroundMode.central.checked(restoreIdentifier)
        self.options = options
        self.usageFailure = usageFailure
        queueExecutor = DispatchBackendExecutor(label: "bluecap.central")
    }

    // MARK: Life

    /// Makes CoreBluetooth's manager, which asks the user for the permission to use Bluetooth.
    ///
    /// - Parameters:
    ///   - clock: The clock that all times come from.
    ///   - sink: The function that takes the backend's events, called on its executor only.
    public func activate(clock: BlueCapClock, sink: CentralEventSink) {
        self.clock = clock
        self.sink = sink
        delegate = makeDelegate()
        radio.begin(self)
    }

    /// Takes the function for the events of channels.
    public func activateChannels(_ sink: ChannelEventSink) { channelSink = sink }

    /// Ends the scan and disconnects every link that this backend made.
    public func invalidate() {
        sink = nil
        channelSink = nil
        let manager = radio.end()
        links.end(manager)
        channels.dropAll()
        objects.cancelRestored(manager)
        objects.drop()
        earlyValues.removeAll()
        delegate = nil
    }

    // MARK: Commands

    /// Begins or ends to scan.
    public func scan(_ request: ScanRequest?) { commanded { radio.scan(request, self) } }

    /// Connects when the peripheral is there, however long that takes (C1).
    public func connect(_ peripheral: PeerIdentifier) { commanded { links.connect(peripheral, self) } }

    /// Ends a connection or an attempt at one.
    public func disconnect(_ peripheral: PeerIdentifier) { commanded { links.disconnect(peripheral, self) } }

    /// Runs a command, out of which nothing is reported. M10: CoreBluetooth calls back from inside of a call where it
    /// has nothing to do.
    func commanded(_ body: () -> Void) {
        isCommanded = true
        defer { isCommanded = false }
        body()
    }

    // MARK: Events

    /// Reports an event: now, or once the command has returned from inside of which CoreBluetooth has called back.
    func emit(_ event: CentralEvent) { if isCommanded { report(event) } else { sink?(event) } }

    /// Reports an event that follows from a command, once the command has returned (M10).
    func report(_ event: CentralEvent) {
        later { $0.emit(event) }
    }

    /// Reports an event of channels, as any other.
    func tell(_ event: ChannelEvent) {
        if isCommanded { later { $0.tell(event) } } else { channelSink?(event) }
    }

    /// Answers a request once the command has returned.
    func answer(_ id: RequestID, _ result: Result<CentralReply, OperationFailure>) { report(.reply(id, result)) }

    /// Runs `body` when time has passed on the manager's clock, unless the link has ended by then.
    func after(
        _ delay: Duration, on link: CentralLink,
        _ body: @escaping @Sendable (isolated CoreBluetoothCentralBackend, CentralLink) -> Void
    ) -> ClockTimer {
        let name = link.name
        return clock.schedule(after: delay) { [weak self] in
            self?.later { backend in
                if let link = backend.links[name] { body(backend, link) }
            }
        }
    }
}
#endif
