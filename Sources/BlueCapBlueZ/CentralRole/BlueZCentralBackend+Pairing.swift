// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapDBus

// Pairing: the agent, and bonds, which outlive links.
extension BlueZCentralBackend {
    /// Registers this process's agent with the given capability, or, for nil, unregisters it. All managers of the
    /// session share one agent.
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

    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        session?.pairing.answer(prompt, answer)
        for link in links.all { link.requests.progressed(at: clock.elapsed) }
    }

    func isBonded(_ path: String) -> Bool { facts(path)?.isBonded ?? false }

    /// Runs an operation that may pair, or makes a link that may be paired, once the kernel has the agent's capability
    /// and keeps the keys of a pairing. BlueZ reports the agent as registered before that.
    func onceBondable(
        _ link: BlueZLink, _ body: @escaping @Sendable (isolated BlueZCentralBackend, BlueZLink) -> Void
    ) {
        guard let session, let adapter, session.pairing.registration.isSettling(on: adapter), !isBonded(link.path)
        else { return body(self, link) }
        session.pairing.registration.whenSettled(on: adapter, callback(on: link, body))
    }

    func bondChanged(_ path: String) {
        guard let facts = facts(path), let id = identifier(of: path) else { return }
        emit(.bondChanged(id, facts.isBonded))
        if facts.isBonded { links[path]?.pairing.bonded(self) }
    }

    /// Lets the agent ask only this backend's manager about the backend's links.
    func joinPairing() {
        let central = PairingAgent.Central(
            link: { [weak self] device in self?.onExecutor { $0.links[device]?.id } },
            refused: callback { $0.links[$1]?.pairing.refused($0) })
        session?.pairing.add(central, number)
    }

    /// BlueZ forgets keys only together with the device. The objects are read again after it: their end may be
    /// announced later than the call is answered, and the next connection must not find the old one.
    func removeBond(_ request: CentralRequest, _ id: PeerIdentifier) {
        guard let adapter, let path = device(of: id) else { return answer(request, .success(.done)) }
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
