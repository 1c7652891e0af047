// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// A connection between an adapter's central role and a peer.
///
/// Packets wait in one queue for each direction and travel at connection events, which are at multiples of the
/// connection interval; there are events only while something waits. A lost packet stays first in its queue, as the
/// link layer repeats it until it is acknowledged.
final class VirtualLink {
    /// How many Write Commands wait before the next has to wait for room.
    private static let commandCapacity = 8
    /// The number of packets of the peripheral that wait before the link has no room.
    private static let downstreamCapacity = 8

    let medium: any LinkMedium
    let timeline: Timeline
    /// Whose program has the connection; another's after a program that was killed.
    var central: any LinkCentral
    let peer: any LinkPeer
    /// The name under which the central knows the peer, also after the peer has changed its address.
    let identifier: PeerIdentifier
    var interval: Duration { facts.interval }
    /// The link as observers of the radio receive it. It begins with the timing that the peer has set.
    private(set) var facts: AirLink
    private(set) lazy var client = ATTClient(link: self)
    private(set) lazy var security = PairingProcess(link: self)
    /// The channels of the central's side.
    var centralChannels: LinkChannels { channels().central }
    /// The channels of the peripheral's side.
    var peripheralChannels: LinkChannels { channels().peripheral }
    var session = ServerSession()
    /// The central's view of the peer's database.
    var view: DatabaseView { central.view(of: identifier, version: peer.server.version) }
    var maximumTransmissionUnit = 23 { didSet { if maximumTransmissionUnit != oldValue { peer.linkChanged(self) } } }
    var level = SecurityLevel.open { didSet { if level != oldValue { peer.linkChanged(self) } } }
    private(set) var isOpen = true
    /// Whether the connection was reported to the central's manager.
    var isReported = false

    /// Why the link ended; nil while it stands, and where the peer has forgotten it.
    private(set) var endReason: LinkEndReason?
    /// The prepared parts that were not executed when the link ended, by handle.
    private(set) var abandonedParts: [UInt16: Int] = [:]

    /// Whether the peer has forgotten the link, so that nothing passes any more.
    private var isDead = false
    private var anchor: Duration
    private var upstream = RingBuffer<Upstream>()
    private var downstream = RingBuffer<Downstream>()
    /// The packets that the peripheral sends by itself while it is mute; they wait until it is not.
    private var muted = RingBuffer<Downstream>()
    private var request: ATTRequest?
    private var commands = 0
    private var waitingCommands = RingBuffer<(handle: UInt16, value: Bytes, admitted: () -> Void)>()
    private var event: Timeline.Entry?
    private var supervision: Timeline.Entry?
    private var failedEvents = 0
    private var flushes: [(Bool) -> Void] = []
    private var roomWaiters = RingBuffer<(Bool) -> Void>()
    /// The channels of both sides, from the first one on.
    private var sides: (central: LinkChannels, peripheral: LinkChannels)?

    init(medium: any LinkMedium, central: any LinkCentral, peer: any LinkPeer) {
        self.medium = medium
        timeline = medium.timeline
        self.central = central
        self.peer = peer
        identifier = peer.identifier
        anchor = timeline.now
        facts = AirLink(
            number: medium.makeLinkNumber(), central: central.address, peripheral: peer.identifier,
            isBetweenAdapters: peer.isAdapter, interval: peer.connection.interval, latency: 0,
            supervisionTimeout: peer.connection.supervisionTimeout)
    }

    /// The answer to a request that needs more than the link has: 0x0F where both sides have a key that would do, 0x05
    /// where they need one. Nil where the link does.
    func denial(_ needed: SecurityLevel) -> ATTError? {
        if level >= needed { return nil }
        let key = medium.bondLevel(central.address, peer) ?? .open
        return key >= needed ? .insufficientEncryption : .insufficientAuthentication
    }

    private var isReachable: Bool { !isDead && peer.isReachable && central.isReachable }

    /// The peripheral takes packets of this many bytes from now on.
    func limitTransmissionUnit(to unit: Int) {
        maximumTransmissionUnit = min(unit, central.maximumTransmissionUnit)
        central.maximumTransmissionUnitChanged(self)
    }

    /// Whether both sides have the link.
    var stands: Bool { isOpen && !isDead }

    // MARK: Sending

    func send(_ packet: Upstream) {
        guard isOpen else { return }
        if case .request(let request) = packet { self.request = request }
        report(packet.frame, fromCentral: true)
        upstream.append(packet)
        arm()
    }

    func send(_ packet: Downstream) {
        guard isOpen else { return }
        report(packet.frame(answering: request), fromCentral: false)
        downstream.append(packet)
        arm()
    }

    /// Reports a frame to the observers of the radio. Its bytes are made only if there are any.
    private func report(_ frame: @autoclosure () -> AirFrame?, fromCentral: Bool, isDelivered: Bool = false) {
        guard medium.isObserved, let frame = frame() else { return }
        medium.report(
            isDelivered
                ? .delivered(facts, fromCentral: fromCentral, frame) : .sent(facts, fromCentral: fromCentral, frame))
    }

