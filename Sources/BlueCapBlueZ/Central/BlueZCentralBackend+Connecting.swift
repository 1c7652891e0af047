#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapSerDe
import DBus

// Connections: what `Connect` answers, what `Connected` says, and what happens to the object meanwhile.
extension BlueZCentralBackend {
    /// How long BlueZ may take to say what follows from what it said.
    private static let settling = Duration.seconds(2)
    /// How long an attempt or a connection that was told to end may take.
    private static let ending = Duration.seconds(5)
    /// How long BlueZ goes on clearing up after it has said that a link is down.
    ///
    /// It hears of the end twice, from the kernel's management socket and from the link's own. A `Connect` between the two
    /// is closed with the old link, and the device removed.
    private static let clearingTime = Duration.milliseconds(200)
    /// After what time a `Connect` that fails has waited in vain: the kernel gives up after 40 s, while a device that is
    /// there is met, or refuses, within a few.
    private static let patience = Duration.seconds(10)
    /// How long an attempt that was interrupted pauses. Power that goes off takes the objects first, and is told a tenth of a
    /// second later (`power-off-while-scanning.trace`).
    private static let pause = Duration.milliseconds(200)

    /// Calls `Connect`, or looks for a device that BlueZ does not know and calls it then; a link that is up already, another
    /// program's too, is taken over.
    public func connect(_ peripheral: PeripheralIdentifier) {
        if let path = devices[peripheral], facts(path) != nil {
            beginLink(peripheral, path)
        } else {
            seek(peripheral)
        }
    }

    /// Begins to connect to a device that BlueZ knows. After pairing a device may go by two identifiers; its link is that of
    /// the one that came first.
    func beginLink(_ peripheral: PeripheralIdentifier, _ path: String) {
        if links[path] != nil {
            return later { $0.emit(.connectFailed(peripheral, .backend(Self.connectedAsOther))) }
        }
        lastLink += 1
        let link = Link(peripheral, name: Link.Name(path: path, number: lastLink), isConnectedByOther: isUp(path))
        // Resolved on a link that was up before: everything was announced long ago.
        link.isComplete = areServicesComplete(path)
        links[path] = link
        beginConnecting(link)
    }

    private static let connectedAsOther = BackendFailure(
        name: BlueZError.alreadyConnected, message: "the device has a connection under another identifier",
        advice: "After pairing BlueZ knows a device by a second address: use the peripheral that was connected first",
        isTransient: true)

    /// Calls `Connect` once the link before is cleared away and the kernel knows what this process can show and take, with
    /// which the link is made.
    private func beginConnecting(_ link: Link) {
        onceBondable(link) { me, link in
            guard link.phase == .postponed, me.clearing[link.path] == nil else { return }
            link.phase = .connecting
            me.callConnect(link)
        }
    }

    /// Keeps attempts off a device whose link has just ended.
    private func letClear(_ path: String) {
        lastEnd += 1
        let end = lastEnd
        clearing[path] = end
        after(Self.clearingTime) { me in
            // It may have been up and down again meanwhile.
            guard me.clearing[path] == end else { return }
            me.clearing[path] = nil
            guard let link = me.links[path], link.phase == .postponed else { return }
            me.beginConnecting(link)
        }
    }

    private func callConnect(_ link: Link) {
        link.awaitsReply = true
        link.began = clock.elapsed
        link.capability = session?.pairing.capability
        call(link.path, BlueZInterface.device, "Connect", on: link) { me, link, result in
            link.awaitsReply = false
            me.connectReplied(link, result)
        }
    }

    private func connectReplied(_ link: Link, _ result: Result<Message, DBusError>) {
        switch (link.phase, result) {
        case (.connecting, .failure(let error)) where BlueZFailure.isConnecting(error):
            // Another program's attempt: its success is ours, its failure leaves the way free.
            after(.seconds(1), on: link) { if $1.phase == .connecting { $0.callConnect($1) } }
            return
        case (.connecting, .failure(let error)) where BlueZFailure.isForgotten(error):
            // Its removal was told, or was missed.
            session?.refresh {}
            return interrupt(link)
        case (.connecting, .failure(let error)) where hasNotMet(link, error): return interrupt(link)
        default: link.hasReplied = true
        }
        switch (link.phase, result) {
        case (.connecting, .success):
            if isUp(link.path) { return established(link) }
            // bluetoothd signals no `Connected` when the link's socket was up before the kernel told it of the link ("Device
            // … is already connected" in its log), now and then; asked, it knows.
            session?.refresh {}
            after(Self.settling, on: link) { if $1.phase == .connecting { $0.end(link: $1, .disconnected) } }
        case (.connecting, .failure(let error)):
            let failure = BlueZFailure.connecting(error)
            if !isUp(link.path) { return end(link: link, failure) }
            // BlueZ's view flickers after an attempt that failed: the next one must not begin on it.
            link.phase = .failing(failure)
            after(Self.settling, on: link) { $0.end(link: $1, failure) }
        case (.aborting, _):
            if !isUp(link.path) { end(link: link, .disconnected) }
        case (.postponed, _), (.interrupted, _), (.failing, _), (.connected, _), (.disconnecting, _): break
        }
    }

