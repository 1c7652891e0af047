// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapSerDe
import BlueCapDBus

/// The values that come over one link: values read, and values notified over the bus or over a socket.
///
/// BlueZ keeps a bus name's `StartNotify` over a disconnect and arms it for the next connection, where the values would
/// come without being asked for, or twice. So every one is ended with `StopNotify`, before a disconnect of ours
/// and after one of the peer's.
// Loop only, like its link.
final class LinkValues {
    typealias Backend = BlueZCentralBackend

    /// A notification or indication source that is on, or being switched.
    private enum Subscription {
        /// `StartNotify`, by the request that asked for it: values come as property changes.
        case standard(RequestID)
        /// `AcquireNotify` of an object is on its way, for the request that asked for it.
        case acquiring(RequestID, path: String)
        /// The socket of `AcquireNotify`.
        case socket(PacketReader)
        /// BlueZ closed the socket of this number on the link: its reason is about to come.
        case closed(UInt64)
        /// The level of `Battery1`.
        case battery
    }

    /// How long BlueZ may take for a socket. Before 5.84 it does not answer where the peer refuses to notify.
    private static let patience = Duration.seconds(10)

    private unowned let link: BlueZLink
    private var subscriptions: [AttributeID: Subscription] = [:]
    private var closedSocketCount: UInt64 = 0
    private var echoes = ReadEchoes()

    init(_ link: BlueZLink) { self.link = link }

    // MARK: Reading

    func read(_ request: CentralRequest, _ attribute: AttributeID, _ backend: isolated Backend) {
        if attribute == Battery.characteristicID { return backend.readBattery(request, on: link) }
        guard let call = link.database.readCall(of: attribute, backend),
            let path = link.database.path(of: attribute, backend)
        else { return backend.failUnknown(request, attribute, on: link) }
        let start = backend.clock.elapsed
        echoes.begin(attribute, at: path)
        backend.call(call, on: link) { backend, link, result in
            link.values.readReplied(request, attribute, result, start, backend)
        }
    }

    private func readReplied(
        _ request: CentralRequest, _ attribute: AttributeID, _ result: Result<Message, DBusError>, _ start: Duration,
        _ backend: isolated Backend
    ) {
        do throws(DBusError) {
            let value = Bytes(try result.get().bytesOfBody())
            if let notified = echoes.end(attribute, with: value) { deliver(notified, attribute, backend) }
            backend.finish(request, .success(.value(value)))
        } catch {
            if let notified = echoes.end(attribute, with: nil) { deliver(notified, attribute, backend) }
            backend.fail(request, error, on: link, since: start)
        }
    }

    // MARK: Signals of BlueZ

    /// `Value` changed, by a notification or by anyone's read.
    func signalled(_ attribute: AttributeID, _ value: Bytes, _ backend: isolated Backend) {
        guard case .standard = subscriptions[attribute] else { return }
        if echoes.isEmpty { return deliver(value, attribute, backend) }
        if let notified = echoes.take(value, of: attribute) { deliver(notified, attribute, backend) }
    }

    func batteryChanged(_ level: Bytes, _ backend: isolated Backend) {
        if case .battery = subscriptions[Battery.characteristicID] { deliver(level, Battery.characteristicID, backend) }
    }

    private func deliver(_ value: Bytes, _ attribute: AttributeID, _ backend: isolated Backend) {
        backend.emit(.valueChanged(link.id, attribute, value))
    }

    // MARK: Switching on and off

    func start(
        _ request: CentralRequest, _ attribute: AttributeID, _ transport: NotificationTransport,
        _ backend: isolated Backend
    ) {
        if attribute == Battery.characteristicID {
            subscriptions[attribute] = .battery
            return backend.answer(request, .success(.done))
        }
        guard let path = link.database.path(of: attribute, backend),
            let properties = backend.properties(path, BlueZInterface.characteristic)
        else { return backend.failUnknown(request, attribute, on: link) }
        // BlueZ reports its own refusal like a peer's 0x06, so a subscription that it would refuse is not requested.
        let flags = CharacteristicProperties(flags: properties[GattCharacteristic1.flags] ?? [])
        if flags.isDisjoint(with: [.notify, .indicate]) { return backend.answer(request, .failure(.unsupported)) }
        // BlueZ hands out sockets for notifications only, and shows that with this property.
        if transport == .socket, properties.has(GattCharacteristic1.notifyAcquired) {
            return acquireNotify(request, attribute, path, backend)
        }
        startNotify(request, attribute, path, backend)
    }

    func stop(_ request: CentralRequest, _ attribute: AttributeID, _ backend: isolated Backend) {
        switch subscriptions.removeValue(forKey: attribute) {
        case nil, .battery, .closed, .acquiring: backend.answer(request, .success(.done))
        case .socket(let reader):
            reader.close()
            backend.answer(request, .success(.done))
        case .standard:
            guard let path = link.database.path(of: attribute, backend), backend.releaseNotifier(path) else {
                return backend.answer(request, .success(.done))
            }
            let start = backend.clock.elapsed
            backend.call(path, BlueZInterface.characteristic, "StopNotify", on: link) { backend, link, result in
                switch result {
                case .success: backend.finish(request, .success(.done))
                case .failure(let error): backend.fail(request, error, on: link, since: start)
                }
            }
        }
    }

