// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapSerDe
import BlueCapDBus
import BlueCapRuntime

/// Subscriptions, and the values sent to subscribers: those that the daemon names, and those that it does not name.
///
/// The daemon keeps the subscriptions of a bonded central (`att_disconnected` in `src/gatt-database.c`). It calls
/// nothing when that one is back, not even when it subscribes again, as that changes nothing (`gatt_ccc_write_cb`).
/// Values sent until then are lost.
// Loop only.
final class Notifiers {
    typealias Backend = BlueZPeripheralBackend

    /// A central that came, until the daemon can send something to it.
    private struct Arrival {
        /// The characteristics that it may be subscribed to.
        let attributes: [AttributeID]
        /// Those of their indications that had been sent before the central came.
        let awaited: [AttributeID: RequestID]
        let limit: ClockTimer
    }

    private var notifiers: [AttributeID: Notifier] = [:]
    /// The centrals that came and may be subscribers, by device.
    private var arrivals: [String: Arrival] = [:]

    private func notifier(_ attribute: AttributeID, _ path: String) -> Notifier {
        if let notifier = notifiers[attribute] { return notifier }
        let made = Notifier(path: path)
        notifiers[attribute] = made
        return made
    }

    // MARK: Coming and going

    /// The daemon wants values as changes of `Value`, without naming the central.
    func startNotify(_ attribute: AttributeID, _ path: String, _ call: MethodCall, _ backend: isolated Backend) {
        call.reply()
        notifier(attribute, path).isStarted = true
        reviewUnnamed(attribute, isPresent: true, backend)
    }

    func stopNotify(_ attribute: AttributeID, _ call: MethodCall, _ backend: isolated Backend) {
        call.reply()
        if let notifier = notifiers[attribute] { endAll(attribute, notifier, backend) }
    }

    /// The last subscriber has gone: the remaining sockets were made for the same subscribers, or are about to close.
    private func endAll(_ attribute: AttributeID, _ notifier: Notifier, _ backend: isolated Backend) {
        let named = notifier.sockets.filter { $0.device != nil }
        notifier.stop()
        for socket in named { backend.emit(.unsubscribed(attribute, socket.central)) }
        reviewUnnamed(attribute, backend)
    }

    /// The daemon wants a socket for the subscriptions of one central.
    func acquireNotify(_ attribute: AttributeID, _ path: String, _ call: MethodCall, _ backend: isolated Backend) {
        guard let session = backend.session else { return call.fail(BlueZError.failed, "no session") }
        let options = AccessOptions(call.arguments[0])
        let notifier = notifier(attribute, path)
        let number = notifier.makeNumber()
        if let device = options.device {
            backend.centrals.uses(device, backend.applications.subscriptionLevel(of: attribute), backend)
        }
        let central =
            options.device.map { backend.identify($0, maximumUpdateLength: options.maximumUpdateLength) }
            ?? .allSubscribers
        do throws(LoopError) {
            let pair = try PacketPair()
            let writer = try PacketWriter(
                pair.near.duplicate(), on: session.loop,
                onClose: backend.callback { $0.notifiers.socketClosed(attribute, number, $0) })
            let unit = UInt16(clamping: options.maximumTransmissionUnit ?? 517)
            call.reply { (builder: inout MessageBuilder) throws(DBusError) in
                try builder.append(pair.far)
                try builder.append(.uint16(unit))
            }
            notifier.add(writer, number: number, for: options.device, central)
        } catch {
            forgetIfEmpty(attribute)
            return call.fail(BlueZError.failed, "\(error)")
        }
        if options.device == nil { return reviewUnnamed(attribute, isPresent: true, backend) }
        reviewUnnamed(attribute, backend)
        backend.emit(.subscribed(attribute, central))
    }

    private func socketClosed(_ attribute: AttributeID, _ number: Int, _ backend: isolated Backend) {
        guard let notifier = notifiers[attribute], let socket = notifier.socket(number) else { return }
        if backend.limits.sockets == .single { return endAll(attribute, notifier, backend) }
        notifier.remove(number)
        if let device = socket.device {
            expectEnd(of: device, attribute, notifier, backend)
            backend.emit(.unsubscribed(attribute, socket.central))
        }
        reviewUnnamed(attribute, backend)
    }

