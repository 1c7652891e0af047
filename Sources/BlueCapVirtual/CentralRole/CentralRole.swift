// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// One backend's central role on the radio's executor: its scan, its attempts to connect, its links.
final class CentralRole {
    let ether: Ether
    let adapter: AdapterNode
    private var sink: CentralEventSink?
    private(set) var scan: ScanRequest?
    private var scanStart = Duration.zero
    private var reported: [PeerIdentifier: PeripheralAdvertisements] = [:]
    private var attempts: [PeerIdentifier] = []
    /// Peripherals that were heard during the attempt, and answered nothing.
    private var silent: Set<PeerIdentifier> = []
    private var links: [PeerIdentifier: VirtualLink] = [:]

    private(set) lazy var channels = RoleChannels(ether: ether)
    private(set) lazy var pairing = PairingQuestions(
        asked: { [weak self] in self?.emit(.pairingRequested($0)) },
        ended: { [weak self] in self?.emit(.pairingRequestEnded($0)) })

    init(adapter: AdapterNode) {
        self.adapter = adapter
        ether = adapter.ether
    }

    private(set) var isKilled = false
    /// Takes the refusals of requests that a killed program's manager still makes, so that none of them waits for ever.
    private var refusals: CentralEventSink?

    var isOn: Bool { sink != nil && adapter.state == .poweredOn }

    /// Reports an event to the manager, after the present call.
    func emit(_ event: CentralEvent) {
        ether.timeline.post { self.sink?(event) }
    }

    /// Answers a request of a killed program's manager.
    func refuse(_ event: CentralEvent) {
        ether.timeline.post { self.refusals?(event) }
    }

    // MARK: Life

    func activate(_ sink: CentralEventSink) {
        guard self.sink == nil, !isKilled else { return }
        self.sink = sink
        adapter.add(self)
        emit(.stateChanged(adapter.state, adapter.state.failure))
    }

    func invalidate() {
        refusals = nil
        guard sink != nil else { return }
        channels.end()
        endLinks(.local)
        pairing.set(nil)
        sink = nil
        scan = nil
        attempts = []
        adapter.remove(self)
    }

    /// The program is gone: its scan, its attempts and its subscriptions end, its links stay with the adapter.
    func kill() {
        guard sink != nil else { return }
        channels.end()
        pairing.set(nil)
        refusals = sink
        sink = nil
        scan = nil
        isKilled = true
        let unreported = links.values.filter { !$0.isReported }.sorted { $0.identifier < $1.identifier }
        for attempt in unreported { attempt.end(.local) }
        attempts = []
        for link in openLinks {
            for handle in link.session.configurations.keys.sorted() {
                setNotifying(AttributeID(handle: handle), false, on: link) { _ in }
            }
        }
        leaveIfIdle()
    }

    func giveUp(_ identifier: PeerIdentifier) -> VirtualLink? {
        defer { leaveIfIdle() }
        return links.removeValue(forKey: identifier)
    }

    private func leaveIfIdle() {
        if isKilled, links.isEmpty { adapter.remove(self) }
    }

    func adapterChanged() {
        if adapter.state != .poweredOn {
            scan = nil
            reported = [:]
            attempts = []
            channels.stop()
            endLinks(adapter.state == .resetting ? .radioGone : .radioOff)
        }
        emit(.stateChanged(adapter.state, adapter.state.failure))
        ether.listenersChanged()
    }

    func conditionsChanged() {
        for link in links.values.sorted(by: { $0.identifier < $1.identifier }) { link.reachabilityChanged() }
    }

    /// Takes all links down without telling the manager.
    private func endLinks(_ reason: LinkEndReason) {
        let ending = links.values.sorted { $0.identifier < $1.identifier }
        links = [:]
        for link in ending { link.end(reason) }
    }

    func setPairing(_ capability: PairingCapability?) {
        if !isKilled { pairing.set(capability) }
    }

    // MARK: Scanning

    func scan(_ request: ScanRequest?) {
        guard isOn else { return }
        scan = request
        scanStart = ether.timeline.now
        reported = [:]
        if request != nil { ether.listenersChanged() }
    }

