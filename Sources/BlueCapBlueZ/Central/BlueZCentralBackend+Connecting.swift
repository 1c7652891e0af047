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

    /// Calls `Connect`; a link that is up already, another program's too, is taken over.
    public func connect(_ peripheral: PeripheralIdentifier) {
        guard let path = devices[peripheral], facts(path) != nil else {
            let failure = BackendFailure(
                name: BlueZError.doesNotExist, message: "BlueZ does not know \(peripheral)",
                advice: "Scan for it: BlueZ forgets a device soon after it was last seen", isTransient: true)
            refused.insert(peripheral)
            return later {
                // Power that went off meanwhile has ended it.
                if $0.refused.remove(peripheral) != nil { $0.emit(.connectFailed(peripheral, .backend(failure))) }
            }
        }
        lastLink += 1
        let link = Link(peripheral, name: Link.Name(path: path, number: lastLink), isConnectedByOther: isUp(path))
        // Resolved on a link that was up before: everything was announced long ago.
        link.isComplete = areServicesComplete(path)
        links[path] = link
        if clearing[path] != nil { link.phase = .postponed } else { callConnect(link) }
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
            link.phase = .connecting
            me.callConnect(link)
        }
    }

    private func callConnect(_ link: Link) {
        link.awaitsReply = true
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
        case (.postponed, _), (.failing, _), (.connected, _), (.disconnecting, _): break
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
            // What was refused is answered already, and twice would be one too many for the next attempt.
            if refused.contains(peripheral) { return }
            // It ended at the same moment.
            return later { $0.emit(.disconnected(peripheral, nil)) }
        }
        switch link.phase {
        case .postponed:
            link.phase = .failing(.disconnected)
            later(on: link) { $0.end(link: $1, .disconnected) }
        case .connecting:
            link.phase = .aborting
            callDisconnect(link)
        case .failing(let failure):
            later(on: link) { $0.end(link: $1, failure) }
        case .connected:
            link.phase = .disconnecting
            stopNotifying(link)
            closeSockets(link)
            callDisconnect(link)
        case .aborting, .disconnecting: break
        }
    }

    /// Takes a link down that nobody told to end: that it is down is told as a loss.
    func endLink(_ link: Link) {
        stopNotifying(link)
        closeSockets(link)
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
        if link.phase == .connected { deliverRest(of: link) }
        let phase = link.phase
        link.changeTimer?.cancel()
        closeSockets(link)
        if phase == .connected { stopNotifying(link) }
        // BlueZ would connect again to do it, for nobody.
        if link.pairing != nil { session?.send(link.path, BlueZInterface.device, "CancelPairing") }
        links[link.path] = nil
        switch phase {
        case .postponed, .connecting, .failing, .aborting: emit(.connectFailed(link.id, failure))
        case .connected: emit(.disconnected(link.id, link.reason))
        case .disconnecting: emit(.disconnected(link.id, nil))
        }
    }

    func connectedChanged(_ path: String, _ isConnected: Bool) {
        if !isConnected { letClear(path) }
        guard let link = links[path] else { return }
        switch (link.phase, isConnected) {
        case (.connecting, true): if link.hasReplied { established(link) }
        case (.connecting, false): if link.hasReplied { end(link: link, .disconnected) }
        case (.failing(let failure), false): end(link: link, failure)
        case (.aborting, false): if !link.awaitsReply { end(link: link, .disconnected) }
        case (.connected, false), (.disconnecting, false): end(link: link, .disconnected)
        case (.postponed, _), (.failing, true), (.aborting, true), (.connected, true), (.disconnecting, true): break
        }
    }

    func deviceRemoved(_ path: String) {
        guard let link = links[path] else { return }
        let failure = BackendFailure(
            name: ErrorName.unknownObject, message: "BlueZ removed the device",
            advice: "Scan for it again", isTransient: true)
        switch link.phase {
        case .failing(let failure): end(link: link, failure)
        case .postponed, .connecting:
            // Power that goes off takes the objects first and is told after (`power-off-while-scanning.trace`).
            link.phase = .failing(.backend(failure))
            after(Self.settling, on: link) { $0.end(link: $1, .backend(failure)) }
        case .aborting, .connected, .disconnecting: end(link: link, .backend(failure))
        }
    }
}
#endif
