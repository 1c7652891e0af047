// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// Pairing over one link: the answers of `Pair`, the changes of `Bonded`, and the consequences of a refusal.
// Loop only, like its link.
final class LinkPairing {
    typealias Backend = BlueZCentralBackend

    /// How long a request that was under way at a refusal may still be answered.
    private static let settlingAfterRefusal = Duration.milliseconds(200)
    /// How long a pairing by Just Works may take, which asks no user: some ten packets each way.
    private static let settlingOfPairing = Duration.seconds(1)

    private unowned let link: BlueZLink
    /// The request to pair that is under way.
    private var request: CentralRequest?
    private var hasCalledPair = false
    /// The capability of this process when the link was made.
    private var capability: PairingCapability?
    /// Whether pairing was refused while requests waited for it: BlueZ cannot use the device's object any more.
    private(set) var isSpoilt = false
    /// Requests that have failed as they do when BlueZ gives them up to pair.
    private var held: [CentralRequest] = []

    init(_ link: BlueZLink) { self.link = link }

    func connecting(_ backend: isolated Backend) { capability = backend.session?.pairing.capability }

    // MARK: As the app asks

    /// `Pair` on a device that is bonded is never answered (`pair.trace`), so that is looked at first, and the bond is
    /// believed when it comes before the answer.
    func pair(_ request: CentralRequest, _ backend: isolated Backend) {
        if backend.isBonded(link.path) { return backend.answer(request, .success(.done)) }
        guard isAsStrongAsAsked(backend) else {
            return backend.answer(request, .failure(.backend(Self.listenedTooLate)))
        }
        (self.request, hasCalledPair) = (request, false)
        backend.onceBondable(link) { backend, link in
            if link.pairing.request?.id == request.id { link.pairing.callPair(request, backend) }
        }
    }

    private func callPair(_ request: CentralRequest, _ backend: isolated Backend) {
        hasCalledPair = true
        backend.call(link.path, BlueZInterface.device, "Pair", on: link) { backend, link, result in
            link.pairing.replied(request, result, backend)
        }
    }

    private func replied(_ request: CentralRequest, _ result: Result<Message, DBusError>, _ backend: isolated Backend) {
        guard self.request?.id == request.id else { return }
        self.request = nil
        backend.session?.pairing.finished(link.path)
        switch result {
        case .success, .failure(.remote(BlueZError.alreadyExists, _)):
            // After a pairing that failed BlueZ may pair the same link without keeping the keys.
            let isBonded = backend.isBonded(link.path)
            backend.finish(request, isBonded ? .success(.done) : .failure(.backend(Self.notBonded)))
        case .failure(.remote(BlueZError.authenticationFailed, _)) where backend.session?.pairing.capability == nil:
            // So says BlueZ too when there is no agent (`pair-explicitly-without-agent.trace`).
            backend.finish(request, .failure(.pairing(.rejected)))
        case .failure(let error): backend.finish(request, .failure(BlueZFailure.pairing(error)))
        }
    }

    /// From 5.81 on BlueZ pairs a standing link with the capability at the time when the link was made, and by Just
    /// Works without a question where that had neither input nor output.
    private func isAsStrongAsAsked(_ backend: isolated Backend) -> Bool {
        guard let session = backend.session, let adapter = backend.adapter, let wanted = session.pairing.capability,
            wanted != .noInputNoOutput
        else { return true }
        if let version = session.tree.version(ofAdapter: adapter), version < BlueZVersion(5, 81) { return true }
        return capability == wanted
    }

    private static let listenedTooLate = BackendFailure(
        name: "BlueCap.ListenedTooLate",
        message: "BlueZ pairs with what the app could show and take when it connected",
        advice: "listen to pairingRequests(capability:) before you connect: disconnect, connect and pair again")

    private static let notBonded = BackendFailure(
        name: "BlueCap.NotBonded", message: "BlueZ paired for this connection only and keeps no keys",
        advice: "disconnect, connect and pair again", isTransient: true)

