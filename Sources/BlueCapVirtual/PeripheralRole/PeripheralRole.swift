// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// One backend's peripheral role on the radio's executor: its services, its advertisements, the accesses it has to
/// answer.
final class PeripheralRole {
    let ether: Ether
    let adapter: AdapterNode
    let peer: LocalPeer
    private var sink: PeripheralEventSink?
    /// Takes the refusals of requests that a killed program's manager still makes, so that none of them waits for ever.
    private var refusals: PeripheralEventSink?

    /// The added services, in the order of their addition.
    private var added: OrderedTable<AttributeID, VirtualService> = [:]
    /// The numbers of characteristics and descriptors.
    private(set) var identifiers: [ObjectIdentifier: AttributeID] = [:]
    private(set) var characteristics: [AttributeID: VirtualCharacteristic] = [:]

    private var advertisements: OrderedTable<AdvertisementID, Advertiser> = [:]
    private var isForgotten = false

    private struct Pending {
        var link: VirtualLink
        var reply: (Result<Bytes, ATTError>) -> Void
    }
    private var accesses: OrderedTable<AccessID, Pending> = [:]
    private var lastAccess: UInt64 = 0

    private struct Subscription {
        var attribute: AttributeID
        var link: VirtualLink
    }
    private var subscriptions: [Subscription] = []

    /// The links that were reported to the manager.
    private var reported: [VirtualLink] = []
    /// What is done at the ends of links that the manager ends.
    private var endings: [(link: VirtualLink, done: () -> Void)] = []

    private(set) lazy var channels = RoleChannels(ether: ether)
    private(set) lazy var pairing = PairingQuestions(
        asked: { [weak self] in self?.emit(.pairingRequested($0)) },
        ended: { [weak self] in self?.emit(.pairingRequestEnded($0)) })

    init(peer: LocalPeer) {
        self.peer = peer
        adapter = peer.adapter
        ether = peer.ether
    }

    var isOn: Bool { sink != nil && adapter.state == .poweredOn }

    var services: [VirtualService] { Array(added.values) }

    /// Reports an event to the manager, after the present call.
    func emit(_ event: PeripheralEvent) {
        ether.timeline.post { [weak self] in self?.sink?(event) }
    }

    /// Refuses a request of a killed program's manager.
    func refuse(_ id: RequestID) {
        ether.timeline.post { [weak self] in self?.refusals?(.reply(id, .failure(.poweredOff))) }
    }

    /// Whether its program is gone.
    private(set) var isKilled = false

    func setPairing(_ capability: PairingCapability?) {
        if !isKilled { pairing.set(capability) }
    }

    /// The numbers of its objects on the radio, by kind.
    var remains: [String: Int] {
        [
            "services": added.count, "advertisements": advertisements.count, "accesses": accesses.count,
            "subscriptions": subscriptions.count, "channels": channels.count,
        ]
    }

    // MARK: Life

    func activate(_ sink: PeripheralEventSink) {
        guard self.sink == nil, !isKilled else { return }
        self.sink = sink
        peer.add(self)
        emit(.stateChanged(adapter.state, adapter.state.failure))
        reportLinks()
    }

    /// The program is gone. Its links stay with the adapter, as `bluetoothd` keeps them.
    func kill() {
        guard sink != nil else { return }
        isKilled = true
        refusals = sink
        end(keepsLinks: true)
    }

    func invalidate() {
        refusals = nil
        guard sink != nil else { return }
        end(keepsLinks: false)
    }

    private func end(keepsLinks: Bool) {
        stopAll()
        channels.end()
        pairing.set(nil)
        for access in accesses.values { access.reply(.failure(.unlikelyError)) }
        accesses = [:]
        subscriptions = []
        reported = []
        endings = []
        added = [:]
        sink = nil
        peer.remove(self, keepsLinks: keepsLinks)
    }

    /// The adapter is not on any more. It keeps its registrations if it was only switched off.
    func radioLost() {
        channels.stop()
        accesses = [:]
        subscriptions = []
        reported = []
        endings = []
        for advertiser in advertisements.values { advertiser.turnOff() }
        guard adapter.state != .poweredOff else { return }
        isForgotten = true
        stopAll()
        added = [:]
        identifiers = [:]
        characteristics = [:]
    }

