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
        for device in session.tree.children(of: adapter, with: BlueZInterface.device) {
            learn(device)
            tellBond(device)
        }
    }

    private func loseAdapter() {
        // What was discovering there has ended with it; nothing says so where the adapter goes without its power first.
        if let adapter { session?.discoveries[adapter]?.reset() }
        watch.lose()
        devices = [:]
        identifiers = [:]
    }

    private func evaluate() {
        let wasOn = state == .poweredOn
        guard watch.evaluate(session, startFailure), state != .unknown else { return }
        if wasOn, state != .poweredOn { dropEverything() }
        emit(.stateChanged(state, watch.failure))
    }

    /// The manager takes all scans, links and requests for ended; so does this.
    private func dropEverything() {
        if let adapter { session?.discovery(on: adapter).reset() }
        isScanning = false
        for link in links.values {
            link.values.deliverRest(self)
            // BlueZ keeps what was started over the power's end, too.
            link.values.takeBack(self)
            link.closeSockets()
            remove(link)
        }
        sought = []
        takenBack = []
    }

    // MARK: Devices

    /// Remembers which device goes by which identifier.
    func learn(_ path: String) {
        guard let identifier = facts(path)?.identifier else { return }
        if identifiers[path] == nil { identifiers[path] = identifier }
        devices[identifier] = path
    }

    private func forget(_ path: String, _ properties: ObjectMirror.Properties) {
        if let identifier = identifiers.removeValue(forKey: path) { devices[identifier] = nil }
        if let identifier = DeviceFacts(properties).identifier { devices[identifier] = nil }
    }

    /// A device that was gone with its daemon or its adapter comes back with its keys.
    private func tellBond(_ path: String) {
        if facts(path)?.isBonded == true { bondChanged(path) }
    }

    func deviceChanged(_ path: String, _ change: TreeChange) {
        switch change {
        case .added:
            learn(path)
            tellBond(path)
            sight(path)
            found(path)
        case .removed(_, _, let properties):
            links[path]?.connection.deviceRemoved(self)
            if DeviceFacts(properties).isBonded, let id = identifiers[path] { emit(.bondChanged(id, false)) }
            forget(path, properties)
        case .changed(_, _, let set, _):
            if set.has(Device1.address) { learn(path) }
            if let name = set[Device1.name], let id = identifiers[path] { emit(.nameChanged(id, name)) }
            sight(path, after: set)
            if set.has(Device1.bonded) || set.has(Device1.paired) { bondChanged(path) }
            if let isConnected = set[Device1.connected] { connectedChanged(path, isConnected) }
            if let isResolved = set[Device1.servicesResolved] {
                links[path]?.database.resolvedChanged(isResolved, self)
            }
        }
    }
}
#endif
