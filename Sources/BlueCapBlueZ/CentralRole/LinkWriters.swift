// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapSerDe
import BlueCapDBus

/// The writes over one link: over the bus, or as packets to a socket of `AcquireWrite`.
// Loop only, like its link.
final class LinkWriters {
    typealias Backend = BlueZCentralBackend

    /// The way of writes to one characteristic that are to use a socket.
    private enum Writer {
        /// `AcquireWrite` is on its way; the request that asked for it goes first.
        case acquiring
        /// The socket, and the most that one packet may carry.
        case open(PacketWriter, maximumLength: Int)
        /// BlueZ gives none: commands go over the bus.
        case refused
    }

    /// A write without a response, which goes to a socket where there is one.
    private struct Command {
        let request: CentralRequest
        let attribute: AttributeID
        let path: String
        let value: Bytes
    }

    private unowned let link: BlueZLink
    private var writers: [AttributeID: Writer] = [:]

    init(_ link: BlueZLink) { self.link = link }

    func write(
        _ request: CentralRequest, _ attribute: AttributeID, _ value: Bytes, _ kind: WriteKind,
        _ backend: isolated Backend
    ) {
        guard let path = link.database.path(of: attribute, backend), let interface = backend.valueInterface(path) else {
            return backend.failUnknown(request, attribute, on: link)
        }
        if interface == BlueZInterface.descriptor { return writeDescriptor(request, path, value, backend) }
        // An empty packet would close the socket.
        if kind == .withoutResponseOverSocket, !value.isEmpty {
            let command = Command(request: request, attribute: attribute, path: path, value: value)
            return writeToSocket(command, backend)
        }
        // While a socket is open BlueZ refuses the writes that do not go through it.
        if case .open(let writer, _) = writers[attribute] {
            writer.close()
            writers[attribute] = nil
        }
        writeValue(request, path, value, kind == .withResponse ? "request" : "command", backend)
    }

    /// Where values for an open socket go out at once.
    func channel(of attribute: AttributeID) -> (any WriteChannel)? {
        guard case .open(let writer, let maximumLength) = writers[attribute] else { return nil }
        return SocketChannel(writer.channel, maximumLength: maximumLength)
    }

    func closeSockets() {
        for case .open(let writer, _) in writers.values { writer.close() }
        writers = [:]
    }

    // MARK: Over the bus

    /// - Parameter attempts: How often a refusal is tried again that only says that a socket of ours is still closing.
    private func writeValue(
        _ request: CentralRequest, _ path: String, _ value: Bytes, _ type: String, _ backend: isolated Backend,
        attempts: Int = 10
    ) {
        let start = backend.clock.elapsed
        let body: [DBusValue] = [.bytes(Array(value)), .properties(["type": .string(type)])]
        backend.call(path, BlueZInterface.characteristic, "WriteValue", body, on: link) { backend, link, result in
            switch result {
            case .success: backend.finish(request, .success(.done))
            case .failure(.remote(BlueZError.notPermitted, "Write acquired")) where attempts > 0:
                backend.after(.milliseconds(10), on: link) { backend, link in
                    link.writers.writeValue(request, path, value, type, backend, attempts: attempts - 1)
                }
            case .failure(let error): link.writers.fail(request, path, error, since: start, backend)
            }
        }
    }

    private func writeCommand(_ command: Command, _ backend: isolated Backend) {
        writeValue(command.request, command.path, command.value, "command", backend)
    }

    private func writeDescriptor(
        _ request: CentralRequest, _ path: String, _ value: Bytes, _ backend: isolated Backend
    ) {
        let uuid = backend.properties(path, BlueZInterface.descriptor)?[GattDescriptor1.uuid]
        if uuid?.hasPrefix("00002902-") == true {
            let failure = BackendFailure(
                name: BlueZError.notPermitted, message: "BlueZ keeps the descriptor 2902 to itself",
                advice: "switch notifications on or off instead")
            return backend.answer(request, .failure(.backend(failure)))
        }
        let start = backend.clock.elapsed
        let body: [DBusValue] = [.bytes(Array(value)), .properties([:])]
        backend.call(path, BlueZInterface.descriptor, "WriteValue", body, on: link) { backend, link, result in
            switch result {
            case .success: backend.finish(request, .success(.done))
            case .failure(let error): link.writers.fail(request, path, error, since: start, backend)
            }
        }
    }

