// SPDX-License-Identifier: MIT

import BlueCapCore
package import BlueCapRuntime
package import BlueCapVirtual

/// A guest of a shared radio, on the radio's executor: a role of its own, which does as the guest's frames say and
/// reports its events as frames. The guest is untrusted.
package actor GuestSession: RadioActor {
    /// How many requests of a guest may be open, and how many connections it may be making.
    static let openLimit = 1024
    /// How many services a guest may have, and how many advertisements.
    static let offerLimit = 1024
    /// How long a guest may take to greet.
    private static let patience = Duration.seconds(10)

    private enum Stage {
        case new
        case central(VirtualCentralBackend)
        case peripheral(VirtualPeripheralBackend)
        case over
    }

    package nonisolated let executor: any BackendExecutor
    private let radio: VirtualRadio
    private let addresses: GuestAddresses
    private let ended: @Sendable () -> Void
    /// The address that was chosen for it.
    private var chosen: String?
    private var channel: (any FrameChannel)?
    /// Ends a guest that does not greet.
    private var greeting: ClockTimer?
    private var stage = Stage.new
    /// Each with the peripheral with whose link it ends.
    private var requests: [RequestID: PeerIdentifier?] = [:]
    private var channels = GuestChannels()
    private var attempts: Set<PeerIdentifier> = []
    private var services: Set<AttributeID> = []
    private var advertisements: Set<AdvertisementID> = []

    /// - Parameters:
    ///   - radio: The radio that is shared.
    ///   - addresses: Those of the radio's guests.
    ///   - ended: Called when the guest is gone, or has to go.
    package init(radio: VirtualRadio, addresses: GuestAddresses, ended: @escaping @Sendable () -> Void = {}) {
        self.radio = radio
        self.addresses = addresses
        self.ended = ended
        executor = radio.executor
    }

    // SAFETY: `executor` is a `let` of this actor, so it lives as long as the unowned reference is used.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Begins to answer on a connection.
    package func open(_ channel: any FrameChannel) {
        self.channel = channel
        greeting = radio.clock.schedule(after: Self.patience) { [weak self] in
            self?.later { if case .new = $0.stage { $0.end() } }
        }
    }

    package func take(_ arrival: FrameArrival) {
        guard case .frame(let frame) = arrival else { return end() }
        do throws(JournalFailure) {
            switch stage {
            case .new: try greet(Frame.decode(from: frame))
            case .central(let backend): try command(backend, Frame.decode(from: frame))
            case .peripheral(let backend): try command(backend, Frame.decode(from: frame))
            case .over: break
            }
        } catch {
            if case .newer(let version) = error { return refuse(.otherVersion(version)) }
            refuse(.malformed)
        }
    }

    /// The guest is gone: its role ends, with its links.
    package func end() {
        switch stage {
        case .central(let backend): backend.onExecutor { $0.invalidate() }
        case .peripheral(let backend): backend.onExecutor { $0.invalidate() }
        case .new: break
        case .over: return
        }
        stage = .over
        greeting?.cancel()
        if let chosen { addresses.free(chosen) }
        channel?.close()
        channel = nil
        ended()
    }

    private func refuse(_ failure: BackendFailure) {
        send(HostMessage<CentralEvent>.refused(failure))
        end()
    }

    /// Sends a message; one that no frame has room for is left out.
    @discardableResult
    private func send(_ message: some JournalCodable) -> Bool {
        guard let frame = Frame.encode(message) else { return false }
        channel?.send(frame)
        return true
    }

    private func greet(_ hello: GuestHello) throws(JournalFailure) {
        greeting?.cancel()
        let address: String
        if let wanted = hello.address {
            guard PeerIdentifier(wanted).isAddress else { throw .corrupt }
            address = wanted
        } else {
            address = addresses.choose(for: hello.role)
            chosen = address
        }
        let reportChannels = callback { (session, event: ChannelEvent) in session.report(event) }
        switch hello.role {
        case .central:
            let backend = radio.central(address: address)
            stage = .central(backend)
            let report = callback { (session, event: CentralEvent) in session.report(event) }
            backend.onExecutor {
                $0.activateChannels(ChannelEventSink(reportChannels))
                $0.activate(clock: $0.ownClock, sink: CentralEventSink(report))
            }
        case .peripheral:
            let backend = radio.peripheral(address: address)
            stage = .peripheral(backend)
            let report = callback { (session, event: PeripheralEvent) in session.report(event) }
            backend.onExecutor {
                $0.activateChannels(ChannelEventSink(reportChannels))
                $0.activate(clock: $0.ownClock, sink: PeripheralEventSink(report))
            }
        }
    }

    // MARK: The central role

    private func command(_ backend: VirtualCentralBackend, _ message: GuestMessage) throws(JournalFailure) {
        switch message {
        case .scan(let request): backend.onExecutor { $0.scan(request) }
        case .connect(let peripheral):
            attempts.insert(peripheral)
            guard attempts.count <= Self.openLimit else { return refuse(.tooMuch) }
            backend.onExecutor { $0.connect(peripheral) }
        case .disconnect(let peripheral): backend.onExecutor { $0.disconnect(peripheral) }
        case .perform(let request):
            requests[request.id] = .some(request.operation.peripheral)
            guard requests.count <= Self.openLimit else { return refuse(.tooMuch) }
            backend.onExecutor { $0.perform(request) }
        case .setPairingCapability(let capability): backend.onExecutor { $0.setPairingCapability(capability) }
        case .answerPairing(let prompt, let answer): backend.onExecutor { $0.answerPairing(prompt, answer) }
        case .performOnChannels(let request): try perform(request, on: backend, as: .central)
        case .command(let command): carryOut(command, on: backend)
        case .offer, .respond: throw .corrupt
        }
    }

    private func report(_ event: CentralEvent) {
        switch event {
        case .stateChanged(let state, _):
            if state != .poweredOn { (requests, attempts, channels) = ([:], [], GuestChannels()) }
        case .connected(let peripheral, _), .connectFailed(let peripheral, _): attempts.remove(peripheral)
        case .disconnected(let peripheral, _):
            attempts.remove(peripheral)
            requests = requests.filter { $0.value != peripheral }
            channels.linkEnded(peripheral)
        case .reply(let id, _): requests[id] = nil
        // A radio loses sightings, too.
        case .sighted: if channel?.isSlow == true { return }
        default: break
        }
        if !send(HostMessage.event(event)), case .reply(let id, _) = event {
            send(HostMessage.event(CentralEvent.reply(id, .failure(.backend(.tooLong)))))
        }
    }

    // MARK: The peripheral role

    private func command(_ backend: VirtualPeripheralBackend, _ message: GuestMessage) throws(JournalFailure) {
        switch message {
        case .offer(let request): try offer(request, backend)
        case .respond(let access, let result): backend.onExecutor { $0.respond(to: access, result) }
        case .setPairingCapability(let capability): backend.onExecutor { $0.setPairingCapability(capability) }
        case .answerPairing(let prompt, let answer): backend.onExecutor { $0.answerPairing(prompt, answer) }
        case .performOnChannels(let request): try perform(request, on: backend, as: .peripheral)
        case .command(let command): carryOut(command, on: backend)
        case .scan, .connect, .disconnect, .perform: throw .corrupt
        }
    }

    private func offer(_ request: PeripheralRequest, _ backend: VirtualPeripheralBackend) throws(JournalFailure) {
        switch request.operation {
        case .add(let service): services.insert(service.id)
        case .remove(let service): services.remove(service)
        case .advertise(let id, let advertisement), .updateAdvertisement(let id, let advertisement):
            // The guest's manager refuses it before.
            guard backend.excessByteCount(of: advertisement) == nil else { throw .corrupt }
            advertisements.insert(id)
        case .stopAdvertising(let id): advertisements.remove(id)
        case .update, .disconnect: break
        }
        requests[request.id] = .some(nil)
        guard requests.count <= Self.openLimit, services.count <= Self.offerLimit,
            advertisements.count <= Self.offerLimit
        else { return refuse(.tooMuch) }
        backend.onExecutor { $0.perform(request) }
    }

    private func report(_ event: PeripheralEvent) {
        switch event {
        case .stateChanged(let state, _): if state != .poweredOn { (requests, channels) = ([:], GuestChannels()) }
        case .centralDisconnected(let central, _, _): channels.linkEnded(central)
        case .reply(let id, _): requests[id] = nil
        default: break
        }
        send(HostMessage.event(event))
    }

    // MARK: Channels

    private func perform(
        _ request: ChannelRequest, on backend: some ChannelBackend, as role: GuestRole
    ) throws(JournalFailure) {
        try channels.begin(request, as: role)
        guard channels.requestCount <= Self.openLimit else { return refuse(.tooMuch) }
        backend.onExecutor { $0.performOnChannels(request) }
    }

    private func carryOut(_ command: ChannelCommand, on backend: some ChannelBackend) {
        channels.took(command)
        backend.onExecutor { $0.command(command) }
    }

    private func report(_ event: ChannelEvent) {
        channels.reported(event)
        send(HostMessage<CentralEvent>.channels(event))
    }
}
