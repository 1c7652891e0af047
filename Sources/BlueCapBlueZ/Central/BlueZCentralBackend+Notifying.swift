#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import DBus

// Notifications and indications.
//
// BlueZ keeps a bus name's `StartNotify` over a disconnect and arms it for the next connection, where the values would
// come without being asked for, or twice. So every one is taken back with `StopNotify`, before a disconnect of ours and
// after one of the peer's.
extension BlueZCentralBackend {
    func startNotifying(
        _ request: BackendRequest, _ attribute: AttributeID, _ transport: NotificationTransport, _ link: Link
    ) {
        if attribute == Battery.characteristicID {
            link.subscriptions[attribute] = .battery
            return answer(request, .success(.done))
        }
        guard let path = path(of: attribute, on: link),
            let properties = properties(path, BlueZInterface.characteristic)
        else { return failUnknown(request, attribute) }
        // BlueZ says the same of a peer's 0x06, so what it would refuse itself is not asked for.
        let flags = CharacteristicProperties(flags: properties[GattCharacteristic1.flags] ?? [])
        if flags.isDisjoint(with: [.notify, .indicate]) { return answer(request, .failure(.notSupported)) }
        // BlueZ hands out sockets for notifications only, and says so with this property.
        if transport == .socket, properties.has(GattCharacteristic1.notifyAcquired) {
            return acquireNotify(request, attribute, path, link)
        }
        startNotify(request, attribute, path, link)
    }

    func stopNotifying(_ request: BackendRequest, _ attribute: AttributeID, _ link: Link) {
        guard let subscription = link.subscriptions.removeValue(forKey: attribute) else {
            return answer(request, .success(.done))
        }
        switch subscription {
        case .battery, .closed: answer(request, .success(.done))
        case .socket(let reader):
            reader?.close()
            answer(request, .success(.done))
        case .standard:
            guard let path = path(of: attribute, on: link) else { return answer(request, .success(.done)) }
            if session?.releaseNotifier(path, number) == false { return answer(request, .success(.done)) }
            let start = clock.elapsed
            call(path, BlueZInterface.characteristic, "StopNotify", on: link) { me, link, result in
                switch result {
                case .success: me.finish(request, .success(.done))
                case .failure(let error): me.fail(request, error, on: link, since: start)
                }
            }
        }
    }

    // MARK: Over the bus

    private func startNotify(
        _ request: BackendRequest, _ attribute: AttributeID, _ path: String, _ link: Link, mayStop: Bool = true
    ) {
        // From now on: the peer may notify before its answer, and nothing of that may be lost.
        link.subscriptions[attribute] = .standard
        let isFirst = session?.holdNotifier(path, number) ?? true
        let start = clock.elapsed
        call(path, BlueZInterface.characteristic, "StartNotify", on: link) { me, link, result in
            switch result {
            case .success: me.finish(request, .success(.done))
            case .failure(.remote(BlueZError.inProgress, _)) where !isFirst:
                // On for another manager of this process, which BlueZ takes for the same client.
                me.finish(request, .success(.done))
            case .failure(.remote(BlueZError.inProgress, _)) where mayStop:
                // Left over from an earlier connection of this bus name.
                me.session?.send(path, BlueZInterface.characteristic, "StopNotify")
                me.startNotify(request, attribute, path, link, mayStop: false)
            case .failure(let error):
                link.subscriptions[attribute] = nil
                _ = me.session?.releaseNotifier(path, me.number)
                me.fail(request, error, on: link, since: start)
            }
        }
    }

    /// Takes back every `StartNotify` of a link.
    func stopNotifying(_ link: Link) {
        for (attribute, subscription) in link.subscriptions {
            guard case .standard = subscription, let path = path(of: attribute, on: link) else { continue }
            link.subscriptions[attribute] = nil
            if session?.releaseNotifier(path, number) == false { continue }
            session?.send(path, BlueZInterface.characteristic, "StopNotify")
        }
    }