    /// Whether the scanner's window is open; it is closed for the rest of each scan interval.
    private var isWindowOpen: Bool {
        if adapter.scanWindow >= adapter.scanInterval { return true }
        let passed = (ether.timeline.now - scanStart).nanoseconds % max(adapter.scanInterval.nanoseconds, 1)
        return passed < adapter.scanWindow.nanoseconds
    }

    private func sight(_ packet: AirPacket, for scan: ScanRequest) {
        report(packet)
        let seen = scan.isPassive ? packet.advertisement : packet.advertisements
        let name = seen.localName ?? adapter.known(packet.identifier)?.name
        adapter.learn(packet.identifier, name: seen.localName, advertisements: seen)
        guard scan.services.isEmpty || seen.offers(scan.services) else { return }
        if !scan.allowsDuplicates {
            if reported[packet.identifier] == seen { return }
            reported[packet.identifier] = seen
        }
        var sighting = Sighting(
            peripheral: packet.identifier, name: name, advertisements: seen, rssi: packet.rssi,
            isBonded: ether.isBonded(adapter.address, packet.sender))
        sighting.hasRandomAddress = !packet.sender.isAdapter
        emit(.sighted(sighting))
    }

    /// An adapter hears a packet once, however many programs scan.
    private func report(_ packet: AirPacket) {
        guard adapter.roles.first(where: { $0.isScanning }) === self else { return }
        ether.report(
            .advertisement(
                AirAdvertisement(
                    receiver: adapter.address, sender: packet.identifier, isFromAdapter: packet.sender.isAdapter,
                    data: packet.data,
                    scanResponse: adapter.roles.contains(where: \.asksForResponses) ? packet.scanResponse : nil,
                    secondaryPHY: packet.secondaryPHY, isConnectable: packet.isConnectable, rssi: packet.rssi)))
    }

    func forget(_ identifier: PeerIdentifier) {
        reported[identifier] = nil
        silent.remove(identifier)
    }

    // MARK: Connecting

    func connect(_ identifier: PeerIdentifier) {
        guard isOn, links[identifier] == nil, !attempts.contains(identifier) else { return }
        if let link = adapter.takeLink(to: identifier) {
            links[identifier] = link
            link.central = self
            link.isReported = false
            return ether.timeline.post { [weak self] in self?.report(link) }
        }
        attempts.append(identifier)
        silent.remove(identifier)
        ether.listenersChanged(for: identifier)
    }

    func disconnect(_ identifier: PeerIdentifier) {
        // The link is the adapter's, or another program's.
        if isKilled { return refuse(.disconnected(identifier, nil)) }
        if let link = links[identifier] {
            link.isReported ? link.terminate() : link.end(.local)
        } else if attempts.contains(identifier) {
            attempts.removeAll { $0 == identifier }
            emit(.connectFailed(identifier, .disconnected))
        } else if isOn {
            emit(.disconnected(identifier, nil))
        }
    }

    private func establish(_ packet: AirPacket) {
        let peer = packet.sender
        let identifier = packet.identifier
        switch peer.answerToConnection(from: self) {
        case .ignore:
            if silent.insert(identifier).inserted { emit(.peripheralHeard(identifier)) }
        case .refuse:
            attempts.removeAll { $0 == identifier }
            let link = VirtualLink(medium: ether, central: self, peer: peer)
            links[identifier] = link
            ether.report(.opened(link.facts))
            // The central takes a link for not established when six connection events pass without an answer.
            ether.timeline.schedule(after: .nanoseconds(6 * link.interval.nanoseconds)) { link.end(.refused) }
        case .accept:
            attempts.removeAll { $0 == identifier }
            let link = VirtualLink(medium: ether, central: self, peer: peer)
            links[identifier] = link
            ether.report(.opened(link.facts))
            peer.linkOpened(link)
            negotiate(link)
        }
    }

    /// Exchanges the MTU and reports the connection. A peer that is mute does not answer: its link is reported with the
    /// smallest MTU, and is of no use.
    private func negotiate(_ link: VirtualLink) {
        let own = adapter.maximumTransmissionUnit
        if link.peer.isMute {
            ether.timeline.schedule(after: link.interval) { self.report(link) }
        }
        link.client.enqueue { finish in
            link.client.request(.exchangeMTU(own)) { result in
                if case .success(.maximumTransmissionUnit(let peers)) = result {
                    link.maximumTransmissionUnit = max(23, min(own, peers))
                }
                self.report(link)
                finish()
            }
        }
    }

