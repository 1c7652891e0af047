// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// The beginning and the end of a link: the answers of `Connect`, the changes of `Connected`, and the life of the
/// object meanwhile.
// Loop only, like its link.
final class LinkConnection {
    typealias Backend = BlueZCentralBackend

    /// How long BlueZ may take from one signal to the signal that follows from it.
    private static let settling = Duration.seconds(2)
    /// The longest time that the end of an attempt or of a connection may take. A manager waits for less at its own
    /// end, so that it reports a link that bluetoothd has not ended.
    private static let ending = Duration.seconds(10)
    /// The time after which a failed `Connect` counts as a device that does not answer: the kernel gives up after 40 s,
    /// while a device in range is met, or refuses, within a few.
    private static let patience = Duration.seconds(10)
    /// How long a link that another program made may take to have its services; then `Connect` is asked.
    private static let joining = Duration.seconds(5)
    /// How long an attempt that was interrupted pauses. Power that goes off takes the objects first, and is reported a
    /// tenth of a second later (`power-off-while-scanning.trace`).
    private static let pause = Duration.milliseconds(200)

    private unowned let link: BlueZLink
    /// Whether the link was up before this program asked for it.
    private var isConnectedByOther: Bool
    private(set) var phase = Phase.postponed
    /// Whether `Connect` has its final answer.
    private var hasReplied = false
    /// Whether a `Connect` is on its way; between two, this waits for another program's attempt.
    private var awaitsReply = false
    /// When `Connect` was called, on the manager's clock.
    private var began = Duration.zero
    /// Whether BlueZ has said that the device was connected, if only for a moment.
    private var wasUp = false
    /// The bearer that BlueZ preferred for the device before this attempt; nil where it is in its place.
    private var formerBearer: String?
    /// The reason that is reported for a loss.
    var reason: BackendFailure?

    init(_ link: BlueZLink, isConnectedByOther: Bool) {
        self.link = link
        self.isConnectedByOther = isConnectedByOther
    }

    /// Whether the link is this program's, made or being made. A link that was there before belongs to another program,
    /// as does one that comes before this program asked for it.
    var isOurs: Bool {
        switch phase {
        case .postponed, .interrupted, .joining: false
        case .connected: !isConnectedByOther
        case .connecting, .failing, .aborting, .disconnecting: true
        }
    }

    // MARK: Connecting

    /// Calls `Connect` once the link before is cleared away and the kernel has this process's capability, with which
    /// the link is made. A link that stands is taken over without it.
    func begin(_ backend: isolated Backend) {
        guard phase == .postponed else { return }
        backend.onceBondable(link) { backend, link in
            guard link.connection.phase == .postponed, !backend.links.isClearing(link.path) else { return }
            if backend.isUp(link.path) { return link.connection.join(backend) }
            link.connection.callConnect(backend)
        }
    }

    private func callConnect(_ backend: isolated Backend) {
        phase = .connecting
        awaitsReply = true
        // The link of another program, which was waited for, may be gone.
        if !backend.isUp(link.path) { isConnectedByOther = false }
        began = backend.clock.elapsed
        link.pairing.connecting(backend)
        backend.search.attemptBegan(link.id, backend)
        let bearer = preferLowEnergy(backend)
        backend.call(link.path, BlueZInterface.device, "Connect", on: link) { backend, link, result in
            link.connection.awaitsReply = false
            link.connection.restoreBearer(backend)
            backend.search.attemptEnded(link.id, backend)
            link.connection.connectReplied(result, backend)
        }
        formerBearer = bearer
        if bearer != Self.classic { restoreBearer(backend) }
    }

    private func connectReplied(_ result: Result<Message, DBusError>, _ backend: isolated Backend) {
        switch (phase, result) {
        case (.connecting, .failure(let error)) where BlueZFailure.isConnecting(error):
            // Another program's attempt: its success is ours, its failure leaves the way free.
            backend.after(.seconds(1), on: link) { backend, link in
                if link.connection.phase == .connecting { link.connection.callConnect(backend) }
            }
            return
        case (.connecting, .failure(let error)) where BlueZFailure.isForgotten(error):
            // Its removal was reported, or was missed.
            backend.session?.refresh {}
            return interrupt(backend)
        case (.connecting, .failure(let error)) where hasMetNobody(backend) && BlueZFailure.isAttemptsEnd(error):
            backend.search.hasNotMet(link.id)
            return interrupt(backend)
        default: hasReplied = true
        }
        switch (phase, result) {
        case (.connecting, .success):
            if backend.isUp(link.path) { return established(backend) }
            // bluetoothd signals no `Connected` when the link's socket was up before the kernel reported the link
            // ("Device … is already connected" in its log), now and then; asked, it knows. It is given its time once it
            // has answered.
            let settle = backend.callback(on: link) { backend, link in
                backend.after(Self.settling, on: link) { backend, link in
                    if link.connection.phase == .connecting { link.connection.end(.disconnected, backend) }
                }
            }
            backend.session?.refresh(done: settle)
        case (.connecting, .failure(let error)):
            let failure = BlueZFailure.connecting(error)
            if !backend.isUp(link.path) { return end(failure, backend) }
            // BlueZ's view flickers after an attempt that failed: the next one must not begin on it.
            phase = .failing(failure)
            backend.after(Self.settling, on: link) { $1.connection.end(failure, $0) }
        case (.aborting, _):
            if !backend.isUp(link.path) { end(.disconnected, backend) }
        case (.postponed, _), (.joining, _), (.interrupted, _), (.failing, _), (.connected, _), (.disconnecting, _):
            break
        }
    }

