// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe
import Foundation

/// The peripheral role over wires: each central that is in range is at the other end of a socket.
///
/// ```swift
/// let backend = WirePeripheralBackend()
/// let manager = PeripheralManager(backend: backend)
/// backend.attach(socket, as: "C0:DE:00:00:00:02")
/// ```
public actor WirePeripheralBackend: PeripheralBackend {
    /// A request of a central that waits for the manager's answer.
    struct Access {
        let central: PeerIdentifier
        let request: UInt64
        let isRead: Bool
    }

    /// A value that some subscribers have not taken.
    struct Update {
        let request: RequestID
        var centrals: Set<PeerIdentifier>
    }

    private let queueExecutor = DispatchBackendExecutor(label: "WireRadio.peripheral")
    /// The one thread of control of the backend and its manager.
    public nonisolated var executor: any BackendExecutor { queueExecutor }
    // SAFETY: a `let` of this actor keeps the executor, so it lives as long as the unowned reference is used.
    /// The same as ``executor``.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { queueExecutor.asUnownedSerialExecutor() }

    /// Each central has a wire of its own, and requests and commands are different messages.
    public nonisolated let features: PeripheralFeatures = [.individualSubscribers, .writeKinds]
    /// None: a central at the other end of a wire waits without a limit.
    public nonisolated let accessTimeLimit: Duration? = nil
    /// The ATT_MTU of every link.
    public nonisolated let maximumTransmissionUnit = 247

    var sink: PeripheralEventSink?
    var centrals: [PeerIdentifier: RemoteCentral] = [:]
    var services: [LocalService] = []
    var advertisement: Advertisement?
    var accesses: [AccessID: Access] = [:]
    var updates: [AttributeID: Update] = [:]
    var isOn = true
    private var isOver = false
    /// The last number that was given to a wire or an access.
    private var lastNumber: UInt64 = 0

    /// Creates a backend with no central in range, whose radio is on.
    public init() {}

    /// Every error is a number in a message.
    public nonisolated func isSendable(_ error: ATTError) -> Bool { true }

    /// The number of bytes beyond the 31 of a legacy packet or the 251 of an extended one, although a wire would take
    /// more.
    public nonisolated func excessByteCount(of advertisement: Advertisement) -> Int? {
        let room = advertisement.secondaryPHY == nil ? 31 : 251
        let excess = max(advertisement.packetByteCount, advertisement.scanResponseByteCount) - room
        return excess > 0 ? excess : nil
    }

    // MARK: State

    /// Reports the state, after this returns.
    public func activate(clock: BlueCapClock, sink: PeripheralEventSink) {
        self.sink = sink
        later { $0.reportState() }
    }

    /// Closes every wire, which ends every link.
    public func invalidate() {
        sink = nil
        isOver = true
        for central in centrals.values { central.wire.close() }
        centrals = [:]
    }

    /// Switches the radio on or off, as a user does in a system's settings. It is on at first.
    public nonisolated func setPower(_ isOn: Bool) {
        later { $0.changePower(isOn) }
    }

    private func changePower(_ isOn: Bool) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        for (identifier, central) in centrals {
            if let link = central.link { central.wire.send(.disconnected(link: link)) }
            centrals[identifier]?.link = nil
            centrals[identifier]?.subscriptions = []
        }
        // The manager ends all of this itself when the state changes.
        accesses = [:]
        updates = [:]
        reportState()
        advertise()
    }

    private func reportState() { sink?(.stateChanged(isOn ? .poweredOn : .poweredOff, nil)) }

    // MARK: Centrals in range

    /// Brings a central into range.
    ///
    /// - Parameters:
    ///   - socket: A stream socket with the central at its other end. The backend closes it.
    ///   - identifier: The central; a central that was in range already has this wire from now on.
    public nonisolated func attach(_ socket: Int32, as identifier: PeerIdentifier) {
        later { $0.take(socket, of: identifier) }
    }

    private func take(_ socket: Int32, of identifier: PeerIdentifier) {
        guard !isOver else {
            Foundation.close(socket)
            return
        }
        lose(identifier)
        let number = makeNumber()
        let receive = callback { (self, bytes: [UInt8]?) in self.receive(bytes, from: identifier, over: number) }
        let wire = Wire(socket: socket, queue: queueExecutor.queue, receive: receive)
        centrals[identifier] = RemoteCentral(wire: wire, wireNumber: number)
        advertise(to: wire)
    }

    /// Ends the wire of a central that has gone out of range.
    func lose(_ identifier: PeerIdentifier) {
        endLink(of: identifier)
        centrals.removeValue(forKey: identifier)?.wire.close()
    }

    /// Ends a link, with its requests and subscriptions.
    func endLink(of identifier: PeerIdentifier) {
        guard let central = centrals[identifier], central.link != nil else { return }
        centrals[identifier]?.link = nil
        centrals[identifier]?.subscriptions = []
        for (id, access) in accesses where access.central == identifier {
            accesses[id] = nil
            sink?(.accessCancelled(id))
        }
        for attribute in updates.keys { finishUpdate(of: attribute, for: identifier) }
        for attribute in central.subscriptions { sink?(.unsubscribed(attribute, facts(of: identifier))) }
    }

    /// A central as the manager sees it.
    func facts(of identifier: PeerIdentifier) -> Central {
        Central(identifier: identifier, maximumUpdateLength: maximumTransmissionUnit - 3)
    }

    func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Advertising

    func advertise() {
        for central in centrals.values { advertise(to: central.wire) }
    }

    private func advertise(to wire: Wire) {
        guard isOn, let advertisement else { return wire.send(.silence) }
        wire.send(.advertisement(packets: [advertisement.packet(), advertisement.scanResponsePacket], rssi: -50))
    }
}