    /// The characteristic is gone from the daemon's database, even if it is about to be registered again.
    func remove(_ attribute: AttributeID, _ backend: isolated Backend) {
        guard let notifier = notifiers.removeValue(forKey: attribute) else { return }
        for central in notifier.subscribers { backend.later { $0.emit(.unsubscribed(attribute, central)) } }
        confirm(notifier, .failure(.disconnected), backend)
        notifier.close()
    }

    private func forgetIfEmpty(_ attribute: AttributeID) {
        if notifiers[attribute]?.isEmpty == true { notifiers[attribute] = nil }
    }

    // MARK: Sending

    func update(
        _ attribute: AttributeID, _ value: Bytes, _ central: PeerIdentifier?, _ request: RequestID,
        _ backend: isolated Backend
    ) {
        guard let notifier = notifiers[attribute], !notifier.subscribers.isEmpty else {
            return backend.reply(request, .failure(.disconnected))
        }
        if let central {
            guard let socket = notifier.sockets.first(where: { $0.central.identifier == central }) else {
                return backend.reply(request, .failure(.disconnected))
            }
            // The daemon takes an empty packet for the end of the socket.
            if value.isEmpty { return backend.reply(request, .failure(.unsupported)) }
            return send(Array(value), to: [socket], request, backend)
        }
        // A change reaches all, those with sockets too.
        if notifier.isStarted || notifier.returning.contains(where: { backend.isConnected($0) }) || value.isEmpty {
            return change(attribute, notifier, value, request, backend)
        }
        guard backend.limits.sockets == .separate else {
            return send(Array(value), to: Array(notifier.sockets.prefix(1)), request, backend)
        }
        let sockets = notifier.sockets.filter { socket in
            socket.device.map { !backend.centrals.isEnding($0) } ?? true
        }
        if sockets.isEmpty { return backend.reply(request, .failure(.disconnected)) }
        send(Array(value), to: sockets, request, backend)
    }

    /// Sends the value to all subscribers; an indication is answered when the first of them has confirmed it.
    private func change(
        _ attribute: AttributeID, _ notifier: Notifier, _ value: Bytes, _ request: RequestID,
        _ backend: isolated Backend
    ) {
        do throws(DBusError) {
            try signal(Array(value), at: notifier.path, backend)
        } catch {
            return backend.reply(request, .failure(.backend(BlueZFailure.failure(error))))
        }
        guard backend.applications.characteristic(attribute)?.isIndicated == true else {
            // A packet is faster than a signal: with sockets, the next value waits until this signal has arrived.
            // Without sockets one signal of many waits, so that no more than these pile up for a daemon that does not
            // read.
            if notifier.sockets.isEmpty {
                let waits = notifier.countSignal()
                if !waits { return backend.reply(request, .success(())) }
            }
            return backend.onceHeard { backend, _ in backend.reply(request, .success(())) }
        }
        // Where the daemon finds no subscriber to send it to, no confirmation comes.
        let limit = backend.after(Self.confirmationLimit) { $0.notifiers.confirmationFailed(attribute, request, $0) }
        notifier.expectConfirmation(of: request, limit: limit)
    }

    /// Signals a change of a characteristic's value, which the daemon sends to all subscribers that are connected.
    private func signal(_ value: [UInt8], at path: String, _ backend: isolated Backend) throws(DBusError) {
        guard let link = backend.session?.link else { throw .disconnected }
        try link.emitPropertiesChanged(
            at: path, interface: BlueZInterface.characteristic, changed: ["Value": .bytes(value)])
    }

    /// How long a confirmation is waited for: a central has 30 s (Core Specification, Vol 3, Part F, 3.3.3), after
    /// which the daemon gives up.
    private static let confirmationLimit = Duration.seconds(31)

    private func confirmationFailed(_ attribute: AttributeID, _ request: RequestID, _ backend: isolated Backend) {
        guard let notifier = notifiers[attribute], notifier.awaited == request else { return }
        confirm(notifier, .failure(.disconnected), backend)
    }

    func confirmed(_ attribute: AttributeID, _ call: MethodCall, _ backend: isolated Backend) {
        call.reply()
        if let notifier = notifiers[attribute] { confirm(notifier, .success(()), backend) }
    }

    private func confirm(_ notifier: Notifier, _ result: Result<Void, OperationFailure>, _ backend: isolated Backend) {
        if let request = notifier.takeConfirmation() { backend.reply(request, result) }
    }

