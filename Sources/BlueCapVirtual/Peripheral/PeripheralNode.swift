// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// A virtual peripheral's state on the radio's executor.
final class PeripheralNode: LinkPeer {
    let ether: Ether
    let number: UInt64
    let facts: Locked<PeripheralFacts>
    /// The address of the facts, which is asked for with every packet.
    private(set) var identifier: PeerIdentifier
    private let caster: Multicaster<VirtualPeripheralEvent>
    private(set) lazy var advertiser = Advertiser(ether: ether, peer: self, advertising: initialAdvertising)
    private(set) lazy var server = ATTServer(
        source: self, maximumTransmissionUnit: connection.maximumTransmissionUnit)
    private let initialAdvertising: VirtualAdvertising
    private var generator: SeededGenerator
    var links: [VirtualLink] = []
    var layout = ServiceLayout()
    var held: [HeldRequest] = []
    /// The tasks that wait for a condition, which is asked after each event.
    var waiters: [ConditionWaiter] = []
    private var lastNumber: UInt64 = 0

    var connection: VirtualConnection
    private(set) var pairing: VirtualPairing
    /// The handlers that wait for a passkey to be typed, by link.
    var passkeyWaiters: [(link: ObjectIdentifier, answer: (PairingAnswer) -> Void)] = []
    var typedPasskey: UInt32?
    var ownPasskey: UInt32?
    var packetLoss = 0.0
    private let channels: PeripheralChannels
    private(set) var isMute = false
    var responseDelay = Duration.zero
    var refusesConnections = false
    private var proximity: VirtualProximity
    private var isVanished = false
    private var isPresent = false

    init(
        ether: Ether, facts: Locked<PeripheralFacts>, caster: Multicaster<VirtualPeripheralEvent>,
        world: VirtualPeripheral.World
    ) {
        self.caster = caster
        self.ether = ether
        number = ether.makePeerNumber()
        self.facts = facts
        channels = PeripheralChannels(facts)
        let (identifier, proximity, pairing) = facts.withLock { ($0.identifier, $0.proximity, $0.pairing) }
        self.identifier = identifier
        self.proximity = proximity
        initialAdvertising = world.advertising
        connection = world.connection
        self.pairing = pairing
        generator = SeededGenerator(seed: ether.seed, name: "peripheral " + identifier.text)
        channels.happened = { [unowned self] in happened($0) }
    }

    var name: String { facts.withLock { $0.name } }

    var isAdapter: Bool { false }

    var answersWithKey: Bool { pairing != .refused }

    func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Reports an event to all streams and waiting calls.
    func happened(_ event: VirtualPeripheralEvent) {
        caster.push(event)
        let served = waiters.filter { $0.condition() }
        guard !served.isEmpty else { return }
        waiters.removeAll { waiter in served.contains { $0.id == waiter.id } }
        for waiter in served { waiter.resume() }
    }

    // MARK: The path between it and the adapters

    var isReachable: Bool { isPresent && !isVanished && packetLoss < 1 && proximity.meanRSSI != nil }

    func sampleRSSI() -> Int? {
        guard isReachable, let mean = proximity.meanRSSI else { return nil }
        let rssi = mean + generator.nextNoise(deviation: ether.noise)
        return Int(min(max(rssi, -127), 20).rounded())  // WIDTH: a signal strength.
    }

    func losesPacket() -> Bool { generator.happens(packetLoss) }

    /// Changes a fact that decides on reachability, and informs the links and scanners that it concerns.
    private func changePath(_ change: () -> Void) {
        let was = isReachable
        change()
        guard isReachable != was else { return }
        for link in links { link.reachabilityChanged() }
        advertiser.wake()
    }

    func setVanished(_ isVanished: Bool) { changePath { self.isVanished = isVanished } }

    func setMute(_ isMute: Bool) {
        self.isMute = isMute
        if !isMute { for link in links { link.unmuted() } }
    }

    func setPacketLoss(_ probability: Double) { changePath { packetLoss = min(max(probability, 0), 1) } }

    func move(to proximity: VirtualProximity) {
        facts.withLock { $0.proximity = proximity }
        changePath { self.proximity = proximity }
    }

    /// Puts the peripheral into the air, or removes it.
    func setPresent(_ isPresent: Bool) {
        guard isPresent != self.isPresent else { return }
        // It may have come back under another address.
        identifier = facts.withLock { $0.identifier }
        changePath { self.isPresent = isPresent }
        if isPresent { ether.add(advertiser) } else { ether.remove(advertiser) }
    }

    // MARK: Connections

