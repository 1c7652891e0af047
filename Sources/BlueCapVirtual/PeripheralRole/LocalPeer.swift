// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// An adapter as other adapters' centrals see it: one peer with one database, for all peripheral roles that run on it.
final class LocalPeer: LinkPeer, AdapterServer {
    let ether: Ether
    let number: UInt64
    unowned let adapter: AdapterNode
    private(set) lazy var server = ATTServer(source: self, maximumTransmissionUnit: maximumTransmissionUnit)
    private(set) var links: [VirtualLink] = []
    private(set) var roles: [PeripheralRole] = []
    private(set) var layout = ServiceLayout()
    /// Whose attribute stands at a handle.
    private var owners: [UInt16: (role: PeripheralRole, id: AttributeID)] = [:]
    private var generator: SeededGenerator

    var connection: VirtualConnection { adapter.conditions.connection }
    let isAdapter = true
    let answersWithKey = true
    var isMute: Bool { adapter.conditions.isMute }
    var responseDelay: Duration { adapter.conditions.responseDelay }
    let ownPasskey: UInt32? = nil

    init(adapter: AdapterNode) {
        self.adapter = adapter
        ether = adapter.ether
        number = ether.makePeerNumber()
        generator = SeededGenerator(seed: ether.seed, name: "adapter " + adapter.address)
    }

    var identifier: PeerIdentifier { adapter.identifier }

    var name: String { adapter.name }

    func add(_ role: PeripheralRole) {
        roles.append(role)
        adapter.server = self
    }

    func remove(_ role: PeripheralRole, keepsLinks: Bool) {
        roles.removeAll { $0 === role }
        databaseChanged()
        if roles.isEmpty, !keepsLinks { disconnectCentrals() }
    }

    // MARK: The path between it and the other adapters

    var isReachable: Bool {
        adapter.state == .poweredOn && adapter.conditions.isInReach && adapter.conditions.proximity.meanRSSI != nil
    }

    func sampleRSSI() -> Int? {
        guard isReachable, let mean = adapter.conditions.proximity.meanRSSI else { return nil }
        // WIDTH: a signal strength.
        return Int(min(max(mean + generator.nextNoise(deviation: ether.noise), -127), 20).rounded())
    }

    func losesPacket() -> Bool { adapter.losesPacket() }

    /// Called when the adapter's state changed: a radio that is switched off ends its links towards the centrals, one
    /// that is gone does not.
    func adapterChanged() {
        // Links outlive the roles that they were made to, until they have ended.
        if adapter.state != .poweredOn {
            let isTold = adapter.state == .poweredOff
            for role in roles { role.radioLost() }
            for link in links { isTold ? link.end(.remote) : link.reset() }
        }
        for role in roles { role.adapterChanged() }
    }

    func disconnectCentrals() {
        for link in links { link.terminateFromPeer() }
    }

    func forgetBonds() { ether.forgetBonds(of: self) }

    private var maximumTransmissionUnit: Int {
        min(adapter.maximumTransmissionUnit, connection.maximumTransmissionUnit)
    }

    func conditionsChanged() {
        for link in links { link.reachabilityChanged() }
        if !isMute { for link in links { link.unmuted() } }
        if server.maximumTransmissionUnit != maximumTransmissionUnit {
            server.maximumTransmissionUnit = maximumTransmissionUnit
            for link in links { link.limitTransmissionUnit(to: maximumTransmissionUnit) }
        }
        freedomChanged()
    }

    // MARK: Connections

    func answerToConnection() -> ConnectionAnswer {
        if adapter.conditions.refusesConnections { return .refuse }
        return links.count < connection.maximumConnections ? .accept : .ignore
    }

    /// The first role whose app answers is asked.
    func answerToPairing(
        by link: VirtualLink, _ kind: PairingRequest.Kind, _ answer: @escaping (PairingAnswer) -> Void
    ) {
        guard let pairing else { return answer(.reject) }
        pairing.ask(about: link.centralAddress, kind, answer)
    }

