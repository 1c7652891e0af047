// SPDX-License-Identifier: MIT

// G1: on the other platforms of Apple's the class exists and cannot be created.
#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
public import BlueCapCore
import BlueCapRuntime
public import BlueCapSerDe
import CoreBluetooth
import Dispatch

/// The peripheral role over CoreBluetooth, on iOS and macOS.
///
/// CoreBluetooth sends the local name and the service UUIDs of an advertisement and nothing else, and offers the
/// descriptors User Description and Presentation Format alone. Other parts of an advertisement, and other descriptors,
/// are refused. A write of several attributes at once is answered as a whole, and is not atomic: some values may have
/// been taken when another one is refused. The system chooses the PSM of a channel of L2CAP: one that is asked for
/// fails with `CoreBluetooth.chosenPSM`. The bounds of units are not kept: see ``CoreBluetoothCentralBackend``.
public actor CoreBluetoothPeripheralBackend: PeripheralBackend {
    private let queueExecutor: DispatchBackendExecutor
    /// The queue on which CoreBluetooth calls back (M7).
    nonisolated var queue: DispatchQueue { queueExecutor.queue }
    /// The thread of control of the backend and its manager: the dispatch queue on which CoreBluetooth calls back.
    public nonisolated var executor: any BackendExecutor { queueExecutor }

    // SAFETY: `queueExecutor` is held by a `let` of this actor, so it lives at least as long as the unowned reference
    // is used.
    /// The executor, for the actor's own use.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queueExecutor.asUnownedSerialExecutor() }

    /// The features beyond the common ground: it distinguishes centrals, can notify one of them alone (I7), and takes
    /// their channels. CoreBluetooth has one advertisement (H3), and does not distinguish a write request from a
    /// command (I3).
    public nonisolated var features: PeripheralFeatures { [.individualSubscribers, .channels] }
    /// The time after which a central gives up an unanswered access: 30 s (Core Specification, Vol 3, Part F, 3.3.3).
    public nonisolated var accessTimeLimit: Duration? { .seconds(30) }
    /// Whether CoreBluetooth restores services and the advertisement of a program that the system ended.
    public nonisolated var restoresState: Bool { restoreIdentifier != nil }

    nonisolated let restoreIdentifier: String?
    nonisolated let options: CoreBluetoothOptions
    /// The reason why no manager of CoreBluetooth may be made; nil if it may.
    nonisolated let usageFailure: BackendFailure?
    private var sink: PeripheralEventSink?
    private var channelSink: ChannelEventSink?
    /// Whether a command of the manager is under way.
    private var isCommanded = false
    private(set) var clock = BlueCapClock.continuous
    /// M8: CoreBluetooth holds its delegate weakly.
    private(set) var delegate: (any CBPeripheralManagerDelegate)?
    let radio = LocalRadio()
    let database = PublishedServices()
    let advertising = LocalAdvertising()
    let accesses = LocalAccesses()
    let updates = LocalUpdates()
    let publications = ChannelPublications()
    /// The occasions on which CoreBluetooth did not do as it is documented.
    public internal(set) var statistics = CoreBluetoothStatistics()

    /// Creates a backend; CoreBluetooth's manager is made when a manager begins to use it.
    ///
    /// - Parameters:
    ///   - restoreIdentifier: The identifier under which the system keeps services and the advertisement for the next
    ///     run of the program, another for each manager; nil to keep none. It is that of the manager's configuration.
    ///     On iOS it counts only in a program with the background mode `bluetooth-peripheral`.
    ///   - options: The options of CoreBluetooth, of which the alert about Bluetooth that is off is this role's.
    public init(restoreIdentifier: String? = nil, options: CoreBluetoothOptions = CoreBluetoothOptions()) {
        self.init(
            restoreIdentifier: restoreIdentifier, options: options, usageFailure: UsageDescription.failure)
    }

    /// Creates a backend of an app that may make no manager of CoreBluetooth where there is a failure.
    init(restoreIdentifier: String?, options: CoreBluetoothOptions, usageFailure: BackendFailure?) {
        self.restoreIdentifier = BackgroundMode.peripheral.checked(restoreIdentifier)
        self.options = options
        self.usageFailure = usageFailure
        queueExecutor = DispatchBackendExecutor(label: "bluecap.peripheral")
    }

    // MARK: Abilities

    /// Returns true for the errors of the Attribute Protocol, of applications and of common profiles (I6).
    ///
    /// That the system sends the latter two as they are is unverified on hardware.
    public nonisolated func isSendable(_ error: ATTError) -> Bool {
        switch error.rawValue {
        case 0x01...0x11, 0x80...0x9F, 0xFC...0xFF: true
        default: false
        }
    }

    /// Returns the part of an advertisement that CoreBluetooth does not send; nil if it sends all of it.
    public nonisolated func unsupportedOption(of advertisement: Advertisement) -> AdvertisingOption? {
        AdvertisementJudge.unsupportedOption(of: advertisement)
    }

    /// Returns the number of bytes by which the service UUIDs exceed the packet, or the name its room; nil if both fit.
    public nonisolated func excessByteCount(of advertisement: Advertisement) -> Int? {
        AdvertisementJudge.excessByteCount(of: advertisement)
    }

    // MARK: Life

    /// Makes CoreBluetooth's manager, which asks the user for the permission to use Bluetooth.
    ///
    /// - Parameters:
    ///   - clock: The clock that all times come from.
    ///   - sink: The function that takes the backend's events, called on its executor only.
    public func activate(clock: BlueCapClock, sink: PeripheralEventSink) {
        self.clock = clock
        self.sink = sink
        delegate = makeDelegate()
        radio.begin(self)
    }

    /// Takes the function for the events of channels.
    public func activateChannels(_ sink: ChannelEventSink) { channelSink = sink }

    /// Removes the services and the advertisement.
    public func invalidate() {
        sink = nil
        channelSink = nil
        publications.end(radio.poweredOn)
        radio.end()
        advertising.drop()
        database.removeAll()
        accesses.removeAll()
        updates.removeAll()
        delegate = nil
    }

    // MARK: Commands

    /// Begins an operation.
    public func perform(_ request: PeripheralRequest) { commanded { begin(request) } }

    private func begin(_ request: PeripheralRequest) {
        let id = request.id
        guard let manager = radio.poweredOn else { return answer(id, .failure(.poweredOff)) }
        switch request.operation {
        case .add(let service): database.add(service, id, manager, self)
        case .remove(let service):
            let characteristics = database.remove(service, manager)
            accesses.end(of: characteristics, manager)
            updates.forget(characteristics)
            answer(id, .success(()))
            updates.pump(self)
        case .advertise(let advertisement, let content): advertising.start(advertisement, content, id, manager, self)
        case .updateAdvertisement(let advertisement, let content):
            advertising.change(advertisement, content, id, manager, self)
        case .stopAdvertising(let advertisement):
            advertising.stop(advertisement, manager, self)
            answer(id, .success(()))
        case .disconnect: answer(id, .failure(.unsupported))
        case .update(let attribute, let value, let central):
            updates.add(value, of: attribute, to: central, id, self)
        }
    }

    /// Answers an access of a central.
    ///
    /// - Parameters:
    ///   - access: The name of the access.
    ///   - result: For a read the value from the offset on, for a write no bytes; or the ATT error that the central
    ///     gets.
    public func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) {
        guard let manager = radio.poweredOn else { return }
        commanded { accesses.respond(to: access, result, manager) }
    }

    /// Runs a command, out of which nothing is reported. M10: CoreBluetooth may call back from inside of a call where
    /// it has nothing to do.
    func commanded(_ body: () -> Void) {
        isCommanded = true
        defer { isCommanded = false }
        body()
    }

    // MARK: Events

    /// Reports an event: now, or once the command has returned from inside of which CoreBluetooth has called back.
    func emit(_ event: PeripheralEvent) { if isCommanded { report(event) } else { sink?(event) } }

    /// Reports an event that follows from a command, once the command has returned (M10).
    func report(_ event: PeripheralEvent) {
        later { $0.emit(event) }
    }

    /// Reports an event of channels, as any other.
    func tell(_ event: ChannelEvent) {
        if isCommanded { later { $0.tell(event) } } else { channelSink?(event) }
    }

    /// Answers a request once the command has returned.
    func answer(_ id: RequestID, _ result: Result<Void, OperationFailure>) { report(.reply(id, result)) }

    /// Counts a callback that answers no request, or is about an object that is not known.
    func countStray() { statistics.strayCallbacks += 1 }
}
#endif