    func answerToConnection() -> ConnectionAnswer {
        if refusesConnections { return .refuse }
        return links.count < connection.maximumConnections ? .accept : .ignore
    }

    func withChannels(_ body: (PeripheralChannels) -> Void) { body(channels) }

    func answer(toChannelOn psm: UInt16, over link: VirtualLink) -> ChannelAnswer {
        channels.answer(toChannelOn: psm, over: link)
    }

    func linkOpened(_ link: VirtualLink) {
        links.append(link)
        facts.withLock { facts in
            facts.connections += 1
            facts.totalConnections += 1
        }
        happened(.connected(adapter: link.central.address))
        advertiser.isFree = links.count < connection.maximumConnections
    }

    func linkTimed(_ link: VirtualLink, _ parameters: ConnectionParameters) {
        facts.withLock { $0.take(parameters) }
        happened(.parametersChanged(adapter: link.central.address, parameters))
    }

    func linkClosed(_ link: VirtualLink) {
        guard let index = links.firstIndex(where: { $0 === link }) else { return }
        links.remove(at: index)
        forgetHeld(for: link)
        facts.withLock { $0.connections -= 1 }
        countSubscriptions()
        happened(.disconnected(adapter: link.central.address))
        advertiser.isFree = links.count < connection.maximumConnections
    }

    func setAdvertising(_ isOn: Bool, _ advertising: VirtualAdvertising?) {
        if let advertising { advertiser.change(to: advertising) }
        if isOn { advertiser.turnOn() } else { advertiser.turnOff() }
        facts.withLock { facts in
            facts.isAdvertising = isOn
            if let advertising { facts.advertising = advertising }
        }
    }

    func changeAdvertisement(to advertising: VirtualAdvertising) {
        advertiser.change(to: advertising)
        facts.withLock { $0.advertising = advertising }
    }

    func disconnect() {
        for link in links { link.terminateFromPeer() }
    }

    /// Restarts: every link is dead, and the centrals learn it only from their supervision timeouts.
    func restart() {
        for link in links { link.reset() }
    }

    func rename(to name: String) {
        facts.withLock { $0.name = name }
        for link in links { link.central.renamed(link) }
    }

    func changePairing(to pairing: VirtualPairing) {
        facts.withLock { $0.pairing = pairing }
        self.pairing = pairing
    }

    func changeAddress(to identifier: PeerIdentifier) {
        facts.withLock { $0.identifier = identifier }
        self.identifier = identifier
        advertiser.wake()
    }

    func changeMaximumTransmissionUnit(to unit: Int) {
        connection.maximumTransmissionUnit = min(max(unit, 23), 517)
        server.maximumTransmissionUnit = connection.maximumTransmissionUnit
        for link in links { link.limitTransmissionUnit(to: connection.maximumTransmissionUnit) }
    }
}

// How a virtual peripheral and its user pair.
extension PeripheralNode {
    var pairingCapability: PairingCapability {
        switch pairing {
        case .justWorks, .refused: .noInputNoOutput
        case .comparing: .displayYesNo
        case .showing: .displayOnly
        case .typing: .keyboardOnly
        }
    }

    /// The level of a key that it made with a central which can show and type digits.
    var usualLevel: SecurityLevel {
        switch pairing {
        case .justWorks, .refused: .encrypted
        case .comparing, .showing, .typing: .secureConnections
        }
    }

    func answerToPairing(
        by link: VirtualLink, _ kind: PairingRequest.Kind, _ answer: @escaping (PairingAnswer) -> Void
    ) {
        if pairing == .refused { return answer(.reject) }
        switch kind {
        case .enterPasskey:
            passkeyWaiters.append((ObjectIdentifier(link), answer))
            if let passkey = typedPasskey { type(passkey) }
        case .confirm(let passkey):
            showPasskey(passkey, for: link)
            answer(.accept)
        case .displayPasskey, .authorize, .authorizeService: answer(.accept)
        }
    }

    func showPasskey(_ passkey: UInt32, for link: VirtualLink) { facts.withLock { $0.shownPasskey = passkey } }

    /// The user types a passkey, for the link that has waited longest or for the next one.
    func type(_ passkey: UInt32) {
        if passkeyWaiters.isEmpty { return typedPasskey = passkey }
        typedPasskey = nil
        passkeyWaiters.removeFirst().answer(.passkey(passkey))
    }

    func endPairing(by link: VirtualLink) {
        facts.withLock { $0.shownPasskey = nil }
        passkeyWaiters.removeAll { $0.link == ObjectIdentifier(link) }
    }
}