    /// Whether an attempt has gone on for long without a sign of the device.
    private func hasMetNobody(_ backend: isolated Backend) -> Bool {
        !wasUp && !backend.isUp(link.path) && backend.clock.elapsed - began >= Self.patience
    }

    /// The attempt goes on although this `Connect` has ended, in whatever way the device can be had by then.
    private func interrupt(_ backend: isolated Backend) {
        phase = .interrupted
        backend.search.attemptEnded(link.id, backend)
        backend.after(Self.pause, on: link) { backend, link in
            backend.remove(link)
            backend.connect(link.id)
        }
    }

    /// - Parameter unit: The MTU, where it is known by now. The mirror's MTU may be that of an earlier link.
    private func established(maximumTransmissionUnit unit: Int? = nil, _ backend: isolated Backend) {
        phase = .connected
        // A bonded device may need the discovery the next time, too.
        if !backend.isBonded(link.path) { backend.search.forgetUnmet(link.id) }
        link.database.connected(maximumTransmissionUnit: unit)
        backend.emit(.connected(link.id, maximumTransmissionUnit: unit))
    }

    // MARK: Another program's link

    /// Takes over a link that stands, once BlueZ has read its services: `Connect` would have BlueZ try BR/EDR as well
    /// where the device's advertisements do not exclude that (`dev_connect` in `src/device.c`).
    private func join(_ backend: isolated Backend) {
        phase = .joining
        // It may have come while this waited.
        isConnectedByOther = true
        if backend.facts(link.path)?.areServicesResolved == true { return examine(backend) }
        backend.after(Self.joining, on: link) { backend, link in
            if link.connection.phase == .joining { link.connection.callConnect(backend) }
        }
    }

    /// `ServicesResolved` became true.
    func resolved(_ backend: isolated Backend) { if phase == .joining { examine(backend) } }

    /// Looks whether the link that stands is one over LE: only over that a characteristic has an MTU. BlueZ may say
    /// that the services are there before it has announced them.
    private func examine(_ backend: isolated Backend, isComplete: Bool = false) {
        let isAsked = link.database.measure(backend) { backend, link, unit in
            link.connection.examined(maximumTransmissionUnit: unit, backend)
        }
        if isAsked { return }
        if isComplete { return backend.later(on: link) { $1.connection.examined(maximumTransmissionUnit: nil, $0) } }
        backend.session?.refresh(
            done: backend.callback(on: link) { backend, link in
                if link.connection.phase == .joining { link.connection.examine(backend, isComplete: true) }
            })
    }

    private func examined(maximumTransmissionUnit unit: Int?, _ backend: isolated Backend) {
        guard phase == .joining else { return }
        guard unit != nil || backend.facts(link.path)?.isLowEnergyOnly == true else { return callConnect(backend) }
        link.pairing.connecting(backend)
        established(maximumTransmissionUnit: unit, backend)
    }

    // MARK: The bearer

    private static let lowEnergy = "le"
    private static let classic = "bredr"

    /// Has BlueZ connect over LE to a device that it takes for one with both radios (`PreferredBearer`, with `-E` since
    /// 5.80): otherwise it pages over BR/EDR first.
    ///
    /// - Returns: The bearer that it preferred before; nil where it was not changed.
    private func preferLowEnergy(_ backend: isolated Backend) -> String? {
        if let formerBearer { return formerBearer }
        guard let bearer = backend.properties(link.path, BlueZInterface.device)?[Device1.bearer],
            bearer != Self.lowEnergy
        else { return nil }
        backend.setBearer(Self.lowEnergy, of: link.path)
        return bearer
    }

    /// The preferred bearer is the user's choice, which BlueZ keeps for all programs, on the disk too. It looks at it
    /// when it is called (`dev_connect` in `src/device.c`), so that the choice comes back right behind the call, even
    /// if this program is killed in the next moment. Only with `bredr` it has the kernel forget the device, and with it
    /// the attempt (`device_set_auto_connect`): that one comes back with the answer.
    func restoreBearer(_ backend: isolated Backend) {
        guard let bearer = formerBearer else { return }
        formerBearer = nil
        backend.setBearer(bearer, of: link.path)
    }

    // MARK: Ending

    /// The manager wants the link no more, or cancels the attempt.
    func disconnect(_ backend: isolated Backend) {
        switch phase {
        case .postponed, .interrupted, .joining:
            phase = .failing(.disconnected)
            backend.later(on: link) { $1.connection.end(.disconnected, $0) }
        case .connecting:
            if hasMetNobody(backend) { backend.search.hasNotMet(link.id) }
            phase = .aborting
            callDisconnect(backend)
        case .failing(let failure): backend.later(on: link) { $1.connection.end(failure, $0) }
        case .connected:
            phase = .disconnecting
            takeDown(backend)
        case .aborting, .disconnecting: break
        }
    }

