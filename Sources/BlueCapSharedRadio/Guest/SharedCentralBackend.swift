// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapRuntime

/// The central role on a virtual radio that another program shares: a backend for a `CentralManager`.
///
/// ```swift
/// let central = CentralManager(backend: SharedCentralBackend(at: "/tmp/app.sock"))
/// ```
///
/// The other program calls ``BlueCapVirtual/VirtualRadio/share(at:)``. Where none does, and once it has ended, the
/// state is `.unsupported`, with the reason.
public actor SharedCentralBackend: CentralBackend {
    private nonisolated let door: any RadioDoor
    private var line: GuestLine<CentralEvent>
    private var sink: CentralEventSink?
    private var channelSink: ChannelEventSink?

    #if os(Linux)
    /// Creates a central role on the radio at a path, to which the manager connects when it begins.
    ///
    /// - Parameters:
    ///   - path: The path of the radio's socket.
    ///   - address: The address of the adapter, as "00:00:5E:00:53:20", for programs that are to share one; by default
    ///     the first one that no other guest has.
    public init(at path: String, address: String? = nil) {
        self.init(SocketDoor(path: path), address: address)
    }
    #endif

    package init(_ door: any RadioDoor, address: String? = nil) {
        self.door = door
        line = GuestLine(door, GuestHello(role: .central, address: address)) { .stateChanged(.unsupported, $0) }
    }

    public nonisolated var executor: any BackendExecutor { door.executor }

    // SAFETY: `door` keeps the executor alive for as long as the actor lives.
    /// The executor of the connection, as the actor uses it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe door.executor.asUnownedSerialExecutor() }

    /// The features of the virtual radio.
    public nonisolated var features: CentralFeatures {
        [.channels, .connectionParameters, .connectionRSSI, .peripheralPresence, .separatesReadsFromNotifications]
    }

    public func activate(clock: BlueCapClock, sink: CentralEventSink) {
        self.sink = sink
        let receive = callback { (backend, arrival: FrameArrival) in
            switch backend.line.take(arrival) {
            case .event(let event): backend.sink?(event)
            case .channels(let event): backend.channelSink?(event)
            case .refused, nil: break
            }
        }
        if let event = line.open(receive) { later { $0.sink?(event) } }
    }

    public func invalidate() {
        (sink, channelSink) = (nil, nil)
        line.close()
    }

    public func scan(_ request: ScanRequest?) { line.send(.scan(request)) }

    public func connect(_ peripheral: PeerIdentifier) { line.send(.connect(peripheral)) }

    public func disconnect(_ peripheral: PeerIdentifier) { line.send(.disconnect(peripheral)) }

    public func perform(_ request: CentralRequest) {
        if line.send(.perform(request)) { return }
        later { $0.sink?(.reply(request.id, .failure(.backend(.tooLong)))) }
    }

    public func activateChannels(_ sink: ChannelEventSink) { channelSink = sink }

    public func performOnChannels(_ request: ChannelRequest) { line.send(.performOnChannels(request)) }

    public func command(_ command: ChannelCommand) { line.send(.command(command)) }

    public func setPairingCapability(_ capability: PairingCapability?) { line.send(.setPairingCapability(capability)) }

    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        line.send(.answerPairing(prompt, answer))
    }
}