    /// Whether an attempt failed because the device was not there to be tried.
    private func hasNotMet(_ link: Link, _ error: DBusError) -> Bool {
        if link.wasUp || isUp(link.path) || clock.elapsed - link.began < Self.patience { return false }
        return BlueZFailure.isAttemptsEnd(error)
    }

    /// The attempt goes on although this `Connect` has ended, in whatever way the device can be had by then.
    private func interrupt(_ link: Link) {
        link.phase = .interrupted
        after(Self.pause, on: link) { me, link in
            me.links[link.path] = nil
            me.connect(link.id)
        }
    }

    private func established(_ link: Link) {
        link.phase = .connected
        link.maximumTransmissionUnit = knownMaximumTransmissionUnit(link.path)
        emit(.connected(link.id, maximumTransmissionUnit: link.maximumTransmissionUnit))
    }

    /// Calls `Disconnect`, which takes the link down for every program, or takes an attempt back.
    public func disconnect(_ peripheral: PeripheralIdentifier) {
        guard let link = links.values.first(where: { $0.id == peripheral }) else {
            if stopSeeking(peripheral) { return }
            // It ended at the same moment.
            return later { $0.emit(.disconnected(peripheral, nil)) }
        }
        switch link.phase {
        case .postponed, .interrupted:
            link.phase = .failing(.disconnected)
            later(on: link) { $0.end(link: $1, .disconnected) }
        case .connecting:
            link.phase = .aborting
            callDisconnect(link)
        case .failing(let failure):
            later(on: link) { $0.end(link: $1, failure) }
        case .connected:
            link.phase = .disconnecting
            link.values.takeBack(self)
            link.closeSockets()
            callDisconnect(link)
        case .aborting, .disconnecting: break
        }
    }

    /// Takes a link down that nobody told to end: that it is down is told as a loss.
    func endLink(_ link: Link) {
        link.values.takeBack(self)
        link.closeSockets()
        callDisconnect(link)
    }

    private func callDisconnect(_ link: Link) {
        call(link.path, BlueZInterface.device, "Disconnect", on: link) { me, link, result in
            let isDown = !me.isUp(link.path)
            switch (link.phase, result) {
            case (.disconnecting, .failure(.remote(BlueZError.notConnected, _))): me.end(link: link, .disconnected)
            case (.disconnecting, _) where isDown: me.end(link: link, .disconnected)
            case (.aborting, _) where isDown && !link.awaitsReply: me.end(link: link, .disconnected)
            default: break
            }
        }
        after(Self.ending, on: link) { $0.end(link: $1, .disconnected) }
    }

    /// Ends a link and says so in the one way that its phase allows.
    func end(link: Link, _ failure: OperationFailure) {
        guard isCurrent(link) else { return }
        if link.phase == .connected { link.values.deliverRest(self) }
        let phase = link.phase
        link.changeTimer?.cancel()
        link.closeSockets()
        if phase == .connected { link.values.takeBack(self) }
        // BlueZ would connect again to do it, for nobody.
        if link.pairing != nil, link.hasCalledPair { session?.send(link.path, BlueZInterface.device, "CancelPairing") }
        links[link.path] = nil
        switch phase {
        case .postponed, .connecting, .interrupted, .failing, .aborting: emit(.connectFailed(link.id, failure))
        case .connected: emit(.disconnected(link.id, link.reason))
        case .disconnecting: emit(.disconnected(link.id, nil))
        }
    }

    func connectedChanged(_ path: String, _ isConnected: Bool) {
        if !isConnected { letClear(path) }
        guard let link = links[path] else { return }
        switch (link.phase, isConnected) {
        case (.connecting, true):
            link.wasUp = true
            if link.hasReplied { established(link) }
        case (.connecting, false): if link.hasReplied { end(link: link, .disconnected) }
        case (.failing(let failure), false): end(link: link, failure)
        case (.aborting, false): if !link.awaitsReply { end(link: link, .disconnected) }
        case (.connected, false), (.disconnecting, false):
            if link.isSpoilt, facts(path)?.isBonded != true {
                removeSpoilt(link)
            } else {
                end(link: link, .disconnected)
            }
        case (.postponed, _), (.interrupted, _), (.failing, true), (.aborting, true), (.connected, true),
            (.disconnecting, true):
            break
        }
    }

    func deviceRemoved(_ path: String) {
        guard let link = links[path] else { return }
        let failure = BackendFailure(
            name: ErrorName.unknownObject, message: "BlueZ removed the device",
            advice: "Scan for it again", isTransient: true)
        switch link.phase {
        case .failing(let failure): end(link: link, failure)
        case .postponed, .connecting: interrupt(link)
        case .interrupted: break
        case .aborting, .connected, .disconnecting: end(link: link, .backend(failure))
        }
    }
}
#endif
