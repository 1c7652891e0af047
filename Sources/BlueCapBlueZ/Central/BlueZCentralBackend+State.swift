#if BlueZ && os(Linux) && canImport(CDBus)
import BlueCapCore
import BlueCapSerDe
import DBus

// The radio's state: of the bus, the daemon, the adapter and its power.
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
        guard adapter == nil, let session, let path = selection.choose(from: session.tree, bound: boundAddress)
        else { return }
        adapter = path
        boundAddress = properties(path, BlueZInterface.adapter)?["Address"]?.stringValue?.uppercased()
        for device in session.tree.children(of: path, with: BlueZInterface.device) { learn(device) }
    }

    private func loseAdapter() {
        adapter = nil
        devices = [:]
        identifiers = [:]
    }

    private func evaluate() {
        let (state, failure) = currentState
        become(state, failure)
    }

    func become(_ new: ManagerState, _ failure: BackendFailure?) {
        if new == state, failure == stateFailure { return }
        let wasOn = state == .poweredOn
        state = new
        stateFailure = failure
        if new == .poweredOn || new == .poweredOff { hasWorked = true }
        if new == .unknown { return }
        if wasOn, new != .poweredOn { dropEverything() }
        emit(.stateChanged(new, failure))
    }

    /// The manager takes all scans, links and requests for ended; so does this.
    private func dropEverything() {
        if let adapter { discovery(on: adapter)?.reset() }
        isScanning = false
        for link in links.values { closeSockets(link) }
        links = [:]
    }

    private var currentState: (ManagerState, BackendFailure?) {
        guard let session else { return (.unsupported, startFailure) }
        switch session.status {
        case .opening: return (.unknown, nil)
        case .loading: return hasWorked ? (.resetting, stateFailure) : (.unknown, nil)
        case .unreachable(let failure, let isRefusal): return missing(failure, isRefusal: isRefusal)
        case .refused(let failure, let isRefusal): return missing(failure, isRefusal: isRefusal)
        case .withoutDaemon: return missing(Self.noDaemon, isRefusal: false)
        case .ready: break
        }
        guard let adapter, let properties = properties(adapter, BlueZInterface.adapter) else {
            return missing(noAdapter, isRefusal: false)
        }
        return (Self.isOn(properties) ? .poweredOn : .poweredOff, nil)
    }

    /// BlueZ says that it is about to switch off (`PowerState`, 5.66 with `-E`, 5.74) before it takes the links down, and
    /// `Powered` only after: with the first, links end because the radio went off, not as if they were lost.
    private static func isOn(_ properties: ObjectTree.Properties) -> Bool {
        properties["Powered"]?.boolValue == true && properties["PowerState"]?.stringValue != "on-disabling"
    }

    private func missing(_ failure: BackendFailure, isRefusal: Bool) -> (ManagerState, BackendFailure?) {
        if isRefusal { return (.unauthorized, failure) }
        return (hasWorked ? .resetting : .unsupported, failure)
    }

    private static let noDaemon = BackendFailure(
        name: ErrorName.nameHasNoOwner, message: "bluetoothd is not running",
        advice: "Install and start BlueZ: systemctl start bluetooth", isTransient: true)

    private var noAdapter: BackendFailure {
        let which =
            switch selection {
            case .default: "no Bluetooth adapter"
            case .name(let name): "no Bluetooth adapter \(name)"
            case .address(let address): "no Bluetooth adapter with the address \(address)"
            }
        return BackendFailure(
            name: "org.bluez.Error.NoSuchAdapter", message: "there is \(which)",
            advice: "Plug one in, or check with bluetoothctl list and rfkill list", isTransient: true)
    }

    // MARK: Devices

    /// Remembers which device goes by which identifier.
    func learn(_ path: String) {
        guard let identifier = facts(path)?.identifier else { return }
        if identifiers[path] == nil { identifiers[path] = identifier }
        devices[identifier] = path
    }

    private func forget(_ path: String, _ properties: ObjectTree.Properties) {
        if let identifier = identifiers.removeValue(forKey: path) { devices[identifier] = nil }
        if let identifier = DeviceFacts(properties).identifier { devices[identifier] = nil }
    }

    func deviceChanged(_ path: String, _ change: TreeChange) {
        switch change {
        case .added:
            learn(path)
            sight(path)
        case .removed(_, _, let properties):
            deviceRemoved(path)
            forget(path, properties)
        case .changed(_, _, let set, _):
            if set["Address"] != nil { learn(path) }
            if let name = set["Name"]?.stringValue, let id = identifiers[path] { emit(.nameChanged(id, name)) }
            sight(path, after: set)
            if let isConnected = set["Connected"]?.boolValue { connectedChanged(path, isConnected) }
            if let isResolved = set["ServicesResolved"]?.boolValue { resolvedChanged(path, isResolved) }
        }
    }
}
#endif