    func showPasskey(_ passkey: UInt32, for link: VirtualLink) { pairing?.show(passkey, to: link.centralAddress) }

    var pairingCapability: PairingCapability { pairing?.capability ?? .noInputNoOutput }

    private var pairing: PairingQuestions? { roles.lazy.map(\.pairing).first { $0.capability != nil } }

    func endPairing(by link: VirtualLink) {
        for role in roles { role.pairing.end(about: link.centralAddress) }
    }

    /// The role that takes channels on the PSM answers.
    func answer(toChannelOn psm: UInt16, over link: VirtualLink) -> ChannelAnswer {
        roles.lazy.compactMap { $0.channels.answer(toChannelOn: psm, over: link) }.first ?? .refuse(.psmNotSupported)
    }

    func linkOpened(_ link: VirtualLink) {
        links.append(link)
        for role in roles { role.linkOpened(link) }
        freedomChanged()
    }

    func linkChanged(_ link: VirtualLink) {
        for role in roles { role.linkChanged(link) }
    }

    func linkClosed(_ link: VirtualLink) {
        guard let index = links.firstIndex(where: { $0 === link }) else { return }
        links.remove(at: index)
        for role in roles { role.linkClosed(link, prepared: preparedParts(of: link, for: role)) }
        freedomChanged()
    }

    /// The parts of long writes that ended with a link, of the characteristics of a role.
    private func preparedParts(of link: VirtualLink, for role: PeripheralRole) -> [AttributeID: Int] {
        var parts: [AttributeID: Int] = [:]
        for (handle, count) in link.abandonedParts {
            if let owner = owners[handle], owner.role === role { parts[owner.id] = count }
        }
        return parts
    }

    private func freedomChanged() {
        let isFree = links.count < connection.maximumConnections
        for role in roles { role.setFree(isFree) }
    }

    // MARK: The database

    /// The most attributes that services are given room for.
    static let attributeLimit = 60_000

    /// Lays out the services of all roles again and reports the change to the connected centrals. A service keeps its
    /// handles.
    func databaseChanged() {
        let gone = layout.change(to: roles.flatMap(\.services))
        server.change(to: layout.makeTable())
        owners = [:]
        for (handle, owner) in layout.owners {
            let object: ObjectIdentifier
            switch owner {
            case .characteristic(let characteristic): object = ObjectIdentifier(characteristic)
            case .descriptor(let descriptor): object = ObjectIdentifier(descriptor)
            }
            for role in roles {
                if let id = role.identifiers[object] { owners[handle] = (role, id) }
            }
        }
        for link in links {
            link.session.configurations = link.session.configurations.filter { owners[$0.key] != nil }
            link.indicate(.servicesChanged(gone))
        }
    }

    func handle(of characteristic: VirtualCharacteristic) -> UInt16? {
        layout.valueHandles[ObjectIdentifier(characteristic)]
    }
}

extension LocalPeer: AttributeSource {
    func read(_ attribute: Attribute, on link: VirtualLink, reply: @escaping (Result<Bytes, ATTError>) -> Void) {
        guard let owner = owners[attribute.handle] else { return reply(.failure(.invalidHandle)) }
        owner.role.access(owner.id, .read(offset: 0), on: link, reply)
    }

    func write(
        _ attribute: Attribute, _ value: Bytes, offset: Int, _ kind: WriteRequestKind, on link: VirtualLink,
        reply: @escaping (ATTError?) -> Void
    ) {
        guard let owner = owners[attribute.handle] else { return reply(.invalidHandle) }
        owner.role.access(owner.id, .write(value, offset: offset, kind), on: link) { result in
            if case .failure(let error) = result { reply(error) } else { reply(nil) }
        }
    }

    func configure(
        _ characteristic: CharacteristicEntry, _ configuration: ClientConfiguration, on link: VirtualLink,
        reply: @escaping (ATTError?) -> Void
    ) {
        guard let owner = owners[characteristic.value] else { return reply(.invalidHandle) }
        reply(nil)
        owner.role.configured(owner.id, isOn: !configuration.isEmpty, on: link)
    }
}
