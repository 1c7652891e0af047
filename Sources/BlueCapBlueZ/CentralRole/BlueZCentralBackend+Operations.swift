// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

// Requests and their answers.
extension BlueZCentralBackend {
    /// How long an error that may just be a lost link is held back: as long as BlueZ takes to report the loss itself,
    /// which is 0.13 s when power goes off (`power-off-during-read.trace`).
    static let grace = Duration.milliseconds(200)
    /// How long the end of a socket is held back: bluetoothd on its way out closes its sockets first, and reports the
    /// adapter's state only when that is off, which took longer than the other grace in a clean restart.
    static let graceAfterSocket = Duration.seconds(2)
    /// After the ATT time-out of 30 s BlueZ drops the link, and takes its time for it.
    static let graceAfterTimeout = Duration.seconds(3)
    static let transactionTimeout = Duration.seconds(29)

    public func perform(_ request: CentralRequest) {
        switch request.operation {
        case .retrieve(let ids):
            let peripherals = ids.compactMap { id in device(of: id).flatMap { known($0, as: id) } }
            answer(request, .success(.peripherals(peripherals)))
        case .retrieveConnected(let services):
            answer(request, .success(.peripherals(connected(with: services))))
        case .readRSSI(let id): onLink(id, request) { $0.readStrength(request, on: $1) }
        case .setConnectionParameters(let id, let parameters):
            onLink(id, request) { $0.set(parameters, request, on: $1) }
        case .discoverServices(let id, let uuids):
            onLink(id, request) { $1.database.discoverServices(request, uuids, $0) }
        case .discoverIncludedServices(let id, let service, let uuids):
            onLink(id, request) { $1.database.discoverIncluded(request, of: service, uuids, $0) }
        case .discoverCharacteristics(let id, let service, let uuids):
            onLink(id, request) { $1.database.discoverCharacteristics(request, of: service, uuids, $0) }
        case .discoverDescriptors(let id, let characteristic):
            onLink(id, request) { $1.database.discoverDescriptors(request, of: characteristic, $0) }
        case .read(let id, _), .setNotifying(let id, _, _, _), .write(let id, _, _, .withResponse):
            onBondableLink(id, request) { me, link in
                me.begin(request, on: link)
                me.access(request, on: link)
            }
        // The peer answers no command.
        case .write(let id, _, _, _): onBondableLink(id, request) { $0.access(request, on: $1) }
        case .pair(let id): onLink(id, request) { $1.pairing.pair(request, $0) }
        case .cancelPairing(let id): onLink(id, request) { $1.pairing.cancel(request, $0) }
        case .removeBond(let id): removeBond(request, id)
        }
    }

    /// Sends a request about an attribute of the peer, for the first time or once more.
    func access(_ request: CentralRequest, on link: BlueZLink) {
        switch request.operation {
        case .read(_, let attribute): link.values.read(request, attribute, self)
        case .write(_, let attribute, let value, let kind): link.writers.write(request, attribute, value, kind, self)
        case .setNotifying(_, let attribute, true, let transport):
            link.values.start(request, attribute, transport, self)
        case .setNotifying(_, let attribute, false, _): link.values.stop(request, attribute, self)
        default: break
        }
    }

    /// Returns the channel over the socket of a characteristic (`AcquireWrite`), or nil if the peripheral is not
    /// connected or no value has been written over the socket yet.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic's place in the peripheral's database.
    ///   - peripheral: The peripheral that has the characteristic.
    public func writeChannel(to characteristic: AttributeID, of peripheral: PeerIdentifier) -> (any WriteChannel)? {
        links.all.first { $0.id == peripheral && $0.isConnected }?.writers.channel(of: characteristic)
    }

    private func onLink(
        _ id: PeerIdentifier, _ request: CentralRequest, _ body: (isolated BlueZCentralBackend, BlueZLink) -> Void
    ) {
        guard let link = links.all.first(where: { $0.id == id && $0.isConnected }) else {
            return answer(request, .failure(.disconnected))
        }
        body(self, link)
    }

