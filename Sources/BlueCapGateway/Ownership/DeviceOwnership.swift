// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapCore

/// The part of one gateway in the choice of an owner for each device, among gateways of one broker.
///
/// The broker keeps one message for each device, a ``DeviceClaim``: the last one decides, also of two that come at the
/// same moment. All gateways see these messages in the broker's order, so they agree without a comparison. A gateway
/// owns a device from the moment at which its own claim has come back from the broker.
///
/// Whether a gateway is alive shows in its signs of life. The silence of another one is counted in the own signs that
/// came back meanwhile, and not in seconds: while the broker stands still, no gateway counts as silent.
///
/// It does no input or output: it takes events, and returns the messages to be sent.
package struct DeviceOwnership: Sendable {
    /// A message to be sent, or a change.
    package enum Action: Hashable, Sendable {
        /// The claim is to be published, retained.
        case claim(PeerIdentifier, DeviceClaim)
        /// The claim of the device is to be removed from the broker.
        case release(PeerIdentifier)
        /// The sign of life with the number is to be published, not retained.
        case signOfLife(UInt64)
        /// The last claim of the device names this gateway.
        case gained(PeerIdentifier)
        /// The last claim of the device does not name this gateway any more, or is not known.
        case lost(PeerIdentifier)
    }

    /// The seconds for which claims are published; they are renewed three times as often.
    package static let claimExpiry: UInt32 = 180
    /// How many devices of other gateways are known at the most.
    static let maximumDevices = 4096
    /// The broker has forgotten a claim that was not renewed in as many beats; one of MQTT 3.1.1 keeps it, and sends it
    /// again with the next connection.
    private static let expiryBeats = UInt64(claimExpiry) * 4

    let name: String
    private(set) var places: [PeerIdentifier: Int] = [:]
    private(set) var others = OtherGateways()
    private(set) var signs = LifeSigns()
    /// The devices whose last claim names this gateway.
    private(set) var own: Set<PeerIdentifier> = []
    /// The devices to which their owner stays connected, and to how many of them this gateway may.
    private(set) var lasting: Set<PeerIdentifier> = []
    private(set) var lastingLimit = 0
    private(set) var isConnected = false
    /// How many devices were ignored, as there were too many.
    package private(set) var ignoredCount = 0
    /// Changed by the choice of an owner, too.
    var records: [OwnershipRecord] = []

    /// - Parameter name: The name of this gateway, which no other has.
    package init(name: String) { self.name = name }

    /// Whether this gateway publishes the device now.
    package func owns(_ device: PeerIdentifier, at time: Duration) -> Bool {
        own.contains(device) && !signs.isSuspended(at: time)
    }

    /// Whether the last claim of the device names this gateway, also while it publishes nothing.
    package func isOwn(_ device: PeerIdentifier) -> Bool { own.contains(device) }

    /// Whether none of the last signs of life has come back, over longer than a connection lives that is silent. No
    /// signs are sent while the process stands still.
    package var isUnanswered: Bool { isConnected && signs.isUnanswered }

    /// The devices that this gateway publishes now.
    package func owned(at time: Duration) -> Set<PeerIdentifier> { signs.isSuspended(at: time) ? [] : own }

    // MARK: The connection

    /// Takes the beginning of a connection. The broker sends all claims that it keeps.
    package mutating func connect(at time: Duration) -> [Action] {
        let actions = disconnect()
        isConnected = true
        signs.connect(at: time)
        return actions + [.signOfLife(signs.next(at: time))]
    }

    /// Takes the end of a connection: this gateway owns nothing until it has seen claims again.
    package mutating func disconnect() -> [Action] {
        isConnected = false
        signs.disconnect()
        others = OtherGateways()
        let lost = own.sorted()
        own = []
        for index in records.indices { records[index].disconnect() }
        for index in records.indices.reversed() where records[index].isIdle && !records[index].wasOwn { remove(index) }
        return lost.map { .lost($0) }
    }

    /// Takes the status of another gateway that owns a device: whether it has a connection, as far as the broker knows.
    package mutating func see(isOnline: Bool, of gateway: String) {
        // One without a claim may be a gateway of another group.
        if isConnected, gateway != name { others.saw(isOnline: isOnline, of: gateway, atBeat: signs.beat) }
    }

    /// Takes a sign of life off the broker, also one of this gateway.
    package mutating func see(signOfLife number: UInt64, of gateway: String) {
        guard isConnected else { return }
        if gateway == name { signs.take(number) } else { others.sawLife(of: gateway, atBeat: signs.beat) }
    }

    /// Takes the time; to be called about ten times a second.
    package mutating func tend(at time: Duration) -> [Action] {
        guard isConnected else { return [] }
        var actions: [Action] = []
        if signs.isDue(at: time) { actions = [.signOfLife(signs.next(at: time))] + forgetExpired() }
        for index in records.indices where isUnsettled(index) {
            if let action = reconcile(index, at: time) { actions.append(action) }
        }
        return actions
    }

    // MARK: Devices

    /// Takes the devices to which their owner stays connected, and to how many of them this gateway may at once: it
    /// claims no more of them.
    package mutating func limitLinks(to devices: Set<PeerIdentifier>, _ limit: Int) {
        lasting = devices
        lastingLimit = limit
    }

    /// Takes a packet of a device that this gateway would publish.
    ///
    /// - Parameter rssi: Its strength in dBm; nil where the radio does not know it.
    package mutating func hear(_ device: PeerIdentifier, rssi: Int?, at time: Duration) -> [Action] {
        // The devices that are heard are bounded by the gateway that hears them.
        let index = places[device] ?? add(device)
        records[index].hear(min(max(rssi ?? -100, -127), 20), at: time)
        return reconcile(index, at: time).map { [$0] } ?? []
    }

    /// Takes a claim off the broker; nil for a message that is none, after which the device has no owner.
    package mutating func see(_ claim: DeviceClaim?, of device: PeerIdentifier) -> [Action] {
        guard isConnected, let index = place(of: device, isAdding: claim != nil) else { return [] }
        let owner = claim.map { addOwner(named: $0.owner) } ?? OwnershipRecord.Owner.none
        endClaim(of: records[index].owner)
        records[index].take(claim, of: owner, atBeat: signs.beat)
        if records[index].isIdle { remove(index) }
        if owner == .thisGateway { return own.insert(device).inserted ? [.gained(device)] : [] }
        return own.remove(device) != nil ? [.lost(device)] : []
    }

    /// Takes the news that the broker keeps a message of the device which its owner has to change, or may have to; or
    /// that it does not.
    ///
    /// Where the device has no owner, one of the gateways claims it, also one that does not hear it.
    package mutating func see(needsOwner: Bool, of device: PeerIdentifier) {
        guard isConnected, let index = place(of: device, isAdding: needsOwner) else { return }
        records[index].needsOwner = needsOwner
        if records[index].isIdle, !records[index].wasOwn { remove(index) }
    }

    /// Takes the end of the radio: this gateway hears nothing.
    package mutating func deafen() { for index in records.indices { records[index].deafen() } }

    /// Takes the silence of a device that is too long, until this gateway hears the device again.
    package mutating func deafen(to device: PeerIdentifier) {
        if let index = places[device] { records[index].silence() }
    }

    /// Takes the end of the messages of this gateway about the device.
    package mutating func forget(_ device: PeerIdentifier) -> [Action] {
        guard let index = places[device] else { return [] }
        records[index].forget()
        if records[index].isIdle { remove(index) }
        return own.contains(device) ? [.release(device)] : []
    }

    /// Forgets the claims that their owners do not renew, as of devices that are gone.
    private mutating func forgetExpired() -> [Action] {
        var actions: [Action] = []
        for index in records.indices.reversed() where records[index].owner != .none {
            if signs.beat - records[index].claimBeat <= Self.expiryBeats { continue }
            let device = records[index].device
            endClaim(of: records[index].owner)
            records[index].expire()
            if records[index].isIdle { remove(index) }
            if own.remove(device) != nil { actions.append(.lost(device)) }
        }
        return actions
    }

    // MARK: Tables

    /// The place of a device; nil where it is new and is not added, or would be one too many.
    private mutating func place(of device: PeerIdentifier, isAdding: Bool) -> Int? {
        if let place = places[device] { return place }
        guard isAdding else { return nil }
        if records.count < Self.maximumDevices { return add(device) }
        ignoredCount += 1
        return nil
    }

    private mutating func add(_ device: PeerIdentifier) -> Int {
        places[device] = records.count
        records.append(OwnershipRecord(device))
        return records.count - 1
    }

    private mutating func remove(_ index: Int) {
        places[records[index].device] = nil
        records.swapAt(index, records.count - 1)
        records.removeLast()
        if index < records.count { places[records[index].device] = index }
    }

    private mutating func addOwner(named gateway: String) -> OwnershipRecord.Owner {
        gateway == name ? .thisGateway : .other(others.addClaim(of: gateway, atBeat: signs.beat))
    }

    private mutating func endClaim(of owner: OwnershipRecord.Owner) {
        if case .other(let place) = owner { others.removeClaim(of: place) }
    }
}
#endif
