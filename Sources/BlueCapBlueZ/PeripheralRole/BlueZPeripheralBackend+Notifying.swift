// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

// Subscriptions and what is sent to subscribers.
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
        let notifier = notifier(attribute, path)
        call.reply()
        guard !notifier.isStarted else { return }
        notifier.isStarted = true
        emit(.subscribed(attribute, .allSubscribers))
    }

    func stopNotify(_ attribute: AttributeID, _ call: MethodCall) {
        call.reply()
        guard let notifier = notifiers[attribute], notifier.isStarted else { return }
        notifier.isStarted = false
        confirm(notifier, .failure(.disconnected))
        emit(.unsubscribed(attribute, .allSubscribers))
        forgetIfEmpty(attribute)
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
            notifier.sockets.append(.init(number: number, device: options.device, central: central, writer: writer))
        } catch {
            forgetIfEmpty(attribute)
            return call.fail(BlueZError.failed, "\(error)")
        }
        emit(.subscribed(attribute, central))
    }

    private func socketClosed(_ attribute: AttributeID, _ number: Int) {
        guard let notifier = notifiers[attribute],
            let index = notifier.sockets.firstIndex(where: { $0.number == number })
        else { return }
        if limits.withLock({ $0.sockets }) == .single {
            // The last subscriber has gone: what else there is was made for the same ones.
            let all = notifier.sockets
            notifier.sockets = []
            for socket in all {
                socket.writer.close()
                emit(.unsubscribed(attribute, socket.central))
            }
        } else {
            emit(.unsubscribed(attribute, notifier.sockets.remove(at: index).central))
        }
        forgetIfEmpty(attribute)
    }

    /// A central left. Before 5.76 one socket serves all centrals, and only the first is named: when that one leaves
    /// and the socket stays, the others are what remains.
    func identityLost(_ device: String) {
        for (attribute, notifier) in notifiers {
            for socket in notifier.sockets where socket.device == device {
                let number = socket.number
                _ = clock.schedule(after: .milliseconds(200)) { [weak self] in
                    self?.later { $0.becomeAggregate(attribute, number, device) }
                }
            }
        }
    }

    private func becomeAggregate(_ attribute: AttributeID, _ number: Int, _ device: String) {
        guard let notifier = notifiers[attribute],
            let index = notifier.sockets.firstIndex(where: { $0.number == number && $0.device == device }),
            session?.tree[device, BlueZInterface.device]?[Device1.connected] != true
        else { return }
        let left = notifier.sockets[index].central
        notifier.sockets[index].device = nil
        notifier.sockets[index].central = .allSubscribers
        emit(.unsubscribed(attribute, left))
        emit(.subscribed(attribute, .allSubscribers))
    }

    /// The characteristic is gone from the daemon's database, be it only to be registered anew.
    func endNotifying(_ attribute: AttributeID) {
        guard let notifier = notifiers.removeValue(forKey: attribute) else { return }
        for central in notifier.subscribers { later { $0.emit(.unsubscribed(attribute, central)) } }
        confirm(notifier, .failure(.disconnected))
        notifier.close()
    }

    private func forgetIfEmpty(_ attribute: AttributeID) {
        if notifiers[attribute]?.isEmpty == true { notifiers[attribute] = nil }
    }

    // MARK: Sending

    func update(_ attribute: AttributeID, _ value: Bytes, _ central: PeerIdentifier?, _ request: RequestID) {
        guard let notifier = notifiers[attribute], !notifier.isEmpty else {
            return reply(request, .failure(.disconnected))
        }
        if let central {
            guard let socket = notifier.sockets.first(where: { $0.central.identifier == central }) else {
                return reply(request, .failure(.disconnected))
            }
            return send(Array(value), to: [socket], request)
        }
        if notifier.isStarted { return change(attribute, notifier, value, request) }
        let isForOne = limits.withLock { $0.sockets } == .separate
        send(Array(value), to: isForOne ? notifier.sockets : Array(notifier.sockets.prefix(1)), request)
    }

    /// Sends the value to all subscribers; an indication is answered when the first of them has confirmed it.
    private func change(_ attribute: AttributeID, _ notifier: Notifier, _ value: Bytes, _ request: RequestID) {
        do throws(DBusError) {
            guard let link = session?.link else { throw .disconnected }
            try link.emitPropertiesChanged(
                at: notifier.path, interface: BlueZInterface.characteristic, changed: ["Value": .bytes(Array(value))])
        } catch {
            return reply(request, .failure(.backend(BlueZFailure.failure(error))))
        }
        if isIndicated(attribute) { notifier.confirmation = request } else { reply(request, .success(())) }
    }

    func confirmed(_ attribute: AttributeID, _ call: MethodCall) {
        call.reply()
        if let notifier = notifiers[attribute] { confirm(notifier, .success(())) }
    }

    private func confirm(_ notifier: Notifier, _ result: Result<Void, OperationFailure>) {
        guard let request = notifier.confirmation else { return }
        notifier.confirmation = nil
        reply(request, result)
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
    /// BlueZ does not say who.
    static let allSubscribers = Central(identifier: nil)
}
#endif