    /// Whatever the answer is, the pairing that `pair` began is over after it. Where `Pair` is not under way BlueZ
    /// would have the kernel forget the keys and end the link (`pair-explicitly.trace`).
    func cancel(_ cancelling: CentralRequest, _ backend: isolated Backend) {
        guard let request else { return backend.answer(cancelling, .success(.done)) }
        guard hasCalledPair else {
            self.request = nil
            backend.answer(request, .failure(.pairing(.cancelled)))
            return backend.answer(cancelling, .success(.done))
        }
        let name = link.name
        backend.call(link.path, BlueZInterface.device, "CancelPairing") { backend, result in
            // Where BlueZ knows of no pairing nothing else will answer it.
            if case .failure = result { backend.links[name]?.pairing.cancelled(backend) }
            backend.finish(cancelling, .success(.done))
        }
    }

    private func cancelled(_ backend: isolated Backend) {
        guard let request else { return }
        self.request = nil
        backend.finish(request, .failure(.pairing(.cancelled)))
    }

    // MARK: As BlueZ says

    /// There are keys.
    func bonded(_ backend: isolated Backend) {
        guard let request else { return }
        self.request = nil
        backend.finish(request, .success(.done))
    }

    /// There are keys, if only for this link.
    func paired(_ backend: isolated Backend) {
        link.requests.progressed(at: backend.clock.elapsed)
        let requests = held
        held = []
        for request in requests { backend.access(request, on: link) }
    }

    /// Makes a request once more when the devices pair; calls `body` when they do not. Where this process has no agent
    /// it takes no longer than to hear of a link that is being lost.
    func awaitPairing(
        for request: CentralRequest, _ backend: isolated Backend,
        otherwise body: @escaping @Sendable (isolated Backend, BlueZLink) -> Void
    ) {
        if !held.contains(where: { $0.id == request.id }) { held.append(request) }
        let delay = backend.session?.pairing.capability == nil ? Backend.grace : Self.settlingOfPairing
        backend.after(delay, on: link) { backend, link in
            let pairing = link.pairing
            guard let index = pairing.held.firstIndex(where: { $0.id == request.id }) else { return }
            if backend.session?.pairing.isAsking(about: link.path) == true {
                return pairing.awaitPairing(for: request, backend, otherwise: body)
            }
            pairing.held.remove(at: index)
            body(backend, link)
        }
    }

    /// bluetoothd pairs when a request to an attribute needs it. Once that is refused it sends nothing more over the
    /// link, the request is never answered, and 30 s later the device is gone (`pair-refused.trace`). So the waiting
    /// requests are answered here and the link ended. From 5.67 on the device stays instead, and crashes bluetoothd
    /// when the value is read again over another link, so it is removed as soon as the link is down.
    func refused(_ backend: isolated Backend) {
        // To a refusal of `Pair` BlueZ has an answer (`pair-by-comparison-refused.trace`).
        guard link.isConnected, request == nil else { return }
        let requests = link.requests.waiting
        guard !requests.isEmpty else { return }
        backend.after(Self.settlingAfterRefusal, on: link) { $1.pairing.giveUp(requests, $0) }
    }

    private func giveUp(_ requests: Set<RequestID>, _ backend: isolated Backend) {
        // A request that was answered meanwhile needed no pairing, and the link works.
        guard requests.isSubset(of: link.requests.waiting), link.isConnected else { return }
        link.requests.abandon()
        link.connection.reason = BackendFailure(
            name: "BlueCap.PairingRefused", message: "pairing was refused, after which BlueZ cannot use the link",
            advice: "scan for it, connect again, and accept the request to pair when a value needs it")
        isSpoilt = true
        link.connection.takeDown(backend)
        for id in requests.sorted(by: { $0.rawValue < $1.rawValue }) {
            backend.emit(.reply(id, .failure(.att(.insufficientAuthentication))))
        }
    }

    /// The link ends: BlueZ would connect again to pair, for nothing.
    func end(_ backend: isolated Backend) {
        if request != nil, hasCalledPair { backend.session?.send(link.path, BlueZInterface.device, "CancelPairing") }
    }
}
#endif