    /// Disconnects the link, and reports a loss unless the manager asked for the end.
    func takeDown(_ backend: isolated Backend) {
        link.values.takeBack(backend)
        link.closeSockets()
        callDisconnect(backend)
    }

    private func callDisconnect(_ backend: isolated Backend) {
        backend.call(link.path, BlueZInterface.device, "Disconnect", on: link) { backend, link, result in
            link.connection.disconnectReplied(result, backend)
        }
        backend.after(Self.ending, on: link) { $1.connection.end(.disconnected, $0) }
    }

    private func disconnectReplied(_ result: Result<Message, DBusError>, _ backend: isolated Backend) {
        let isDown = !backend.isUp(link.path)
        switch (phase, result) {
        case (.disconnecting, .failure(.remote(BlueZError.notConnected, _))): end(.disconnected, backend)
        case (.disconnecting, _) where isDown: end(.disconnected, backend)
        case (.aborting, _) where isDown && !awaitsReply: end(.disconnected, backend)
        default: break
        }
    }

    /// Ends the link and reports it in the one way that its phase allows.
    private func end(_ failure: OperationFailure, _ backend: isolated Backend) {
        guard backend.isCurrent(link) else { return }
        if phase == .connected { link.values.deliverRest(backend) }
        link.closeSockets()
        if phase == .connected { link.values.takeBack(backend) }
        restoreBearer(backend)
        backend.search.attemptEnded(link.id, backend)
        link.pairing.end(backend)
        backend.remove(link)
        switch phase {
        case .postponed, .joining, .connecting, .interrupted, .failing, .aborting:
            backend.emit(.connectFailed(link.id, failure))
        case .connected: backend.emit(.disconnected(link.id, reason))
        case .disconnecting: backend.emit(.disconnected(link.id, nil))
        }
    }

    /// Removes the device of a link that is down from BlueZ, and reports the end of the link after that: a program that
    /// connects next must not find the old object.
    private func endWithDevice(_ backend: isolated Backend) {
        guard let adapter = backend.adapter else { return end(.disconnected, backend) }
        backend.call(adapter, BlueZInterface.adapter, "RemoveDevice", [.objectPath(link.path)], on: link) {
            backend, link, _ in link.connection.end(.disconnected, backend)
        }
    }

    // MARK: As BlueZ says

    func connectedChanged(_ isConnected: Bool, _ backend: isolated Backend) {
        switch (phase, isConnected) {
        // Once BlueZ has cleared up, it is begun again.
        case (.joining, false): phase = .postponed
        case (.connecting, true):
            wasUp = true
            if hasReplied { established(backend) }
        case (.connecting, false): if hasReplied { end(.disconnected, backend) }
        case (.failing(let failure), false): end(failure, backend)
        case (.aborting, false): if !awaitsReply { end(.disconnected, backend) }
        case (.connected, false), (.disconnecting, false):
            if link.pairing.isSpoilt, !backend.isBonded(link.path) {
                endWithDevice(backend)
            } else {
                end(.disconnected, backend)
            }
        case (.postponed, _), (.joining, true), (.interrupted, _), (.failing, true), (.aborting, true),
            (.connected, true),
            (.disconnecting, true):
            break
        }
    }

    func deviceRemoved(_ backend: isolated Backend) {
        switch phase {
        case .failing(let failure): end(failure, backend)
        case .postponed, .joining, .connecting: interrupt(backend)
        case .interrupted: break
        case .aborting, .connected, .disconnecting: end(.backend(Self.removed), backend)
        }
    }

    private static let removed = BackendFailure(
        name: ErrorName.unknownObject, message: "BlueZ removed the device", advice: "scan for it again",
        isTransient: true)

    /// Keeps BlueZ's reason if it has more information than the end of the link.
    func noteReason(_ name: String, _ text: String) {
        switch name {
        case "org.bluez.Reason.Authentication":
            reason = BackendFailure(
                name: name, message: text, advice: "the bond may be lost on one side: remove it and pair again")
        case "org.bluez.Reason.Remote":
            reason = BackendFailure(name: name, message: text, isTransient: true).goodbye
        case "org.bluez.Reason.Suspend":
            reason = BackendFailure(name: name, message: text, isTransient: true)
        default: reason = nil
        }
    }
}

extension LinkConnection {
    /// How far a link is.
    enum Phase: Equatable {
        /// `Connect` will be called: BlueZ is still busy with the link before, or with the agent.
        case postponed
        /// A link of another program stands, and is about to be taken over.
        case joining
        /// `Connect` was called.
        case connecting
        /// `Connect` ended without having met the device, or BlueZ forgot it meanwhile: the attempt is soon repeated.
        case interrupted
        /// `Connect` failed while BlueZ still says connected: the failure is reported when that is over.
        case failing(OperationFailure)
        /// The manager cancelled the attempt.
        case aborting
        case connected
        case disconnecting
    }
}
#endif