    /// Runs operations for which BlueZ may pair, in the order of the requests.
    private func onBondableLink(
        _ id: PeerIdentifier, _ request: CentralRequest,
        _ body: @escaping @Sendable (isolated BlueZCentralBackend, BlueZLink) -> Void
    ) {
        onLink(id, request) { $0.onceBondable($1, body) }
    }

    // MARK: Answers

    /// Answers soon, for answers that need no call.
    func answer(_ request: CentralRequest, _ result: Result<CentralReply, OperationFailure>) {
        later { $0.finish(request, result) }
    }

    /// Answers now; not from inside `perform`.
    func finish(_ request: CentralRequest, _ result: Result<CentralReply, OperationFailure>) {
        for link in links.all where !link.requests.end(request.id, at: clock.elapsed) { return }
        emit(.reply(request.id, result))
    }

    /// Answers with an error of BlueZ's. An error that may come from a link that is just being lost waits for that
    /// first, so that the loss is reported instead.
    ///
    /// 0x0E also comes on a busy host where the peer's refusal for lack of security arrives before bluetoothd's main
    /// loop has gone round since the request (`can_write_data` in `src/shared/att.c`): it pairs all the same, and would
    /// send the request again after it, but has given it up. So that is done here.
    func fail(_ request: CentralRequest, _ error: DBusError, on link: BlueZLink, since start: Duration) {
        let failure = BlueZFailure.attribute(error)
        guard BlueZFailure.isAmbiguous(error) else { return finish(request, .failure(failure)) }
        link.requests.progressed(at: clock.elapsed)
        let isTimeout = clock.elapsed - start >= Self.transactionTimeout
        if !isTimeout, failure == .att(.unlikelyError), facts(link.path)?.isPaired == false,
            link.requests.mayRepeat(request.id)
        {
            return link.pairing.awaitPairing(for: request, self) { me, _ in me.finish(request, .failure(failure)) }
        }
        after(isTimeout ? Self.graceAfterTimeout : Self.grace, on: link) { me, link in
            guard BlueZFailure.isForgotten(error) else {
                return me.finish(request, .failure(isTimeout ? .disconnected : failure))
            }
            link.database.whenSettled(me) { $0.finish(request, .failure(failure)) }
        }
    }

    /// Answers that BlueZ has no object for an attribute; while the database changes, once the change is reported.
    func failUnknown(_ request: CentralRequest, _ attribute: AttributeID, on link: BlueZLink) {
        let failure = BackendFailure(
            name: ErrorName.unknownObject, message: "BlueZ has no attribute \(attribute)",
            advice: "the peripheral's database changed: discover its services again")
        link.database.whenSettled(self) { $0.answer(request, .failure(.backend(failure))) }
    }

    // MARK: Peripherals

    private func known(_ path: String, as id: PeerIdentifier) -> KnownPeripheral? {
        facts(path).map {
            KnownPeripheral(
                id: id, name: $0.name, advertisements: advertisements(path), isConnected: $0.isConnected,
                isBonded: $0.isBonded)
        }
    }

    private func connected(with services: [BluetoothUUID]) -> [KnownPeripheral] {
        guard let session, let adapter else { return [] }
        return session.tree.children(of: adapter, with: BlueZInterface.device).compactMap { path in
            guard let facts = facts(path), facts.isConnected, let id = identifier(of: path) else { return nil }
            let has = Set(facts.uuids).union(database(path).services.map(\.uuid))
            guard services.isEmpty || services.contains(where: has.contains) else { return nil }
            return known(path, as: id)
        }
    }
}

extension BlueZCentralBackend {
    private func batteryLevel(_ device: String) -> Bytes? {
        properties(device, BlueZInterface.battery)?[Battery1.percentage].map { [$0] }
    }

    func readBattery(_ request: CentralRequest, on link: BlueZLink) {
        guard let level = batteryLevel(link.path) else {
            return failUnknown(request, Battery.characteristicID, on: link)
        }
        answer(request, .success(.value(level)))
    }

    func batteryChanged(_ device: String, _ change: TreeChange) {
        guard case .changed(_, _, let set, _) = change, set.has(Battery1.percentage), let link = links[device],
            let level = batteryLevel(device)
        else { return }
        link.values.batteryChanged(level, self)
    }
}
#endif