    private func report(_ link: VirtualLink) {
        guard link.isOpen, links[link.identifier] === link else { return }
        guard !link.isReported else {
            return emit(.maximumTransmissionUnitChanged(link.identifier, link.maximumTransmissionUnit))
        }
        link.isReported = true
        emit(.connected(link.identifier, maximumTransmissionUnit: link.maximumTransmissionUnit))
        if let stale = adapter.refresh(link.identifier, from: link.peer.server) { servicesChanged(stale, on: link) }
        let name = link.peer.name
        if !name.isEmpty, adapter.known(link.identifier)?.name != name {
            adapter.learn(link.identifier, name: name)
            emit(.nameChanged(link.identifier, name))
        }
    }

    func linkEnded(_ link: VirtualLink, _ reason: LinkEndReason) {
        guard links[link.identifier] === link else { return }
        links[link.identifier] = nil
        leaveIfIdle()
        if link.isReported {
            emit(.disconnected(link.identifier, reason.failure))
        } else {
            emit(.connectFailed(link.identifier, reason.failure.map { .backend($0) } ?? .disconnected))
        }
    }

    /// The link to a peripheral whose connection was reported to the manager.
    func link(to identifier: PeerIdentifier) -> VirtualLink? {
        links[identifier].flatMap { $0.isReported ? $0 : nil }
    }

    var linked: Set<PeerIdentifier> { Set(links.keys) }

    var openLinks: [VirtualLink] { links.values.filter(\.isReported).sorted { $0.identifier < $1.identifier } }

    func bondChanged(_ identifier: PeerIdentifier, _ isBonded: Bool) {
        emit(.bondChanged(identifier, isBonded))
    }

    // MARK: Packets that a peer sends by itself

    func received(_ value: Bytes, of handle: UInt16, on link: VirtualLink) {
        emit(.valueChanged(link.identifier, AttributeID(handle: handle), value))
    }

    func servicesChanged(_ services: [UInt16], on link: VirtualLink) {
        _ = adapter.refresh(link.identifier, from: link.peer.server)
        emit(.servicesChanged(link.identifier, invalidated: services.map { AttributeID(handle: $0) }))
    }

    func renamed(_ link: VirtualLink) {
        guard link.isReported else { return }
        adapter.learn(link.identifier, name: link.peer.name)
        emit(.nameChanged(link.identifier, link.peer.name))
    }

    func maximumTransmissionUnitChanged(_ link: VirtualLink) {
        if link.isReported { emit(.maximumTransmissionUnitChanged(link.identifier, link.maximumTransmissionUnit)) }
    }
}

extension CentralRole: LinkCentral {
    var address: String { adapter.address }

    var maximumTransmissionUnit: Int { adapter.maximumTransmissionUnit }

    var isReachable: Bool { adapter.conditions.isInReach }

    func losesPacket() -> Bool { adapter.losesPacket() }

    func view(of identifier: PeerIdentifier, version: Int) -> DatabaseView {
        adapter.view(of: identifier, version: version)
    }
}

extension CentralRole: AdapterCentral {
    var isScanning: Bool { scan != nil }
    var asksForResponses: Bool { scan?.isPassive == false }

    /// A radio does not hear itself.
    func listens(to address: PeerIdentifier) -> Bool {
        isOn && isReachable && (scan != nil || attempts.contains(address)) && address != adapter.identifier
    }

    func hear(_ packet: AirPacket) {
        guard isOn, !losesPacket() else { return }
        if let scan, isWindowOpen { sight(packet, for: scan) }
        if packet.isConnectable, attempts.contains(packet.identifier) { establish(packet) }
    }
}

extension PeripheralAdvertisements {
    /// Whether one of the services is advertised, be it by its data only.
    fileprivate func offers(_ services: Set<BluetoothUUID>) -> Bool {
        serviceUUIDs.contains(where: services.contains) || overflowServiceUUIDs.contains(where: services.contains)
            || serviceData.keys.contains(where: services.contains)
    }
}
