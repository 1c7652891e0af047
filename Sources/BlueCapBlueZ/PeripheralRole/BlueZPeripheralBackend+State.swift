// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

// The radio's state, and the registrations that outlive a change of it.
extension BlueZPeripheralBackend {
    func apply(_ event: BlueZSession.Event) {
        switch event {
        case .status: statusChanged()
        case .tree(let change): apply(change)
        case .value, .packet, .disconnectReason: break
        }
    }

    func statusChanged() {
        if let session, session.status == .ready { chooseAdapter(in: session) } else { watch.lose() }
        evaluate()
    }

    private func apply(_ change: TreeChange) {
        switch change.interface {
        case BlueZInterface.adapter:
            if case .removed(let path, _, _) = change, path == watch.path {
                watch.lose()
                registrar.lose()
                evaluate()
            }
            if let session { chooseAdapter(in: session) }
            evaluate()
        case BlueZInterface.advertisingManager, BlueZInterface.gattManager:
            readLimits()
            if case .added(let path, let interface) = change, path == watch.path { registrar.appeared(interface, self) }
        case BlueZInterface.device where serves(change.path):
            switch change {
            case .added(let path, _): if isConnected(path) { subscriberCame(path) }
            case .changed(let path, _, let set, _):
                if let isConnected = set[Device1.connected] {
                    if isConnected {
                        subscriberCame(path)
                    } else {
                        accesses.deviceLeft(path, self)
                        subscriberLeft(path)
                    }
                }
                if set[Device1.servicesResolved] == true { finishArrival(of: path) }
            case .removed(let path, _, let properties):
                subscriberForgotten(path, wasBonded: DeviceFacts(properties).isBonded)
            }
        default: break
        }
    }

    private func chooseAdapter(in session: BlueZSession) {
        guard watch.choose(in: session) else { return }
        registrar.begin(session.generation)
        readLimits()
    }

    private func evaluate() {
        let wasOn = watch.state == .poweredOn
        guard watch.evaluate(session, startFailure), watch.state != .unknown else { return }
        if wasOn, watch.state != .poweredOn { dropLinks() }
        emitAnswers()
        if watch.state == .poweredOn, registrar.takeLoss() {
            forgetEverything()
            emit(.registrationsLost)
        }
        emit(.stateChanged(watch.state, watch.failure))
    }

    /// Drops all accesses and subscriptions, as the manager assumes that they have ended.
    private func dropLinks() {
        accesses.drop()
        for arrival in arrivals.values { arrival.limit.cancel() }
        arrivals = [:]
        let sharesSocket = limits.withLock { $0.sockets } == .single
        for (attribute, notifier) in notifiers {
            notifier.radioLost(sharesSocket: sharesSocket, isBonded: isBonded)
            forgetIfEmpty(attribute)
        }
    }

    /// Releases everything that the daemon has forgotten, or is to forget.
    func forgetEverything() {
        dropLinks()
        for notifier in notifiers.values { notifier.close() }
        notifiers = [:]
        registrar.reset()
        for application in applications { unexport(application) }
        applications = []
        advertisements.forget(self)
    }

    private func readLimits() {
        guard let session, let path = watch.path else { return }
        let sockets = NotificationSockets(session.tree.version(ofAdapter: path))
        limits.withLock { $0.sockets = sockets }
        guard let manager = session.tree[path, BlueZInterface.advertisingManager] else { return }
        let capabilities = manager[LEAdvertisingManager1.supportedCapabilities] ?? [:]
        let free = manager[LEAdvertisingManager1.supportedInstances] ?? 0
        let used = manager[LEAdvertisingManager1.activeInstances] ?? 0
        limits.withLock { limits in
            limits.packetLength = capabilities[LEAdvertisingManager1.maximumAdvertisementLength].map(Int.init) ?? 31
            limits.responseLength = capabilities[LEAdvertisingManager1.maximumScanResponseLength].map(Int.init) ?? 31
            limits.instances = max(Int(free) + Int(used), 1)
            // 5.56 through 5.76 show these properties, and look at the intervals and the power, only with -E; later
            // versions always.
            limits.hasIntervals = manager.has(LEAdvertisingManager1.supportedCapabilities)
            limits.hasTxPower = manager[LEAdvertisingManager1.supportedFeatures]?.contains("CanSetTxPower") == true
        }
    }

    /// The central that a device object stands for.
    func identify(_ path: String, maximumUpdateLength: Int? = nil) -> Central {
        let facts = session?.tree[path, BlueZInterface.device].map { DeviceFacts($0) }
        return Central(
            identifier: facts?.identifier ?? BlueZPath.address(of: path), maximumUpdateLength: maximumUpdateLength)
    }
}
#endif