    /// Sends a Write Command; `admitted` is called when there is room for another.
    func sendCommand(_ handle: UInt16, _ value: Bytes, admitted: @escaping () -> Void) {
        guard isOpen else { return }
        waitingCommands.append((handle, value, admitted))
        admitCommands()
    }

    private func admitCommands() {
        while commands < Self.commandCapacity, let command = waitingCommands.popFirst() {
            commands += 1
            send(.command(command.handle, command.value))
            command.admitted()
        }
    }

    /// Calls `finished` when the peripheral's packets queued by now were sent (true), or the link has ended.
    func flush(_ finished: @escaping (Bool) -> Void) {
        if !isOpen { return finished(false) }
        if isAllSent { return finished(true) }
        flushes.append(finished)
    }

    /// Calls `admitted` when the peripheral's queue has room for another packet (true), or the link has ended.
    func whenRoom(_ admitted: @escaping (Bool) -> Void) {
        if !isOpen { return admitted(false) }
        if hasRoom { return admitted(true) }
        roomWaiters.append(admitted)
    }

    private func admitWaiters() {
        while hasRoom, let waiter = roomWaiters.popFirst() { waiter(true) }
    }

    private var hasRoom: Bool { downstream.count + muted.count < Self.downstreamCapacity }

    private var isAllSent: Bool { downstream.isEmpty && muted.isEmpty && session.inFlight == nil }

    // MARK: Connection events

    private func arm() {
        guard isOpen, event == nil, isReachable, !(upstream.isEmpty && downstream.isEmpty) else { return }
        let passed = (timeline.now - anchor).attoseconds
        let next = (passed / interval.attoseconds + 1) * interval.attoseconds
        event = timeline.schedule(at: anchor + Duration(attoseconds: next)) { self.runEvent() }
    }

    private func runEvent() {
        event = nil
        guard isOpen, isReachable else { return }
        if peer.losesPacket() || central.losesPacket() {
            failedEvents += 1
            if Int64(failedEvents) * interval.nanoseconds >= facts.supervisionTimeout.nanoseconds {
                return end(.supervisionTimeout)
            }
            return arm()
        }
        failedEvents = 0
        let budget = peer.connection.packetsPerEvent
        // Answers to the requests of this event wait for the next.
        let answers = min(budget, downstream.count)
        let requests = min(budget, upstream.count)
        for _ in 0..<requests {
            guard isOpen, let packet = upstream.popFirst() else { break }
            receive(packet)
        }
        if requests > 0 { admitCommands() }
        for _ in 0..<answers {
            guard isOpen, let packet = downstream.popFirst() else { break }
            receive(packet)
        }
        if isOpen, !roomWaiters.isEmpty { admitWaiters() }
        if isOpen, !flushes.isEmpty, isAllSent { finishFlushes(true) }
        arm()
    }

    /// Takes another timing, with the shortest of the intervals, and counts connection events from now.
    private func apply(_ parameters: ConnectionParameters) {
        facts.interval = parameters.interval.lowerBound
        facts.latency = parameters.latency
        facts.supervisionTimeout = parameters.supervisionTimeout
        anchor = timeline.now
        medium.report(.timed(facts))
        peer.linkTimed(self, parameters)
    }

    private func finishFlushes(_ sent: Bool) {
        let waiting = flushes
        flushes = []
        for finished in waiting { finished(sent) }
    }

    // MARK: The peripheral's side

    private func receive(_ packet: Upstream) {
        report(packet.frame, fromCentral: true, isDelivered: true)
        switch packet {
        case .terminate: end(.local)
        case .channel(let packet): peripheralChannels.receive(packet)
        case .confirmation: confirmIndication()
        case .parameters(let parameters, let applied):
            apply(parameters)
            applied()
        case .command(let handle, let value):
            commands -= 1
            if !peer.isMute { peer.server.handleCommand(handle, value, on: self) }
        case .request(let request):
            if peer.isMute { return }
            peer.server.handle(request, on: self) { [self] result in
                let delay = peer.responseDelay
                if delay == .zero { return respond(result) }
                timeline.schedule(after: delay) { self.respond(result) }
            }
        }
    }

    /// Answers a request, unless the peripheral has fallen silent since it came.
    private func respond(_ result: ATTResult) {
        if isOpen, !peer.isMute { send(.response(result)) }
    }

    /// Sends a notification, cut to the size of one packet.
    func notify(_ handle: UInt16, _ value: Bytes) {
        sendUnasked(.notification(handle, value.part(from: 0, room: maximumTransmissionUnit - 3)))
    }

    /// Sends a packet of a channel, or keeps it while the peripheral that sends it is mute.
    func send(_ packet: ChannelPacket, fromCentral: Bool) {
        if fromCentral { send(Upstream.channel(packet)) } else { sendUnasked(.channel(packet)) }
    }

