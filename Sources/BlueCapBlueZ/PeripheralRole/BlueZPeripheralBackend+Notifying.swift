// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

// Subscriptions, and the values sent to subscribers.
extension BlueZPeripheralBackend {
    private func notifier(_ attribute: AttributeID, _ path: String) -> Notifier {
        if let notifier = notifiers[attribute] { return notifier }
        let made = Notifier(path: path)
        notifiers[attribute] = made
        return made
    }

    // MARK: Coming and going

    /// The daemon wants values as changes of `Value`, without naming the central.
    func startNotify(_ attribute: AttributeID, _ path: String, _ call: MethodCall) {
        call.reply()
        notifier(attribute, path).isStarted = true
        reviewUnnamed(attribute, isPresent: true)
    }

    func stopNotify(_ attribute: AttributeID, _ call: MethodCall) {
        call.reply()
        if let notifier = notifiers[attribute] { endAll(attribute, notifier) }
    }

    /// The last subscriber has gone: the remaining sockets were made for the same subscribers, or are about to close.
    private func endAll(_ attribute: AttributeID, _ notifier: Notifier) {
        let named = notifier.sockets.filter { $0.device != nil }
        notifier.stop()
        for socket in named { emit(.unsubscribed(attribute, socket.central)) }
        reviewUnnamed(attribute)
    }

    /// The daemon wants a socket for the subscriptions of one central.
    func acquireNotify(_ attribute: AttributeID, _ path: String, _ call: MethodCall) {
        guard let session else { return call.fail(BlueZError.failed, "no session") }
        let options = AccessOptions(call.arguments[0])
        let notifier = notifier(attribute, path)
        let number = notifier.makeNumber()
        let central =
            options.device.map { identify($0, maximumUpdateLength: options.maximumUpdateLength) } ?? .allSubscribers
        do throws(DBusError) {
            let pair = try PacketPair()
            let writer = try PacketWriter(
                pair.near.duplicate(), on: session.loop, onClose: callback { $0.socketClosed(attribute, number) })
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
        if options.device == nil { return reviewUnnamed(attribute, isPresent: true) }
        reviewUnnamed(attribute)
        emit(.subscribed(attribute, central))
    }

    private func socketClosed(_ attribute: AttributeID, _ number: Int) {
        guard let notifier = notifiers[attribute], let socket = notifier.socket(number) else { return }
        if limits.withLock({ $0.sockets }) == .single { return endAll(attribute, notifier) }
        notifier.remove(number)
        if let device = socket.device {
            expectEnd(of: device, attribute, notifier)
            emit(.unsubscribed(attribute, socket.central))
        }
        reviewUnnamed(attribute)
    }

    /// The characteristic is gone from the daemon's database, even if it is about to be registered again.
    func endNotifying(_ attribute: AttributeID) {
        guard let notifier = notifiers.removeValue(forKey: attribute) else { return }
        for central in notifier.subscribers { later { $0.emit(.unsubscribed(attribute, central)) } }
        confirm(notifier, .failure(.disconnected))
        notifier.close()
    }

    func forgetIfEmpty(_ attribute: AttributeID) {
        if notifiers[attribute]?.isEmpty == true { notifiers[attribute] = nil }
    }

    // MARK: Sending

    func update(_ attribute: AttributeID, _ value: Bytes, _ central: PeerIdentifier?, _ request: RequestID) {
        guard let notifier = notifiers[attribute], !notifier.subscribers.isEmpty else {
            return reply(request, .failure(.disconnected))
        }
        if let central {
            guard let socket = notifier.sockets.first(where: { $0.central.identifier == central }) else {
                return reply(request, .failure(.disconnected))
            }
            // The daemon takes an empty packet for the end of the socket.
            if value.isEmpty { return reply(request, .failure(.unsupported)) }
            return send(Array(value), to: [socket], request)
        }
        // A change reaches all, those with sockets too.
        if notifier.isStarted || notifier.returning.contains(where: isConnected) || value.isEmpty {
            return change(attribute, notifier, value, request)
        }
        let isForOne = limits.withLock { $0.sockets } == .separate
        send(Array(value), to: isForOne ? notifier.sockets : Array(notifier.sockets.prefix(1)), request)
    }

    /// Sends the value to all subscribers; an indication is answered when the first of them has confirmed it.
    private func change(_ attribute: AttributeID, _ notifier: Notifier, _ value: Bytes, _ request: RequestID) {
        do throws(DBusError) {
            try signal(Array(value), at: notifier.path)
        } catch {
            return reply(request, .failure(.backend(BlueZFailure.failure(error))))
        }
        guard isIndicated(attribute) else {
            // A packet is faster than a signal: with sockets, the next value waits until this signal has arrived.
            // Without sockets one signal of many waits, so that no more than these pile up for a daemon that does not
            // read.
            if notifier.sockets.isEmpty {
                let waits = notifier.countSignal()
                if !waits { return reply(request, .success(())) }
            }
            return onceHeard { backend, _ in backend.reply(request, .success(())) }
        }
        // Where the daemon finds no subscriber to send it to, no confirmation comes.
        let limit = after(Self.confirmationLimit) { $0.confirmationFailed(attribute, request) }
        notifier.expectConfirmation(of: request, limit: limit)
    }

    /// Signals a change of a characteristic's value, which the daemon sends to all subscribers that are connected.
    func signal(_ value: [UInt8], at path: String) throws(DBusError) {
        guard let link = session?.link else { throw .disconnected }
        try link.emitPropertiesChanged(
            at: path, interface: BlueZInterface.characteristic, changed: ["Value": .bytes(value)])
    }

    /// How long a confirmation is waited for: a central has 30 s (Core Specification, Vol 3, Part F, 3.3.3), after
    /// which the daemon gives up.
    private static let confirmationLimit = Duration.seconds(31)

    private func confirmationFailed(_ attribute: AttributeID, _ request: RequestID) {
        guard let notifier = notifiers[attribute], notifier.awaited == request else { return }
        confirm(notifier, .failure(.disconnected))
    }

    func confirmed(_ attribute: AttributeID, _ call: MethodCall) {
        call.reply()
        if let notifier = notifiers[attribute] { confirm(notifier, .success(())) }
    }

    func confirm(_ notifier: Notifier, _ result: Result<Void, OperationFailure>) {
        if let request = notifier.takeConfirmation() { reply(request, result) }
    }

    /// Whether a value is confirmed by the central rather than merely sent.
    private func isIndicated(_ attribute: AttributeID) -> Bool {
        for application in applications {
            for service in application.services {
                for characteristic in service.characteristics where characteristic.id == attribute {
                    return characteristic.properties.isDisjoint(with: [.notify, .notifyEncryptionRequired])
                }
            }
        }
        return false
    }

    /// Sends a packet over sockets, waiting for each that is full, and answers when all have taken it or are gone.
    private func send(_ packet: [UInt8], to sockets: [Notifier.Socket], _ request: RequestID) {
        // The one that was to have it has just left, and the manager will hear of that.
        if sockets.isEmpty { return reply(request, .failure(.disconnected)) }
        let delivery = Delivery(packet, to: sockets.count) { [weak self] isSent in
            self?.reply(request, isSent ? .success(()) : .failure(.disconnected))
        }
        for socket in sockets { delivery.send(over: socket.writer) }
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