    /// Distinguishes BlueZ's own refusal from the peer's.
    private func fail(
        _ request: CentralRequest, _ path: String, _ error: DBusError, since start: Duration,
        _ backend: isolated Backend
    ) {
        guard case .remote(BlueZError.notAuthorized, _) = error, let service = keptService(of: path, backend) else {
            return backend.fail(request, error, on: link, since: start)
        }
        backend.finish(request, .failure(.backend(.keptService(service))))
    }

    /// The service that an attribute belongs to, if BlueZ may keep it to itself.
    private func keptService(of path: String, _ backend: isolated Backend) -> BluetoothUUID? {
        guard let session = backend.session, let adapter = backend.adapter else { return nil }
        // Before 5.80 every program can write all attributes that BlueZ shows; an unknown version counts as a newer
        // one.
        if let version = session.tree.version(ofAdapter: adapter), version < BlueZVersion(5, 80) { return nil }
        var above = path
        while above != link.path, let parent = BlueZPath.parent(of: above) {
            above = parent
            guard let uuid = session.tree[above, BlueZInterface.service]?[GattService1.uuid] else { continue }
            return (try? BluetoothUUID(text: uuid)).flatMap { KeptServices.all.contains($0) ? $0 : nil }
        }
        return nil
    }

    // MARK: Over a socket

    private func writeToSocket(_ command: Command, _ backend: isolated Backend) {
        switch writers[command.attribute] {
        case .open: send(command, backend)
        case .refused: writeCommand(command, backend)
        case .acquiring, nil: acquire(command, backend)
        }
    }

    private func acquire(_ command: Command, _ backend: isolated Backend) {
        writers[command.attribute] = .acquiring
        let characteristic = BlueZInterface.characteristic
        backend.call(command.path, characteristic, "AcquireWrite", [.properties([:])], on: link) {
            backend, link, result in
            link.writers.acquired(command, result, backend)
        }
    }

    private func acquired(_ command: Command, _ result: Result<Message, DBusError>, _ backend: isolated Backend) {
        guard let (writer, mtu) = writer(from: result, command.attribute, backend) else {
            writers[command.attribute] = .refused
            return writeCommand(command, backend)
        }
        writers[command.attribute] = .open(writer, maximumLength: mtu - 3)
        link.database.noteMaximumTransmissionUnit(mtu, backend)
        send(command, backend)
    }

    private func writer(
        from result: Result<Message, DBusError>, _ attribute: AttributeID, _ backend: isolated Backend
    ) -> (PacketWriter, Int)? {
        guard let session = backend.session, let reply = try? result.get(), let body = try? reply.body(expecting: "hq"),
            let mtu = body[1].uint16Value, mtu >= 23, let socket = try? reply.takeDescriptor(at: 0)
        else { return nil }
        let writer = try? PacketWriter(
            socket, on: session.loop, onClose: backend.callback(on: link) { $1.writers.writers[attribute] = nil })
        return writer.map { ($0, Int(mtu)) }
    }

    /// Sends at once where the socket takes it, which is in the turn of the caller; only the answer comes later.
    private func send(_ command: Command, _ backend: isolated Backend) {
        guard case .open(let writer, let maximumLength) = writers[command.attribute] else {
            // BlueZ closed it meanwhile: another one, or the end of the link, comes.
            return acquire(command, backend)
        }
        // BlueZ would cut or drop it without a word.
        if command.value.count > maximumLength {
            return backend.answer(command.request, .failure(.att(.invalidAttributeValueLength)))
        }
        switch writer.send(Array(command.value)) {
        case .sent: backend.answer(command.request, .success(.done))
        case .full:
            // Where the socket closes first the bus will do; not at once, as it may close with the link.
            writer.whenWritable(
                backend.callback(on: link) { $1.writers.send(command, $0) },
                closed: backend.callback(on: link) { backend, link in
                    backend.later(on: link) { $1.writers.writeCommand(command, $0) }
                })
        case .failed(let number):
            writer.close()
            writers[command.attribute] = nil
            let error = DBusError.system(call: "send", errno: number)
            // The socket closes with the link, and before BlueZ says that the link is lost.
            backend.after(Backend.grace, on: link) { backend, _ in
                backend.finish(command.request, .failure(.backend(BlueZFailure.failure(error))))
            }
        }
    }
}
#endif