    private func startNotify(
        _ request: CentralRequest, _ attribute: AttributeID, _ path: String, _ backend: isolated Backend
    ) {
        // From now on: the peer may notify before its answer, and none of these values may be lost.
        subscriptions[attribute] = .standard(request.id)
        callStartNotify(request, attribute, path, backend)
    }

    private func callStartNotify(
        _ request: CentralRequest, _ attribute: AttributeID, _ path: String, _ backend: isolated Backend,
        mayStop: Bool = true, attempts: Int = 25
    ) {
        let isFirst = backend.holdNotifier(path)
        let start = backend.clock.elapsed
        backend.call(path, BlueZInterface.characteristic, "StartNotify", on: link) { backend, link, result in
            switch result {
            case .success: backend.finish(request, .success(.done))
            case .failure(.remote(BlueZError.inProgress, _)) where !isFirst:
                // On for another manager of this process, which BlueZ takes for the same client.
                backend.finish(request, .success(.done))
            case .failure(.remote(BlueZError.inProgress, _)) where mayStop:
                // Left over from an earlier connection of this bus name.
                guard link.values.isWanted(attribute, by: request) else { return }
                backend.session?.send(path, BlueZInterface.characteristic, "StopNotify")
                link.values.callStartNotify(request, attribute, path, backend, mayStop: false)
            case .failure(.remote(BlueZError.failed, Self.isChanging)) where attempts > 0:
                backend.after(.milliseconds(200), on: link) { backend, link in
                    guard link.values.isWanted(attribute, by: request) else { return }
                    link.values.callStartNotify(
                        request, attribute, path, backend, mayStop: mayStop, attempts: attempts - 1)
                }
            case .failure(let error):
                if link.values.isOn(attribute, by: request) {
                    link.values.subscriptions[attribute] = nil
                    _ = backend.releaseNotifier(path)
                }
                backend.fail(request, error, on: link, since: start)
            }
        }
    }

    /// Whether the attribute notifies, or will, because of that request.
    private func isOn(_ attribute: AttributeID, by request: CentralRequest) -> Bool {
        switch subscriptions[attribute] {
        case .standard(request.id), .acquiring(request.id, _): true
        default: false
        }
    }

    /// Whether to go on for a request. The end of the link, a disconnect of ours and the end of the service end the
    /// request, too, and are reported to the manager: a subscription made after that would stay on for the next
    /// connection.
    private func isWanted(_ attribute: AttributeID, by request: CentralRequest) -> Bool {
        if isOn(attribute, by: request) { return true }
        link.requests.forget(request.id)
        return false
    }

    /// BlueZ's text while it reads services that have changed (`bt_gatt_client_register_notify` in
    /// `src/shared/gatt-client.c`): it switches nothing on then, and does a moment later.
    private static let isChanging = "Failed to register notify session"

    // MARK: Over a socket

    private func acquireNotify(
        _ request: CentralRequest, _ attribute: AttributeID, _ path: String, _ backend: isolated Backend,
        attempts: Int = 10
    ) {
        subscriptions[attribute] = .acquiring(request.id, path: path)
        let patience = backend.leavesRefusedSocketsUnanswered ? limitAcquiring(request, attribute, path, backend) : nil
        let characteristic = BlueZInterface.characteristic
        backend.call(path, characteristic, "AcquireNotify", [.properties([:])], on: link) { backend, link, result in
            patience?.cancel()
            // The message closes a socket that is not taken from it.
            guard link.values.isWanted(attribute, by: request), link.values.isAcquiring(attribute) else { return }
            switch result {
            case .success(let reply): link.values.openSocket(request, attribute, reply, backend)
            case .failure(.remote(BlueZError.notPermitted, "Notify acquired")) where attempts > 0:
                // A socket of ours is still closing, or another program has one.
                backend.after(.milliseconds(10), on: link) { backend, link in
                    guard link.values.isWanted(attribute, by: request) else { return }
                    link.values.acquireNotify(request, attribute, path, backend, attempts: attempts - 1)
                }
            case .failure:
                // Another program's subscription notifies over the bus, or BlueZ knows no sockets: the bus will do.
                link.values.startNotify(request, attribute, path, backend)
            }
        }
    }

    private func isAcquiring(_ attribute: AttributeID) -> Bool {
        if case .acquiring = subscriptions[attribute] { true } else { false }
    }

    /// Whether a request waits for a socket, which has a limit of its own.
    func isAcquiring(for request: RequestID) -> Bool {
        subscriptions.values.contains { if case .acquiring(request, _) = $0 { true } else { false } }
    }

