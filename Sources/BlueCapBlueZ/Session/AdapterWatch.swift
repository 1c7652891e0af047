// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// Follows one adapter for a backend: which one it is, and the state of the radio that follows from the bus, the
/// daemon, the adapter and its power.
struct AdapterWatch {
    let selection: AdapterSelection
    /// The adapter's path; nil while there is none.
    private(set) var path: String?
    private(set) var state = ManagerState.unknown
    private(set) var failure: BackendFailure?
    private var boundAddress: String?
    /// Whether there was an adapter once: a missing one may then return.
    private var hasWorked = false

    init(_ selection: AdapterSelection) { self.selection = selection }

    /// Takes the selected adapter, if there is none yet.
    ///
    /// - Returns: Whether there is one now that was not there before.
    mutating func choose(in session: BlueZSession) -> Bool {
        guard path == nil, let path = selection.choose(from: session.tree, bound: boundAddress) else { return false }
        self.path = path
        boundAddress = session.tree[path, BlueZInterface.adapter]?[Adapter1.address]?.uppercased()
        return true
    }

    mutating func lose() { path = nil }

    /// Looks at everything again.
    ///
    /// - Returns: Whether the state or its reason changed.
    mutating func evaluate(_ session: BlueZSession?, _ startFailure: BackendFailure?) -> Bool {
        let (state, failure) = current(session, startFailure)
        if state == self.state, failure == self.failure { return false }
        self.state = state
        self.failure = failure
        if state == .poweredOn || state == .poweredOff { hasWorked = true }
        return true
    }

    private func current(_ session: BlueZSession?, _ startFailure: BackendFailure?) -> (ManagerState, BackendFailure?) {
        guard let session else { return (.unsupported, startFailure) }
        switch session.status {
        case .opening: return (.unknown, nil)
        case .loading: return (hasWorked ? .resetting : state, failure)
        case .unreachable(let failure, let isRefusal): return missing(failure, isRefusal: isRefusal)
        // Whether there is an adapter is not known, and it is asked again: waiting may help.
        case .refused(let failure, let isRefusal): return (isRefusal ? .unauthorized : .resetting, failure)
        case .withoutDaemon: return missing(Self.noDaemon, isRefusal: false)
        case .ready: break
        }
        guard let path, let properties = session.tree[path, BlueZInterface.adapter] else {
            return missing(noAdapter, isRefusal: false)
        }
        return (Self.isOn(properties) ? .poweredOn : .poweredOff, nil)
    }

    /// BlueZ says that it is about to switch off (`PowerState`, 5.66 with `-E`, 5.74) before it takes the links down,
    /// and `Powered` only after: with the first, links end because the radio went off, not as if they were lost.
    private static func isOn(_ properties: ObjectMirror.Properties) -> Bool {
        properties[Adapter1.powered] == true && properties[Adapter1.powerState] != "on-disabling"
    }

    private func missing(_ failure: BackendFailure, isRefusal: Bool) -> (ManagerState, BackendFailure?) {
        if isRefusal { return (.unauthorized, failure) }
        return (hasWorked ? .resetting : .unsupported, failure)
    }

    private static let noSuchAdapter = "org.bluez.Error.NoSuchAdapter"

    private static let noDaemon = BackendFailure(
        name: ErrorName.nameHasNoOwner, message: "bluetoothd is not running",
        advice: Confinement.current.sandboxAdvice ?? "install and start BlueZ: systemctl start bluetooth",
        isTransient: true)

    private var noAdapter: BackendFailure {
        if let boundAddress {
            return BackendFailure(
                name: Self.noSuchAdapter, message: "the Bluetooth adapter \(boundAddress) is gone",
                advice: "plug it in again, or use another adapter with a new manager", isTransient: true)
        }
        let which =
            switch selection {
            case .default: "no Bluetooth adapter"
            case .name(let name): "no Bluetooth adapter \(name)"
            case .address(let address): "no Bluetooth adapter with the address \(address)"
            }
        return BackendFailure(
            name: Self.noSuchAdapter, message: "there is \(which)",
            advice: "plug one in, or check with bluetoothctl list and rfkill list", isTransient: true)
    }
}
#endif