    /// Sends a packet over sockets, waiting for each that is full, and answers when all have taken it or are gone.
    private func send(
        _ packet: [UInt8], to sockets: [Notifier.Socket], _ request: RequestID, _ backend: isolated Backend
    ) {
        // The one that was to have it has just left, and the manager will hear of that.
        if sockets.isEmpty { return backend.reply(request, .failure(.disconnected)) }
        let delivery = Delivery(packet, to: sockets.count) { [weak backend] isSent in
            backend?.reply(request, isSent ? .success(()) : .failure(.disconnected))
        }
        for socket in sockets { delivery.send(over: socket.writer) }
    }

    // MARK: Leaving and coming back

    /// How long after a link's end the daemon may need to know the remaining links.
    private static let settlingTime = Duration.milliseconds(200)
    /// How long after a link begins the daemon may need to send something over it, where it does not say that it can.
    private static let arrivalTime = Duration.seconds(1)

    /// A central left. Before 5.76 one socket serves all centrals, and only the first is named: when that one leaves
    /// and the socket stays, it still serves the others.
    func left(_ device: String, _ backend: isolated Backend) {
        takeArrival(of: device)
        let isKept = backend.isBonded(device) && backend.limits.sockets != .single
        for (attribute, notifier) in notifiers {
            notifier.left(device, isKept: isKept)
            for socket in notifier.sockets where socket.device == device {
                let number = socket.number
                backend.after(Self.settlingTime) { $0.notifiers.unname(attribute, number, device, $0) }
            }
            reviewUnnamed(attribute, backend)
        }
        releaseForgotten(backend)
    }

    private func unname(_ attribute: AttributeID, _ number: Int, _ device: String, _ backend: isolated Backend) {
        guard let notifier = notifiers[attribute], let socket = notifier.socket(number), socket.device == device,
            !backend.isConnected(device)
        else { return }
        notifier.unname(number)
        backend.emit(.unsubscribed(attribute, socket.central))
        reviewUnnamed(attribute, backend)
    }

    /// A central came, of which the daemon may have kept subscriptions. Before it has the link's ATT bearer, it sends
    /// nothing, and drops the values it gets; when it has read the central's services, it has one.
    func came(_ device: String, _ backend: isolated Backend) {
        let concerned = notifiers.filter { $1.servesUnnamed || $1.returning.contains(device) }
        if concerned.isEmpty { return }
        let limit = backend.after(Self.arrivalTime) { $0.notifiers.finishArrival(of: device, $0) }
        arrivals[device]?.limit.cancel()
        // For a central without a bond no subscription was kept, so the values went to others.
        let awaited = backend.isBonded(device) ? concerned.compactMapValues(\.awaited) : [:]
        arrivals[device] = Arrival(attributes: Array(concerned.keys), awaited: awaited, limit: limit)
        if backend.areServicesResolved(device) { finishArrival(of: device, backend) }
    }

    /// The daemon sends to a central that came, or should by now. That central may have been away, though another
    /// device stood for it: an indication that was sent meanwhile was lost, and the values behind it can be sent.
    func finishArrival(of device: String, _ backend: isolated Backend) {
        guard let arrival = takeArrival(of: device) else { return }
        for attribute in arrival.attributes {
            let hadUnnamed = notifiers[attribute]?.hasUnnamed ?? false
            reviewUnnamed(attribute, backend)
            guard let notifier = notifiers[attribute], hadUnnamed, notifier.hasUnnamed else { continue }
            if let awaited = arrival.awaited[attribute], notifier.awaited == awaited {
                confirm(notifier, .failure(.disconnected), backend)
                backend.emitAnswers()
            }
            backend.emit(.subscribed(attribute, .allSubscribers))
        }
    }

    @discardableResult
    private func takeArrival(of device: String) -> Arrival? {
        let arrival = arrivals.removeValue(forKey: device)
        arrival?.limit.cancel()
        return arrival
    }

    /// The socket of a central has closed, at the end of its subscription or of its link. In the second case the daemon
    /// has taken note of the link's end before it closed the socket, as hang-ups have a lower priority in its main loop
    /// (`src/shared/io-glib.c`), be its signal on the way or not.
    private func expectEnd(
        of device: String, _ attribute: AttributeID, _ notifier: Notifier, _ backend: isolated Backend
    ) {
        guard backend.isBonded(device), backend.isConnected(device) else { return }
        let event = notifier.closed(device)
        let property = [BlueZInterface.device, Device1.connected.name].map(DBusValue.string)
        backend.call(StandardInterface.properties, "Get", property, at: device) { backend, answer in
            if case .success(let message) = answer, (try? message.body()) == [.variant(.bool(false))] { return }
            backend.notifiers.unsubscribed(attribute, device, event)
        }
    }