    /// Requests the values over the bus when BlueZ does not answer for a socket. It may, while the devices pair.
    ///
    /// A call without an answer stays with BlueZ, which then refuses the bus as well; to end it, by `StopNotify`, would
    /// crash bluetoothd before 5.84 (`notify_io_destroy` in `src/gatt-client.c`).
    private func limitAcquiring(
        _ request: CentralRequest, _ attribute: AttributeID, _ path: String, _ backend: isolated Backend
    ) -> ClockTimer {
        backend.after(Self.patience, on: link) { backend, link in
            let values = link.values
            guard values.isWanted(attribute, by: request), values.isAcquiring(attribute) else { return }
            if backend.session?.pairing.isAsking(about: link.path) == true {
                _ = values.limitAcquiring(request, attribute, path, backend)
            } else {
                values.startNotify(request, attribute, path, backend)
            }
        }
    }

    private func openSocket(
        _ request: CentralRequest, _ attribute: AttributeID, _ reply: Message, _ backend: isolated Backend
    ) {
        do throws(DBusError) {
            let mtu = try reply.body(expecting: "hq")[1].uint16Value ?? 0
            let socket = try reply.takeDescriptor(at: 0)
            guard let session = backend.session else { return }
            subscriptions[attribute] = .socket(try reader(of: socket, attribute, on: session.loop, backend))
            link.database.noteMaximumTransmissionUnit(Int(mtu), backend)
            backend.finish(request, .success(.done))
        } catch {
            subscriptions[attribute] = nil
            backend.finish(request, .failure(.backend(BlueZFailure.failure(error))))
        }
    }

    private func reader(
        of socket: consuming FileDescriptor, _ attribute: AttributeID, on loop: EventLoop, _ backend: isolated Backend
    ) throws(DBusError) -> PacketReader {
        // It is closed with the link, so no packet needs to be asked for it.
        let id = link.id
        do throws(LoopError) {
            return try PacketReader(
                socket, on: loop,
                onPacket: backend.callback { $0.emit(.valueChanged(id, attribute, Bytes($1))) },
                onClose: backend.callback(on: link) { backend, link, _ in
                    link.values.socketClosed(attribute, backend)
                })
        } catch {
            throw DBusError(error)
        }
    }

    /// BlueZ closed the socket: with the link, which it reports soon, or because a program called `StopNotify`.
    private func socketClosed(_ attribute: AttributeID, _ backend: isolated Backend) {
        guard case .socket = subscriptions[attribute] else { return }
        closedSocketCount += 1
        let number = closedSocketCount
        subscriptions[attribute] = .closed(number)
        backend.after(Backend.graceAfterSocket, on: link) { $1.values.closedForGood(attribute, number, $0) }
    }

    private func closedForGood(_ attribute: AttributeID, _ number: UInt64, _ backend: isolated Backend) {
        // Another subscription may have been made, and its socket closed, meanwhile.
        guard case .closed(number) = subscriptions[attribute] else { return }
        subscriptions[attribute] = nil
        let failure = BackendFailure(
            name: BlueZError.failed, message: "BlueZ closed the notification socket", isTransient: true)
        backend.emit(.notifyingStopped(link.id, attribute, .backend(failure)))
    }

    // MARK: The end

    /// Delivers the values that arrived before the link's end was reported and were not passed on yet: the packets in
    /// the sockets, and the values that were held as possible echoes of reads which are not answered any more.
    func deliverRest(_ backend: isolated Backend) {
        for case .socket(let reader) in subscriptions.values { reader.drain() }
        for (attribute, value) in echoes.takeRest() { deliver(value, attribute, backend) }
    }

    /// Ends every `StartNotify` of the link.
    func takeBack(_ backend: isolated Backend) {
        for (attribute, subscription) in subscriptions {
            guard case .standard = subscription, let path = link.database.path(of: attribute, backend) else { continue }
            subscriptions[attribute] = nil
            if backend.releaseNotifier(path) {
                backend.session?.send(path, BlueZInterface.characteristic, "StopNotify")
            }
        }
    }

    func closeSockets() {
        for (attribute, subscription) in subscriptions {
            switch subscription {
            case .socket(let reader): reader.close()
            case .acquiring: break
            case .standard, .closed, .battery: continue
            }
            subscriptions[attribute] = nil
        }
    }

    /// A service is gone, and the subscriptions to its characteristics with it.
    func forget(below service: String, _ backend: isolated Backend) {
        guard let session = backend.session else { return }
        for path in session.notifying.paths where path.hasPrefix(service + "/") {
            _ = backend.releaseNotifier(path)
            if let handle = BlueZPath.attribute(of: path) { subscriptions[AttributeID(handle: handle)] = nil }
        }
        for case (let attribute, .acquiring(_, let path)) in subscriptions where path.hasPrefix(service + "/") {
            subscriptions[attribute] = nil
        }
        for (attribute, value) in echoes.takeRest(below: service) { deliver(value, attribute, backend) }
    }
}
#endif