    func adapterChanged() {
        if adapter.state == .poweredOn {
            if isForgotten {
                isForgotten = false
                peer.databaseChanged()
                emit(.registrationsLost)
            }
            for advertiser in advertisements.values { advertiser.turnOn() }
        }
        emit(.stateChanged(adapter.state, adapter.state.failure))
        reportLinks()
    }

    private func stopAll() {
        for advertiser in advertisements.values { remove(advertiser) }
        advertisements = [:]
    }

    // MARK: Services

    func add(_ service: LocalService) -> OperationFailure? {
        guard added[service.id] == nil else { return .virtual("AlreadyExists", "the service was added before") }
        let room = LocalPeer.attributeLimit - peer.server.table.attributes.count
        guard service.attributeCount <= room else {
            return .virtual("TooManyAttributes", "the adapter's database is full")
        }
        let included = service.includedServices.compactMap { added[$0] }
        guard included.count == service.includedServices.count else {
            return .virtual("InvalidArguments", "an included service was not added before")
        }
        let made = VirtualService(
            service, includedServices: included, characteristics: service.characteristics.map(make))
        added[service.id] = made
        peer.databaseChanged()
        if service.handle != nil, let start = peer.layout.start(of: made) {
            emit(.servicePlaced(service.id, handle: start))
        }
        return nil
    }

    private func make(_ local: LocalCharacteristic) -> VirtualCharacteristic {
        var properties = local.properties
        if properties.contains(.notifyEncryptionRequired) { properties.insert(.notify) }
        if properties.contains(.indicateEncryptionRequired) { properties.insert(.indicate) }
        let made = VirtualCharacteristic(
            local.uuid, properties: properties, permissions: local.permissions,
            descriptors: local.descriptors.map { descriptor in
                let made = VirtualDescriptor(descriptor.uuid, permissions: descriptor.permissions)
                identifiers[ObjectIdentifier(made)] = descriptor.id
                return made
            })
        identifiers[ObjectIdentifier(made)] = local.id
        characteristics[local.id] = made
        return made
    }

    func remove(_ id: AttributeID) -> OperationFailure? {
        guard let service = added[id] else { return .virtual("DoesNotExist", "there is no such service") }
        added[id] = nil
        for characteristic in service.characteristics {
            for descriptor in characteristic.descriptors { identifiers[ObjectIdentifier(descriptor)] = nil }
            guard let id = identifiers.removeValue(forKey: ObjectIdentifier(characteristic)) else { continue }
            characteristics[id] = nil
            subscriptions.removeAll { $0.attribute == id }
        }
        peer.databaseChanged()
        return nil
    }

    // MARK: Advertisements

    func advertise(_ id: AdvertisementID, _ advertisement: Advertisement) -> OperationFailure? {
        guard advertisements[id] == nil else { return .virtual("AlreadyExists", "the advertisement is on the air") }
        if adapter.conditions.refusesAdvertisements {
            return .virtual("AdvertisementRefused", "the virtual adapter takes no advertisement now")
        }
        let advertiser = Advertiser(
            ether: ether, peer: peer, advertising: VirtualAdvertising(advertisement), number: id.rawValue)
        advertiser.isFree = peer.answerToConnection() == .accept
        ether.add(advertiser)
        advertiser.turnOn()
        advertisements[id] = advertiser
        return nil
    }

    func updateAdvertisement(_ id: AdvertisementID, _ advertisement: Advertisement) -> OperationFailure? {
        guard let advertiser = advertisements[id] else {
            return .virtual("DoesNotExist", "there is no such advertisement")
        }
        advertiser.change(to: VirtualAdvertising(advertisement))
        return nil
    }

    func stopAdvertising(_ id: AdvertisementID) -> OperationFailure? {
        guard let advertiser = advertisements[id] else {
            return .virtual("DoesNotExist", "there is no such advertisement")
        }
        advertisements[id] = nil
        remove(advertiser)
        return nil
    }

    private func remove(_ advertiser: Advertiser) {
        advertiser.turnOff()
        ether.remove(advertiser)
    }

    func setFree(_ isFree: Bool) {
        for advertiser in advertisements.values { advertiser.isFree = isFree }
    }

    // MARK: Accesses

