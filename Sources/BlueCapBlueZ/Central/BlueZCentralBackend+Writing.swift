#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import DBus

extension BlueZCentralBackend {
    /// Where writes of one characteristic go that are to use a socket.
    enum Writer {
        /// `AcquireWrite` is on its way; the request that asked for it goes first.
        case acquiring
        /// The socket, and the most that one packet may carry.
        case open(PacketWriter, maximumLength: Int)
        /// BlueZ gives none: commands go over the bus.
        case refused
    }

    // MARK: Requests

    func write(
        _ request: BackendRequest, _ attribute: AttributeID, _ value: Bytes, _ kind: WriteKind, _ link: Link
    ) {
        guard let path = path(of: attribute, on: link), let interface = valueInterface(path) else {
            return failUnknown(request, attribute)
        }
        if interface == BlueZInterface.descriptor { return writeDescriptor(request, path, value, link) }
        // An empty packet would close the socket.
        if kind == .withoutResponseOverSocket, !value.isEmpty {
            return writeToSocket(request, attribute, path, value, link)
        }
        // While a socket is open BlueZ refuses the writes that do not go through it.
        if case .open(let writer, _) = link.writers[attribute] {
            writer.close()
            link.writers[attribute] = nil
        }
        writeValue(request, path, value, kind == .withResponse ? "request" : "command", link)
    }

    /// - Parameter attempts: How often a refusal is tried again that only says that a socket of ours is still closing.
    private func writeValue(
        _ request: BackendRequest, _ path: String, _ value: Bytes, _ type: String, _ link: Link, attempts: Int = 10
    ) {
        let start = clock.elapsed
        let body: [DBusValue] = [.bytes(Array(value)), .properties(["type": .string(type)])]
        call(path, BlueZInterface.characteristic, "WriteValue", body, on: link) { me, link, result in
            switch result {
            case .success: me.finish(request, .success(.done))
            case .failure(.remote(BlueZError.notPermitted, "Write acquired")) where attempts > 0:
                me.after(.milliseconds(10), on: link) {
                    $0.writeValue(request, path, value, type, $1, attempts: attempts - 1)
                }
            case .failure(let error): me.failWrite(request, path, error, on: link, since: start)
            }
        }
    }

    /// Tells BlueZ's own refusal from the peer's.
    private func failWrite(
        _ request: BackendRequest, _ path: String, _ error: DBusError, on link: Link, since start: Duration
    ) {
        guard case .remote(BlueZError.notAuthorized, _) = error, let service = keptService(of: path) else {
            return fail(request, error, on: link, since: start)
        }
        finish(request, .failure(.backend(.keptService(service))))
    }

    /// The service that an attribute belongs to, if BlueZ may keep it to itself.
    private func keptService(of path: String) -> BluetoothUUID? {
        guard let session, let adapter, let device = BlueZPath.device(of: path, adapter: adapter) else { return nil }
        // Before 5.80 what BlueZ shows is written for everybody; where the version is unknown, it is taken for a newer one.
        if let version = session.tree.version(ofAdapter: adapter), version < BlueZVersion(5, 80) { return nil }
        var above = path
        while above != device, let parent = BlueZPath.parent(of: above) {
            above = parent
            guard let uuid = session.tree[above, BlueZInterface.service]?[GattService1.uuid] else { continue }
            return (try? BluetoothUUID(uuid)).flatMap { KeptServices.all.contains($0) ? $0 : nil }
        }
        return nil
    }

    private func writeDescriptor(_ request: BackendRequest, _ path: String, _ value: Bytes, _ link: Link) {
        if properties(path, BlueZInterface.descriptor)?[GattDescriptor1.uuid]?.hasPrefix("00002902-") == true {
            let failure = BackendFailure(
                name: BlueZError.notPermitted, message: "BlueZ keeps the descriptor 2902 to itself",
                advice: "Switch notifications on or off instead")
            return answer(request, .failure(.backend(failure)))
        }
        let start = clock.elapsed
        let body: [DBusValue] = [.bytes(Array(value)), .properties([:])]
        call(path, BlueZInterface.descriptor, "WriteValue", body, on: link) { me, link, result in
            switch result {
            case .success: me.finish(request, .success(.done))
            case .failure(let error): me.failWrite(request, path, error, on: link, since: start)
            }
        }
    }

    // MARK: Sockets

    private func writeToSocket(
        _ request: BackendRequest, _ attribute: AttributeID, _ path: String, _ value: Bytes, _ link: Link
    ) {
        switch link.writers[attribute] {
        case .open: later(on: link) { $0.send(request, attribute, path, value, $1) }
        case .refused: writeValue(request, path, value, "command", link)
        case .acquiring, nil: acquire(request, attribute, path, value, link)
        }
    }

    private func acquire(
        _ request: BackendRequest, _ attribute: AttributeID, _ path: String, _ value: Bytes, _ link: Link
    ) {
        link.writers[attribute] = .acquiring
        call(path, BlueZInterface.characteristic, "AcquireWrite", [.properties([:])], on: link) { me, link, result in
            guard let (writer, mtu) = me.writer(from: result, attribute, link) else {
                link.writers[attribute] = .refused
                return me.writeValue(request, path, value, "command", link)
            }
            link.writers[attribute] = .open(writer, maximumLength: mtu - 3)
            me.noteMaximumTransmissionUnit(link, mtu)
            me.send(request, attribute, path, value, link)
        }
    }

    private func writer(
        from result: Result<Message, DBusError>, _ attribute: AttributeID, _ link: Link
    ) -> (PacketWriter, Int)? {
        guard let session, let reply = try? result.get(), let body = try? reply.body(expecting: "hq"),
            let mtu = body[1].uint16Value, mtu >= 23, let socket = try? reply.takeDescriptor(at: 0)
        else { return nil }
        let writer = try? PacketWriter(
            socket, on: session.loop, onClose: callback(on: link) { $1.writers[attribute] = nil })
        return writer.map { ($0, Int(mtu)) }
    }

    private func send(
        _ request: BackendRequest, _ attribute: AttributeID, _ path: String, _ value: Bytes, _ link: Link
    ) {
        guard case .open(let writer, let maximumLength) = link.writers[attribute] else {
            // BlueZ closed it meanwhile: another one, or the end of the link, comes.
            return acquire(request, attribute, path, value, link)
        }
        // BlueZ would cut or drop it without a word.
        if value.count > maximumLength { return finish(request, .failure(.att(.invalidAttributeValueLength))) }
        switch writer.send(Array(value)) {
        case .sent: finish(request, .success(.done))
        case .full:
            // Where the socket closes first the bus will do; not at once, as it may close with the link.
            writer.whenWritable(
                callback(on: link) { $0.send(request, attribute, path, value, $1) },
                closed: callback(on: link) { me, link in
                    me.later(on: link) { $0.writeValue(request, path, value, "command", $1) }
                })
        case .failed(let number):
            writer.close()
            link.writers[attribute] = nil
            let error = DBusError.system(call: "send", errno: number)
            // The socket closes with the link, and before BlueZ says that the link is lost.
            after(Self.grace, on: link) { me, _ in
                me.finish(request, .failure(.backend(BlueZFailure.failure(error))))
            }
        }
    }

    func closeSockets(_ link: Link) {
        for case .open(let writer, _) in link.writers.values { writer.close() }
        link.writers = [:]
        for (attribute, subscription) in link.subscriptions {
            guard case .socket(let reader) = subscription else { continue }
            reader?.close()
            link.subscriptions[attribute] = nil
        }
    }
}
#endif