    /// Closes a channel from the side that it belongs to.
    func close(_ channel: LinkChannel) {
        sides?.central.close(channel)
        sides?.peripheral.close(channel)
    }

    private func channels() -> (central: LinkChannels, peripheral: LinkChannels) {
        if let sides { return sides }
        let made = (LinkChannels(link: self, isCentral: true), LinkChannels(link: self, isCentral: false))
        sides = made
        return made
    }

    /// Sends a packet that is no answer, or keeps it while the peripheral is mute.
    private func sendUnasked(_ packet: Downstream) {
        guard isOpen else { return }
        if peer.isMute { muted.append(packet) } else { send(packet) }
    }

    /// The peripheral is not mute any more.
    func unmuted() {
        for packet in muted.drain() { send(packet) }
    }

    /// Sends an indication after those before it were confirmed; `finished` receives whether this one was.
    func indicate(_ packet: Downstream, finished: ((Bool) -> Void)? = nil) {
        guard isOpen else { return finished?(false) ?? () }
        session.indications.append(QueuedIndication(packet: packet, finished: finished))
        sendIndication()
    }

    private func sendIndication() {
        guard session.inFlight == nil, let next = session.indications.popFirst() else { return }
        session.inFlight = next
        sendUnasked(next.packet)
    }

    private func confirmIndication() {
        guard let confirmed = session.inFlight else { return }
        session.inFlight = nil
        confirmed.finished?(true)
        sendIndication()
    }

    // MARK: The central's side

    private func receive(_ packet: Downstream) {
        report(packet.frame(answering: request), fromCentral: false, isDelivered: true)
        switch packet {
        case .terminate(let isFull): end(isFull ? .remoteLowResources : .remote)
        case .response(let result): client.receive(result)
        case .channel(let packet): centralChannels.receive(packet)
        case .notification(let handle, let value): central.received(value, of: handle, on: self)
        case .indication(let handle, let value):
            central.received(value, of: handle, on: self)
            send(.confirmation)
        case .servicesChanged(let services):
            central.servicesChanged(services, on: self)
            send(.confirmation)
        }
    }

    // MARK: Ending

    /// Called when the peer comes into reach or goes out of it.
    func reachabilityChanged() {
        guard isOpen else { return }
        if isReachable {
            timeline.cancel(supervision)
            supervision = nil
            arm()
        } else if supervision == nil {
            timeline.cancel(event)
            event = nil
            supervision = timeline.schedule(after: facts.supervisionTimeout) {
                self.end(.supervisionTimeout)
            }
        }
    }

    /// The peer has restarted and knows nothing of the link.
    func reset() {
        guard isOpen, !isDead else { return }
        isDead = true
        countAbandonedParts()
        sides?.peripheral.stop()
        peer.linkClosed(self)
        reachabilityChanged()
    }

    /// The central's stack ends the link: at the next connection event, or at once where nothing travels.
    func terminate() {
        if !isReachable { return end(.local) }
        upstream = RingBuffer()
        waitingCommands = RingBuffer()
        commands = 0
        send(Upstream.terminate)
    }

    /// The peripheral ends the link, at a connection event, after its queued packets.
    ///
    /// - Parameter isFull: Whether it has no room for another central.
    func terminateFromPeer(isFull: Bool = false) { send(Downstream.terminate(isFull: isFull)) }

    private func countAbandonedParts() {
        for part in session.prepared { abandonedParts[part.handle, default: 0] += 1 }
    }

    /// Takes the link down on both sides. A peer that is out of reach learns it from its own supervision timeout.
    func end(_ reason: LinkEndReason) {
        guard isOpen else { return }
        isOpen = false
        endReason = reason
        if !isDead { countAbandonedParts() }
        medium.report(.closed(facts, central: reason.reasons.central, peripheral: reason.reasons.peripheral))
        timeline.cancel(event)
        timeline.cancel(supervision)
        client.stop()
        security.stop()
        sides?.central.stop()
        sides?.peripheral.stop()
        central.linkEnded(self, reason)
        let lost = [session.inFlight].compactMap { $0 } + session.indications.drain()
        session = ServerSession()
        waitingCommands = RingBuffer()
        muted = RingBuffer()
        for indication in lost { indication.finished?(false) }
        finishFlushes(false)
        for waiter in roomWaiters.drain() { waiter(false) }
        let isTold = isReachable && reason != .radioGone
        if isTold || reason == .supervisionTimeout { return peer.linkClosed(self) }
        timeline.schedule(after: facts.supervisionTimeout) { self.peer.linkClosed(self) }
    }
}

extension RingBuffer {
    mutating func drain() -> [Element] {
        var elements: [Element] = []
        while let element = popFirst() { elements.append(element) }
        return elements
    }
}

extension Duration {
    /// The duration in whole nanoseconds.
    var nanoseconds: Int64 { Int64(attoseconds / 1_000_000_000) }
}
