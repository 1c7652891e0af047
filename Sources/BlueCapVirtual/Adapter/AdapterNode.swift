// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// A virtual adapter's state on the radio's executor: its power, its memory, the roles that run on it.
final class AdapterNode {
    let ether: Ether
    let address: String
    /// The address, as others know it.
    let identifier: PeerIdentifier
    let facts: Locked<AdapterFacts>
    private(set) var state: ManagerState
    /// How its scanner divides its time.
    var scanInterval: Duration
    var scanWindow: Duration
    var maximumTransmissionUnit: Int
    private var memory = AdapterMemory()
    private(set) var roles: [any AdapterCentral] = []
    /// The peripheral roles together, once there was one.
    var server: (any AdapterServer)?
    let name: String
    private(set) var conditions: AdapterConditions
    private lazy var losses = SeededGenerator(seed: ether.seed, name: "losses of adapter " + address)

    init(ether: Ether, address: String, configuration: VirtualAdapter.Configuration, facts: Locked<AdapterFacts>) {
        self.ether = ether
        self.address = address
        identifier = PeerIdentifier(address)
        self.facts = facts
        state = configuration.state
        scanInterval = configuration.scanInterval
        scanWindow = configuration.scanWindow
        maximumTransmissionUnit = configuration.maximumTransmissionUnit
        name = configuration.name
        conditions = facts.withLock { $0.conditions }
    }

    func add(_ role: any AdapterCentral) {
        roles.append(role)
        ether.add(role)
    }

    func remove(_ role: any AdapterCentral) {
        roles.removeAll { $0 === role }
        ether.remove(role)
    }

    /// The link that a killed program has left behind, for another program to use.
    func takeLink(to identifier: PeerIdentifier) -> VirtualLink? {
        for role in roles where role.isKilled {
            if let link = role.giveUp(identifier) { return link }
        }
        return nil
    }

    /// Changes the state; any but `.poweredOn` takes down all links.
    func change(to state: ManagerState) {
        guard state != self.state else { return }
        self.state = state
        facts.withLock { $0.state = state }
        for role in roles { role.adapterChanged() }
        server?.adapterChanged()
    }

    /// Changes its place, the parameters of its links, or a fault, and informs all those that it concerns.
    func changeConditions(_ change: (inout AdapterConditions) -> Void) {
        change(&conditions)
        facts.withLock { $0.conditions = conditions }
        for role in roles { role.conditionsChanged() }
        server?.conditionsChanged()
        ether.listenersChanged()
    }

    /// Whether chance takes the next packet.
    func losesPacket() -> Bool { losses.happens(conditions.packetLoss) }

    /// The sightings of a peripheral, as far as they are remembered.
    func known(_ identifier: PeerIdentifier) -> KnownPeripheral? { memory.known(identifier) }

    func learn(_ identifier: PeerIdentifier, name: String?, advertisements: PeripheralAdvertisements? = nil) {
        memory.change(identifier) { known in
            if let name { known.name = name }
            if let advertisements { known.advertisements = advertisements }
        }
        forgetWhatIsTooMuch()
    }

    /// The found part of a peripheral's database. A view of an older version stays until ``refresh(_:from:)``.
    func view(of identifier: PeerIdentifier, version: Int) -> DatabaseView {
        if let view = memory.view(of: identifier) { return view }
        let view = DatabaseView(version: version)
        memory.set(view, of: identifier)
        forgetWhatIsTooMuch()
        return view
    }

    private func forgetWhatIsTooMuch() {
        guard memory.isFull else { return }
        let kept = roles.reduce(into: ether.bonded(with: address)) { $0.formUnion($1.linked) }
        for identifier in memory.forgetOldest(but: kept) {
            for role in roles { role.forget(identifier) }
        }
    }

    /// Brings a view of an older database up to date.
    ///
    /// - Returns: The services that are gone; nil when no found attribute can have changed.
    func refresh(_ identifier: PeerIdentifier, from server: ATTServer) -> [UInt16]? {
        guard let view = memory.view(of: identifier), !view.isEmpty, view.version != server.version else { return nil }
        return view.update(from: server.table, version: server.version)
    }

    /// The links of all roles on this adapter that were reported to their managers.
    var links: [VirtualLink] { roles.flatMap(\.openLinks) }
}

/// A role that runs on an adapter, and notices when the adapter's state changes.
protocol AdapterRole: AnyObject {
    func adapterChanged()
    /// The reach of the adapter, the parameters of its links or its faults have changed.
    func conditionsChanged()
}

/// The peripheral roles on an adapter together, as their adapter sees them.
protocol AdapterServer: AdapterRole {
    func disconnectCentrals()
    func forgetBonds()
}

/// A program's central role, as its adapter sees it.
protocol AdapterCentral: AdapterRole, Listener {
    /// Whether its program is gone, with links that it left to the adapter.
    var isKilled: Bool { get }
    var isScanning: Bool { get }
    /// Whether it scans, and not passively.
    var asksForResponses: Bool { get }
    /// The peripherals that the role has a link to, reported to its manager or not.
    var linked: Set<PeerIdentifier> { get }
    var openLinks: [VirtualLink] { get }

    /// Hands a link over to the role of another program.
    func giveUp(_ identifier: PeerIdentifier) -> VirtualLink?
    func forget(_ identifier: PeerIdentifier)
}

extension ManagerState {
    /// Why a virtual adapter is in a state that needs an explanation.
    var failure: BackendFailure? {
        switch self {
        case .unsupported:
            BackendFailure(name: "VirtualRadio.Unsupported", message: "the virtual adapter has no Bluetooth LE")
        case .unauthorized:
            BackendFailure(
                name: "VirtualRadio.Unauthorized", message: "the virtual adapter refuses this process its use")
        default: nil
        }
    }
}