    /// A service is gone, and what was subscribed to in it with it.
    func forgetSubscriptions(below service: String, _ link: Link) {
        guard let session else { return }
        for path in session.notifiers.keys where path.hasPrefix(service + "/") {
            _ = session.releaseNotifier(path, number)
            if let handle = BlueZPath.attribute(of: path) { link.subscriptions[AttributeID(handle: handle)] = nil }
        }
    }

    /// Delivers what arrived before the link's end was told and was not passed on yet: the packets in the sockets, and the values
    /// that were held as possible echoes of reads which are not answered any more.
    func deliverRest(of link: Link) {
        for case .socket(let reader?) in link.subscriptions.values { reader.drain() }
        let reads = link.reads
        link.reads = [:]
        for (attribute, held) in reads {
            if let held { emit(.valueChanged(link.id, attribute, held)) }
        }
    }

    // MARK: Over a socket

    private func acquireNotify(
        _ request: BackendRequest, _ attribute: AttributeID, _ path: String, _ link: Link, attempts: Int = 10
    ) {
        link.subscriptions[attribute] = .socket(nil)
        call(path, BlueZInterface.characteristic, "AcquireNotify", [.properties([:])], on: link) { me, link, result in
            switch result {
            case .success(let reply): me.openSocket(request, attribute, path, link, reply)
            case .failure(.remote(BlueZError.notPermitted, "Notify acquired")) where attempts > 0:
                // A socket of ours is still closing, or another program has one.
                me.after(.milliseconds(10), on: link) {
                    $0.acquireNotify(request, attribute, path, $1, attempts: attempts - 1)
                }
            case .failure:
                // Another program has it notify over the bus, or BlueZ knows no sockets: the bus will do.
                me.startNotify(request, attribute, path, link)
            }
        }
    }

    private func openSocket(
        _ request: BackendRequest, _ attribute: AttributeID, _ path: String, _ link: Link, _ reply: Message
    ) {
        do throws(DBusError) {
            let mtu = try reply.body(expecting: "hq")[1].uint16Value ?? 0
            let socket = try reply.takeDescriptor(at: 0)
            guard let session else { return }
            let reader = try PacketReader(
                socket, on: session.loop,
                onPacket: callback(on: link) { $0.emit(.valueChanged($1.id, attribute, Bytes($2))) },
                onClose: callback(on: link) { me, link, _ in me.socketClosed(attribute, link) })
            link.subscriptions[attribute] = .socket(reader)
            noteMaximumTransmissionUnit(link, Int(mtu))
            finish(request, .success(.done))
        } catch {
            link.subscriptions[attribute] = nil
            finish(request, .failure(.backend(BlueZFailure.failure(error))))
        }
    }

    /// BlueZ closed the socket: with the link, which it says soon, or because somebody called `StopNotify`.
    private func socketClosed(_ attribute: AttributeID, _ link: Link) {
        guard case .socket = link.subscriptions[attribute] else { return }
        link.closedSocketCount += 1
        let number = link.closedSocketCount
        link.subscriptions[attribute] = .closed(number)
        after(Self.graceAfterSocket, on: link) { me, link in
            // Another subscription may have been made, and its socket closed, meanwhile.
            guard case .closed(number) = link.subscriptions[attribute] else { return }
            link.subscriptions[attribute] = nil
            let failure = BackendFailure(
                name: BlueZError.failed, message: "BlueZ closed the notification socket", isTransient: true)
            me.emit(.notifyingStopped(link.id, attribute, .backend(failure)))
        }
    }
}

extension BlueZSession {
    /// Counts a manager that has a characteristic notify; whether it is the first.
    func holdNotifier(_ path: String, _ number: UInt64) -> Bool {
        notifiers[path, default: []].insert(number)
        return notifiers[path]?.count == 1
    }

    /// Whether the manager was the last.
    func releaseNotifier(_ path: String, _ number: UInt64) -> Bool {
        notifiers[path]?.remove(number)
        guard notifiers[path]?.isEmpty ?? true else { return false }
        notifiers[path] = nil
        return true
    }
}
#endif
