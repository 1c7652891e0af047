// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

// The radio's state, and the devices that the adapter knows.
extension BlueZCentralBackend {
    func statusChanged() {
        if session?.status == .ready { chooseAdapter() } else { loseAdapter() }
        evaluate()
    }

    func adapterChanged(_ change: TreeChange) {
        if case .removed(let path, _, _) = change, path == adapter {
            loseAdapter()
            evaluate()
        }
        chooseAdapter()
        evaluate()
    }

    private func chooseAdapter() {
        guard let session, watch.choose(in: session), let adapter else { return }
        for device in session.tree.notableDevices(below: adapter) {
            learn(device, isNew: true)
            tellBond(device)
        }
    }

    private func loseAdapter() {
        // The discovery there has ended. BlueZ does not report that where the adapter goes without losing its power
        // first.
        if let adapter { session?.discoveries[adapter]?.reset() }
        watch.lose()
        names = DeviceNames()
    }

    private func evaluate() {
        let wasOn = state == .poweredOn
        guard watch.evaluate(session, startFailure), state != .unknown else { return }
        if wasOn, state != .poweredOn { dropEverything() }
        emit(.stateChanged(state, watch.failure))
    }

    /// Drops all scans, links and requests, as the manager assumes that they have ended.
    private func dropEverything() {
        if let adapter { session?.discovery(on: adapter).reset() }
        isScanning = false
        for link in links.values {
            link.values.deliverRest(self)
            // BlueZ keeps subscriptions over the power's end, too.
            link.values.takeBack(self)
            link.closeSockets()
            link.connection.restoreBearer(self)
            remove(link)
        }
        sought = []
        takenBack = []
    }

    // MARK: Devices

    /// Remembers which identifier a device goes by.
    private func learn(_ path: String, isNew: Bool) {
        if let address = facts(path)?.identifier { names.learn(path, address, isNew: isNew) }
    }

    /// The identifier that a device goes by; nil for one that is not there, or without an address.
    func identifier(of path: String) -> PeerIdentifier? {
        names.identifier(of: path) ?? facts(path)?.identifier
    }

    /// The device that goes by an identifier; nil for one that is not there.
    func device(of identifier: PeerIdentifier) -> String? {
        guard let adapter, let path = names.path(of: identifier, on: adapter) else { return nil }
        return facts(path)?.identifier == nil ? nil : path
    }

    /// A device that was gone with its daemon or its adapter comes back with its keys.
    private func tellBond(_ path: String) {
        if facts(path)?.isBonded == true { bondChanged(path) }
    }

    func deviceChanged(_ path: String, _ change: TreeChange) {
        switch change {
        case .added:
            learn(path, isNew: true)
            tellBond(path)
            sight(path)
            found(path)
        case .removed(_, _, let properties):
            links[path]?.connection.deviceRemoved(self)
            let facts = DeviceFacts(properties)
            if facts.isBonded, let id = names.identifier(of: path) ?? facts.identifier { emit(.bondChanged(id, false)) }
            names.forget(path, facts.identifier)
        case .changed(_, _, let set, _):
            if set.has(Device1.address) { learn(path, isNew: false) }
            if let name = set[Device1.name], let id = identifier(of: path) { emit(.nameChanged(id, name)) }
            sight(path, after: set)
            if set.has(Device1.bonded) || set.has(Device1.paired) { bondChanged(path) }
            if set[Device1.paired] == true { links[path]?.pairing.paired(self) }
            if let isConnected = set[Device1.connected] { connectedChanged(path, isConnected) }
            if let isResolved = set[Device1.servicesResolved] {
                links[path]?.database.resolvedChanged(isResolved, self)
                if isResolved { links[path]?.connection.resolved(self) }
            }
        }
    }
}
#endif