    func access(
        _ attribute: AttributeID, _ kind: AttributeAccess.Kind, on link: VirtualLink,
        _ reply: @escaping (Result<Bytes, ATTError>) -> Void
    ) {
        guard isOn else { return reply(.failure(.unlikelyError)) }
        lastAccess += 1
        let id = AccessID(rawValue: lastAccess)
        accesses[id] = Pending(link: link, reply: reply)
        emit(.access(AttributeAccess(id: id, attribute: attribute, central: link.localCentral, kind: kind)))
    }

    func respond(to id: AccessID, _ result: Result<Bytes, ATTError>) {
        guard let access = accesses[id] else { return }
        accesses[id] = nil
        access.reply(result)
    }

    // MARK: Links

    private func reportLinks() {
        for link in peer.links where link.stands { linkOpened(link) }
    }

    func linkOpened(_ link: VirtualLink) {
        guard isOn, !reported.contains(where: { $0 === link }) else { return }
        let isFirst = !isReported(link.centralAddress)
        reported.append(link)
        if isFirst { emit(.centralConnected(link.localCentral)) }
    }

    /// Whether a central is connected. The programs on its adapter have a link each, in the place of one that they
    /// share: they are one central.
    private func isReported(_ central: PeerIdentifier) -> Bool {
        reported.contains { $0.centralAddress == central }
    }

    func linkChanged(_ link: VirtualLink) {
        guard reported.contains(where: { $0 === link }) else { return }
        emit(.centralChanged(link.centralAddress, link.localCentral))
    }

    /// Ends the link of a central; `finished` is called when it has ended.
    func disconnect(
        _ central: PeerIdentifier, _ reason: CentralDisconnectReason, finished: @escaping (OperationFailure?) -> Void
    ) {
        let links = reported.filter { $0.centralAddress == central }
        guard let last = links.last else { return finished(.disconnected) }
        endings.append((last, { finished(nil) }))
        for link in links { link.terminateFromPeer(isFull: reason == .lowResources) }
    }

    func linkClosed(_ link: VirtualLink, prepared: [AttributeID: Int]) {
        if let index = reported.firstIndex(where: { $0 === link }) {
            reported.remove(at: index)
            if !isReported(link.centralAddress) {
                emit(.centralDisconnected(link.centralAddress, link.endReason?.failureOfCentral, prepared: prepared))
            }
        }
        let ended = endings.filter { $0.link === link }
        endings.removeAll { $0.link === link }
        let cancelled = accesses.filter { $0.value.link === link }.map(\.key)
        for id in cancelled {
            accesses[id] = nil
            emit(.accessCancelled(id))
        }
        for subscription in subscriptions where subscription.link === link {
            emit(.unsubscribed(subscription.attribute, link.localCentral))
        }
        subscriptions.removeAll { $0.link === link }
        for ending in ended { ending.done() }
    }

    // MARK: Subscriptions

    func configured(_ attribute: AttributeID, isOn: Bool, on link: VirtualLink) {
        let index = subscriptions.firstIndex { $0.attribute == attribute && $0.link === link }
        switch (isOn, index) {
        case (true, nil):
            subscriptions.append(Subscription(attribute: attribute, link: link))
            emit(.subscribed(attribute, link.localCentral))
        case (false, let index?):
            subscriptions.remove(at: index)
            emit(.unsubscribed(attribute, link.localCentral))
        default: break
        }
    }

    /// The links that are subscribed to a characteristic and are not being ended; only those of `central` unless that
    /// is nil.
    func subscribedLinks(_ attribute: AttributeID, _ central: PeerIdentifier?) -> [VirtualLink] {
        subscriptions.filter { subscription in
            subscription.attribute == attribute && !endings.contains { $0.link === subscription.link }
                && (central == nil || subscription.link.localCentral.identifier == central)
        }.map(\.link)
    }
}

extension VirtualLink {
    var centralAddress: PeerIdentifier { PeerIdentifier(central.address) }

    /// The central at the other end, as the peripheral's side sees it.
    var localCentral: Central {
        Central(
            identifier: centralAddress, maximumUpdateLength: maximumTransmissionUnit - 3,
            security: LinkSecurity(level))
    }
}

extension LocalService {
    /// How many attributes it needs at most.
    fileprivate var attributeCount: Int {
        characteristics.reduce(1 + includedServices.count) { $0 + 3 + $1.descriptors.count }
    }
}

extension OperationFailure {
    static func virtual(_ name: String, _ message: String) -> Self {
        .backend(BackendFailure(name: "VirtualRadio." + name, message: message))
    }
}