    private func unsubscribed(_ attribute: AttributeID, _ device: String, _ event: Int) {
        notifiers[attribute]?.unsubscribed(device, event)
        forgetIfEmpty(attribute)
    }

    // MARK: Forgotten centrals

    /// The daemon does not know a device any more, but keeps the subscriptions that it had while it was bonded.
    func forgotten(_ device: String, wasBonded: Bool, _ backend: isolated Backend) {
        takeArrival(of: device)
        for (attribute, notifier) in notifiers where notifier.maySubscribe(device, isBonded: wasBonded) {
            notifier.forget(device)
            reviewUnnamed(attribute, backend)
        }
        releaseForgotten(backend)
    }

    /// Makes the daemon drop the subscriptions of devices that it no longer knows, as it does when it has a value for
    /// them. When a service is removed before that, the daemon looks at them in memory that it has freed, and may crash
    /// (`service_free`, then `clear_ccc_state` in `src/gatt-database.c`). With them it ends the sockets of others
    /// (`match_client_att`), and the value goes to every subscriber: so it waits until no device is connected.
    private func releaseForgotten(_ backend: isolated Backend) {
        if backend.hasConnectedDevice() { return }
        for (attribute, notifier) in notifiers where notifier.takeForgotten() {
            // Without a bus there is no daemon to have it.
            try? signal([], at: notifier.path, backend)
            forgetIfEmpty(attribute)
        }
    }

    // MARK: Subscribers without a name

    /// Reports to the manager when subscribers without a name are there, and when they are not any more.
    ///
    /// - Parameters:
    ///   - attribute: The characteristic.
    ///   - isPresent: Whether such a subscriber is certainly connected.
    private func reviewUnnamed(_ attribute: AttributeID, isPresent: Bool = false, _ backend: isolated Backend) {
        guard let notifier = notifiers[attribute] else { return }
        // A central that has only just come gets nothing yet, and is no subscriber; one that is a subscriber stays one.
        let arriving = notifier.hasUnnamed ? [] : Set(arrivals.keys)
        let isServed = notifier.servesUnnamed && (isPresent || backend.hasConnectedDevice(besides: arriving))
        let isBack = notifier.returning.subtracting(arriving).contains { backend.isConnected($0) }
        let hasUnnamed = backend.isOn && (isServed || isBack)
        if hasUnnamed != notifier.hasUnnamed {
            notifier.hasUnnamed = hasUnnamed
            if !hasUnnamed { confirm(notifier, .failure(.disconnected), backend) }
            backend.emit(
                hasUnnamed ? .subscribed(attribute, .allSubscribers) : .unsubscribed(attribute, .allSubscribers))
        }
        forgetIfEmpty(attribute)
    }

    // MARK: The radio

    /// The radio is off, and all links have ended.
    func radioLost(_ backend: isolated Backend) {
        for arrival in arrivals.values { arrival.limit.cancel() }
        arrivals = [:]
        let sharesSocket = backend.limits.sockets == .single
        for (attribute, notifier) in notifiers {
            notifier.radioLost(sharesSocket: sharesSocket) { backend.isBonded($0) }
            forgetIfEmpty(attribute)
        }
    }

    func forget() {
        for notifier in notifiers.values { notifier.close() }
        notifiers = [:]
    }
}

/// One value on its way to several sockets. Loop only.
private final class Delivery {
    private let packet: [UInt8]
    private var remaining: Int
    private var reached = 0
    private let finished: (Bool) -> Void

    /// When every socket has taken the packet or is gone, `finished` receives whether any has taken it.
    init(_ packet: [UInt8], to count: Int, finished: @escaping (Bool) -> Void) {
        self.packet = packet
        remaining = count
        self.finished = finished
    }

    func send(over writer: PacketWriter) {
        switch writer.send(packet) {
        case .sent: reached += 1
        case .failed: break
        case .full: return writer.whenWritable({ [self] in send(over: writer) }, closed: { [self] in done() })
        }
        done()
    }

    private func done() {
        remaining -= 1
        if remaining == 0 { finished(reached > 0) }
    }
}

extension Central {
    /// The central of a subscription that BlueZ does not name.
    static let allSubscribers = Central(identifier: nil)
}
#endif
