#if BlueZ && os(Linux)
public import BlueCapCore
import DBus

// Pairing: what `Pair` answers, what `Bonded` says, and what the agent is asked.
extension BlueZCentralBackend {
    /// How long a request that was under way at a refusal may still be answered.
    private static let settlingAfterRefusal = Duration.milliseconds(200)

    /// Registers this process's agent, or lets go of it; the session has one for all managers.
    public func setPairingCapability(_ capability: PairingCapability?) {
        guard let session else { return }
        guard let capability else { return session.pairing.remove(number) }
        let handler = callback { (backend: isolated BlueZCentralBackend, event: PairingAgent.Event) in
            switch event {
            case .asked(let prompt): backend.emit(.pairingRequested(prompt))
            case .ended(let id): backend.emit(.pairingRequestEnded(id))
            case .unavailable(let failure): backend.emit(.pairingUnavailable(failure))
            }
        }
        session.pairing.set(capability, for: number, serves: { _ in false }, handler: handler)
    }

    /// Answers the daemon.
    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        session?.pairing.answer(prompt, answer)
    }

    /// `Pair` on a device that is bonded is never answered (`pair.trace`), so that is looked at first, and the bond is
    /// believed when it comes before the answer.
    func pair(_ request: BackendRequest, _ link: Link) {
        if facts(link.path)?.isBonded == true { return answer(request, .success(.done)) }
        guard isAsStrongAsAsked(link) else { return answer(request, .failure(.backend(Self.listenedTooLate))) }
        (link.pairing, link.hasCalledPair) = (request, false)
        onceBondable(link) { me, link in
            if link.pairing?.id == request.id { me.callPair(request, link) }
        }
    }

    private func callPair(_ request: BackendRequest, _ link: Link) {
        link.hasCalledPair = true
        call(link.path, BlueZInterface.device, "Pair", on: link) { me, link, result in
            guard link.pairing?.id == request.id else { return }
            link.pairing = nil
            me.session?.pairing.finished(link.path)
            switch result {
            case .success, .failure(.remote(BlueZError.alreadyExists, _)):
                // After a pairing that failed BlueZ may pair the same link without keeping the keys.
                let isBonded = me.facts(link.path)?.isBonded == true
                me.finish(request, isBonded ? .success(.done) : .failure(.backend(Self.notBonded)))
            case .failure(.remote(BlueZError.authenticationFailed, _)) where me.session?.pairing.isRegistered == false:
                // So says BlueZ too when there is no agent (`pair-explicitly-without-agent.trace`).
                me.finish(request, .failure(.pairing(.rejected)))
            case .failure(let error): me.finish(request, .failure(BlueZFailure.pairing(error)))
            }
        }
    }

    /// From 5.81 on BlueZ pairs a standing link with what could be shown and taken when the link was made, and without a word
    /// by Just Works where that was nothing.
    private func isAsStrongAsAsked(_ link: Link) -> Bool {
        guard let session, let adapter, let wanted = session.pairing.capability, wanted != .noInputNoOutput else {
            return true
        }
        if let version = session.tree.version(ofAdapter: adapter), version < BlueZVersion(5, 81) { return true }
        return link.capability == wanted
    }

    private static let listenedTooLate = BackendFailure(
        name: "BlueCap.ListenedTooLate",
        message: "BlueZ pairs with what the app could show and take when it connected",
        advice: "Listen to pairingRequests(capability:) before you connect: disconnect, connect and pair again")

    /// Runs what may pair, or makes a link that may be paired, once the kernel was told of the agent: what it can show and take,
    /// and to keep the keys of a pairing. BlueZ says that the agent is registered before it does that.
    func onceBondable(
        _ link: Link, _ body: @escaping @Sendable (isolated BlueZCentralBackend, Link) -> Void
    ) {
        guard let session, let adapter, facts(link.path)?.isBonded != true, session.pairing.isSettling(on: adapter)
        else {
            return body(self, link)
        }
        session.pairing.whenSettled(on: adapter, callback(on: link, body))
    }

    private static let notBonded = BackendFailure(
        name: "BlueCap.NotBonded", message: "BlueZ paired for this connection only and keeps no keys",
        advice: "Disconnect, connect and pair again", isTransient: true)

    func bondChanged(_ path: String) {
        guard let facts = facts(path), let id = identifiers[path] else { return }
        emit(.bondChanged(id, facts.isBonded))
        guard facts.isBonded, let link = links[path], let request = link.pairing else { return }
        link.pairing = nil
        finish(request, .success(.done))
    }

    /// Has the agent ask about this backend's links nobody but its manager.
    func joinPairing() {
        let central = PairingAgent.Central(
            link: { [weak self] device in self?.onExecutor { $0.links[device]?.id } },
            refused: callback { $0.pairingRefused($1) })
        session?.pairing.add(central, number)
    }

    /// bluetoothd pairs when a request to an attribute needs it. Once that is refused it sends nothing more over the link,
    /// the request is never answered, and 30 s later the device is gone (`pair-refused.trace`). So what waits is answered
    /// here and the link ended. From 5.67 on the device stays instead, and crashes bluetoothd when the value is read again over
    /// another link, so it is removed as soon as the link is down.
    private func pairingRefused(_ device: String) {
        // To a refusal of `Pair` BlueZ has an answer (`pair-by-comparison-refused.trace`).
        guard let link = links[device], link.phase == .connected, link.pairing == nil else { return }
        let requests = link.waiting
        guard !requests.isEmpty else { return }
        after(Self.settlingAfterRefusal, on: link) { me, link in
            // What was answered meanwhile needed no pairing, and the link works.
            let stuck = requests.intersection(link.waiting)
            guard stuck.count == requests.count, link.phase == .connected else { return }
            link.abandoned.formUnion(link.waiting)
            link.waiting = []
            link.reason = BackendFailure(
                name: "BlueCap.PairingRefused", message: "pairing was refused, after which BlueZ cannot use the link",
                advice: "Scan for it, connect again, and accept the request to pair when a value needs it")
            link.isSpoilt = true
            me.endLink(link)
            for id in stuck.sorted(by: { $0.rawValue < $1.rawValue }) {
                me.emit(.reply(id, .failure(.att(.insufficientAuthentication))))
            }
        }
    }

    /// Has BlueZ forget a device whose link is down, and tells the end of the link after that: who connects next must not find
    /// the old object.
    func removeSpoilt(_ link: Link) {
        guard let adapter else { return end(link: link, .disconnected) }
        call(adapter, BlueZInterface.adapter, "RemoveDevice", [.objectPath(link.path)], on: link) { me, link, _ in
            me.end(link: link, .disconnected)
        }
    }

    /// Whatever the answer is, what `pair` began is over after it. Where `Pair` is not under way BlueZ would have the kernel
    /// forget the keys and end the link (`pair-explicitly.trace`).
    func cancelPairing(_ request: BackendRequest, _ link: Link) {
        guard let pairing = link.pairing else { return answer(request, .success(.done)) }
        guard link.hasCalledPair else {
            link.pairing = nil
            answer(pairing, .failure(.pairing(.cancelled)))
            return answer(request, .success(.done))
        }
        let name = link.name
        call(link.path, BlueZInterface.device, "CancelPairing") { me, result in
            if case .failure = result, let link = me.link(name), let pairing = link.pairing {
                // BlueZ knows of none, so nobody else will answer it.
                link.pairing = nil
                me.finish(pairing, .failure(.pairing(.cancelled)))
            }
            me.finish(request, .success(.done))
        }
    }

    /// BlueZ forgets keys only together with the device. The objects are read again after it: their end may be announced
    /// later than the call is answered, and who connects next must not find the old one.
    func removeBond(_ request: BackendRequest, _ id: PeripheralIdentifier) {
        guard let adapter, let path = devices[id], facts(path) != nil else {
            return answer(request, .success(.done))
        }
        call(adapter, BlueZInterface.adapter, "RemoveDevice", [.objectPath(path)]) { me, result in
            switch result {
            case .success, .failure(.remote(BlueZError.doesNotExist, _)):
                me.session?.refresh(done: me.callback { $0.finish(request, .success(.done)) })
            case .failure(let error): me.finish(request, .failure(BlueZFailure.registering(error)))
            }
        }
    }
}
#endif
