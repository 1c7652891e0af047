// SPDX-License-Identifier: MIT

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

    /// Claims are published for so long, in seconds, and renewed three times as often.
    package static let claimExpiry: UInt32 = 180
    /// How many devices of other gateways are known at the most.
    static let maximumDevices = 4096
    /// A gateway takes a device from another one that hears it worse by so many dB.
    private static let hysteresis = 6.0
    /// The packets after which an average counts against that of another gateway.
    private static let minimumCount = 5
    /// An owner publishes its strength again when it has changed by so many dB.
    private static let change = 3
    private static let renewal = Duration.seconds(Int64(claimExpiry / 3))
    /// The time between two claims of this gateway for a device.
    private static let pause = Duration.milliseconds(500)
    private static let beat = Duration.milliseconds(300)
    /// A gateway of which nothing came while so many own signs of life came back is dead.
    private static let deadlyBeats: UInt64 = 4
    /// Some 45 seconds.
    private static let unansweredBeats: UInt64 = 150
    /// The broker has forgotten a claim that was not renewed while so many own signs of life came back; one of MQTT
    /// 3.1.1 keeps it, and sends it again with the next connection.
    private static let expiryBeats = UInt64(claimExpiry) * 4
    /// An owner whose sign of life does not come back for so long is silent, as the others may take it for dead.
    private static let lease = Duration.milliseconds(600)
    /// A device that no gateway hears, and whose owner is dead, is taken by another one after once or twice so long.
    private static let orphanage = Duration.seconds(5)
    /// How much later one takes it that has no owner, and that this gateway did not own last.
    private static let furtherOrphanage = Duration.seconds(10)
    /// A claim that has not come back by then is lost.
    private static let answer = Duration.seconds(5)

    private struct Record {
        let device: PeerIdentifier
        var claim: DeviceClaim?
        /// The place of the owner among the gateways; nil where there is no claim.
        var owner: Int?
        /// How many own signs of life had come back when the claim came.
        var claimBeat: UInt64 = 0
        var average: SignalAverage?
        var heardAt = Duration.zero
        /// The smoothed time between two packets; nil before the second.
        var interval: Duration?
        var claimedAt: Duration?
        /// Since when this gateway may take the device, and hears it.
        var openSince: Duration?
        /// Since when the owner is dead or missing, and this gateway does not hear the device.
        var orphanedSince: Duration?
        /// Whether this gateway owned it last, and no claim of another one was seen since.
        var wasOwn = false
        /// Whether the claim of this gateway is being removed.
        var isReleased = false
        /// Whether the broker keeps something of it that an owner has to change, or may have to.
        var needsOwner = false
        /// When this gateway has claimed it as one that it hears, until the claim comes back.
        var askedAt: Duration?
        /// Since when it has no owner that hears it, and this gateway does but has no connection left for it.
        var crowdedSince: Duration?

        /// Whether there is nothing to be known of it.
        var isIdle: Bool { owner == nil && average == nil && !needsOwner }

        /// Whether the device is there: a time without packets is no absence before it is six times the usual one.
        func isHeard(at time: Duration) -> Bool {
            guard average != nil else { return false }
            let patience = interval.map { min(max($0 * 6, .milliseconds(1500)), .seconds(600)) } ?? .seconds(10)
            return time - heardAt <= patience
        }
    }

    private struct Gateway {
        let name: String
        var isOffline = false
        /// How many own signs of life had come back when its last one came.
        var beat: UInt64 = 0
        /// How many devices name it in their claims.
        var claimCount = 0
    }

    private let name: String
    private var records: [Record] = []
    private var places: [PeerIdentifier: Int] = [:]
    /// This gateway first, then those that devices name in their claims: there are no more of them than devices.
    private var gateways: [Gateway]
    private var gatewayPlaces: [String: Int]
    /// The places of gateways that no claim names any more.
    private var freePlaces: [Int] = []
    /// The devices whose last claim names this gateway.
    private var own: Set<PeerIdentifier> = []
    /// The devices to which their owner stays connected, and to how many of them this gateway may.
    private var links: (devices: Set<PeerIdentifier>, limit: Int) = ([], 0)
    private var isConnected = false
    private var beatNumber: UInt64 = 0
    private var beatAt: Duration?
    /// The signs of life that have not come back, oldest first.
    private var unanswered: [(number: UInt64, at: Duration)] = []
    private var answeredNumber: UInt64 = 0
    /// When the newest sign of life that has come back was sent, or the connection began.
    private var provenAt = Duration.zero
    private var answeredCount: UInt64 = 0
    /// The sign of life behind which all claims have come that the broker keeps.
    private var firstBeat: UInt64 = 0
    /// How many devices were ignored, as there were too many.
    package private(set) var ignoredCount = 0

    /// - Parameter name: The name of this gateway, which no other has.
    package init(name: String) {
        self.name = name
        gateways = [Gateway(name: name)]
        gatewayPlaces = [name: 0]
    }

    /// Whether this gateway publishes the device now.
    package func owns(_ device: PeerIdentifier, at time: Duration) -> Bool {
        own.contains(device) && !isSuspended(at: time)
    }

    /// Whether the last claim of the device names this gateway, also while it publishes nothing.
    package func isOwn(_ device: PeerIdentifier) -> Bool { own.contains(device) }

    /// Whether the owner may connect to the device: it stays connected to no more devices than it may. Those that it
    /// does not hear have the connections that are left.
    package func mayConnect(_ device: PeerIdentifier, at time: Duration) -> Bool {
        guard own.contains(device), let index = places[device] else { return false }
        if !links.devices.contains(device) || isLinked(index, at: time) { return hasRoom(index, at: time) }
        let others = links.devices.count { other in
            guard other != device, let place = places[other] else { return false }
            return isLinked(place, at: time) || other < device && own.contains(other)
        }
        return others < links.limit
    }

    /// The devices that had no owner with a connection left for so long, as far as this gateway hears them.
    package func crowded(for limit: Duration, at time: Duration) -> [PeerIdentifier] {
        links.devices.filter { places[$0].flatMap { records[$0].crowdedSince }.map { time - $0 > limit } ?? false }
    }

    /// Whether none of the last signs of life has come back, over longer than a connection lives that is silent. No
    /// signs are sent while the process stands still.
    package var isUnanswered: Bool {
        isConnected && beatNumber >= max(answeredNumber, firstBeat - 1) + Self.unansweredBeats
    }

    /// The devices that this gateway publishes now.
    package func owned(at time: Duration) -> Set<PeerIdentifier> { isSuspended(at: time) ? [] : own }

    // MARK: Events

    /// Takes to which devices their owner stays connected, and to how many of them this gateway may at once: it claims
    /// no more of them.
    package mutating func limitLinks(to devices: Set<PeerIdentifier>, _ limit: Int) { links = (devices, limit) }

    /// Takes the beginning of a connection. The broker sends all claims that it keeps.
    package mutating func connect(at time: Duration) -> [Action] {
        let actions = disconnect()
        isConnected = true
        provenAt = time
        firstBeat = beatNumber + 1
        return actions + signOfLife(at: time)
    }

    /// Takes the end of a connection: this gateway owns nothing until it has seen claims again.
    package mutating func disconnect() -> [Action] {
        isConnected = false
        unanswered = []
        gateways.removeSubrange(1...)
        (gatewayPlaces, freePlaces) = ([name: 0], [])
        let lost = own.sorted()
        own = []
        for index in records.indices {
            records[index].wasOwn = records[index].wasOwn || records[index].owner == 0 && !records[index].isReleased
            records[index].isReleased = false
            (records[index].claim, records[index].owner) = (nil, nil)
            (records[index].openSince, records[index].orphanedSince) = (nil, nil)
            (records[index].askedAt, records[index].crowdedSince) = (nil, nil)
            records[index].needsOwner = false
        }
        for index in records.indices.reversed() where records[index].isIdle && !records[index].wasOwn { remove(index) }
        return lost.map { .lost($0) }
    }

    /// Takes a packet of a device that this gateway would publish.
    ///
    /// - Parameter rssi: Its strength in dBm; nil where the radio does not know it.
    package mutating func hear(_ device: PeerIdentifier, rssi: Int?, at time: Duration) -> [Action] {
        guard let index = place(of: device, isHeard: true) else { return [] }
        let rssi = min(max(rssi ?? -100, -127), 20)
        if records[index].average == nil {
            records[index].average = SignalAverage(rssi)
        } else {
            let gap = time - records[index].heardAt
            if records[index].isHeard(at: time) {
                records[index].average?.add(rssi)
                records[index].interval = records[index].interval.map { $0 * 0.75 + gap * 0.25 } ?? gap
            } else {
                (records[index].average, records[index].interval) = (SignalAverage(rssi), gap)
            }
        }
        (records[index].heardAt, records[index].isReleased) = (time, false)
        return settle(index, at: time).map { [$0] } ?? []
    }

    /// Takes a claim off the broker; nil for a message that is none, after which the device has no owner.
    package mutating func see(_ claim: DeviceClaim?, of device: PeerIdentifier) -> [Action] {
        guard isConnected, let index = place(of: device, isHeard: false, isAdding: claim != nil) else { return [] }
        let owner = claim.map { addClaim(of: $0.owner) }
        if let earlier = records[index].owner { removeClaim(ofGateway: earlier) }
        if records[index].owner == 0, owner == nil { records[index].wasOwn = !records[index].isReleased }
        records[index].isReleased = false
        if let owner, owner != 0 { records[index].wasOwn = false }
        (records[index].claim, records[index].owner) = (claim, owner)
        records[index].claimBeat = answeredCount
        (records[index].openSince, records[index].orphanedSince) = (nil, nil)
        if owner == 0 { records[index].askedAt = nil }
        if claim?.rssi != nil { records[index].crowdedSince = nil }
        if records[index].isIdle { remove(index) }
        if owner == 0 { return own.insert(device).inserted ? [.gained(device)] : [] }
        return own.remove(device) != nil ? [.lost(device)] : []
    }

    /// Takes whether the broker keeps something of the device that its owner has to change, or may have to.
    ///
    /// Where the device has no owner, one of the gateways claims it, also one that does not hear it.
    package mutating func see(needsOwner: Bool, of device: PeerIdentifier) {
        guard isConnected, let index = place(of: device, isHeard: false, isAdding: needsOwner) else { return }
        records[index].needsOwner = needsOwner
        if records[index].isIdle, !records[index].wasOwn { remove(index) }
    }

    /// Takes the status of another gateway that owns a device: whether it has a connection, as far as the broker knows.
    package mutating func see(isOnline: Bool, of gateway: String) {
        // One without a claim may be a gateway of another group.
        guard isConnected, gateway != name, let index = gatewayPlaces[gateway] else { return }
        gateways[index].isOffline = !isOnline
        if isOnline { gateways[index].beat = answeredCount }
    }

    /// Takes a sign of life off the broker, also one of this gateway.
    package mutating func see(signOfLife number: UInt64, of gateway: String) {
        guard isConnected else { return }
        guard gateway == name else {
            // A claim is a sign of life, too: that of a gateway without one says nothing.
            if let index = gatewayPlaces[gateway] { gateways[index].beat = answeredCount }
            return
        }
        guard number > answeredNumber, number >= firstBeat, number <= beatNumber else { return }
        (answeredNumber, answeredCount) = (number, answeredCount + 1)
        if let sent = unanswered.last(where: { $0.number <= number }) { provenAt = sent.at }
        unanswered.removeAll { $0.number <= number }
    }

    /// Takes the end of the radio: this gateway hears nothing.
    package mutating func deafen() {
        for index in records.indices { (records[index].average, records[index].interval) = (nil, nil) }
    }

    /// Takes that this gateway has not heard a device for too long, until it hears the device again.
    package mutating func deafen(to device: PeerIdentifier) {
        if let index = places[device] { records[index].average = nil }
    }

    /// Takes that this gateway does not publish the device any more.
    package mutating func forget(_ device: PeerIdentifier) -> [Action] {
        guard let index = places[device] else { return [] }
        (records[index].average, records[index].interval, records[index].wasOwn) = (nil, nil, false)
        if records[index].isIdle { remove(index) } else { records[index].isReleased = records[index].owner == 0 }
        return own.contains(device) ? [.release(device)] : []
    }

    /// Takes the time; to be called about ten times a second.
    package mutating func tend(at time: Duration) -> [Action] {
        guard isConnected else { return [] }
        var actions: [Action] = []
        if beatAt.map({ time - $0 >= Self.beat }) ?? true { actions = signOfLife(at: time) + forgetExpired() }
        for index in records.indices where isUnsettled(index) {
            if let action = settle(index, at: time) { actions.append(action) }
        }
        return actions
    }

    /// Forgets the claims that their owners do not renew, as those of devices that are gone.
    private mutating func forgetExpired() -> [Action] {
        var actions: [Action] = []
        for index in records.indices.reversed() {
            guard let owner = records[index].owner, answeredCount - records[index].claimBeat > Self.expiryBeats else {
                continue
            }
            let device = records[index].device
            removeClaim(ofGateway: owner)
            (records[index].claim, records[index].owner) = (nil, nil)
            (records[index].wasOwn, records[index].isReleased) = (false, false)
            if records[index].isIdle { remove(index) }
            if own.remove(device) != nil { actions.append(.lost(device)) }
        }
        return actions
    }

    // MARK: The choice

    /// Whether a claim may be due for a device without a packet of it: not where another gateway owns it.
    private func isUnsettled(_ index: Int) -> Bool {
        guard let owner = records[index].owner, owner != 0 else { return true }
        if records[index].openSince != nil { return true }
        if records[index].claim?.rssi == nil { return true }
        return !isAlive(owner, since: records[index].claimBeat)
    }

    /// The claim that is due for a device; nil for none.
    private mutating func settle(_ index: Int, at time: Duration) -> Action? {
        guard isConnected, answeredNumber >= firstBeat, !records[index].isReleased else { return nil }
        if isSuspended(at: time) { return nil }
        let isHeard = records[index].isHeard(at: time)
        let hasRoom = hasRoom(index, at: time)
        let isCrowded = isHeard && !hasRoom && (records[index].claim?.rssi == nil)
        records[index].crowdedSince = isCrowded ? records[index].crowdedSince ?? time : nil
        let average = isHeard && hasRoom ? records[index].average : nil
        if records[index].owner == 0 { return renew(index, average, at: time) }
        guard let average else {
            records[index].openSince = nil
            return adopt(index, at: time)
        }
        records[index].orphanedSince = nil
        guard isOpen(index, to: average) else {
            records[index].openSince = nil
            return nil
        }
        let since = records[index].openSince ?? time
        records[index].openSince = since
        let wait = records[index].wasOwn ? .zero : wait(records[index].device, average)
        return time - since >= wait ? claim(index, average, at: time) : nil
    }

    /// Whether this gateway has a connection for the device, if its owner stays connected: its own, or a free one. Of
    /// claims that were too many, as they crossed each other, those of the first devices stay.
    private func hasRoom(_ index: Int, at time: Duration) -> Bool {
        let device = records[index].device
        guard links.devices.contains(device) else { return true }
        let isOwn = isLinked(index, at: time)
        let others = links.devices.count { other in
            guard other != device, !isOwn || other < device else { return false }
            return places[other].map { isLinked($0, at: time) } ?? false
        }
        return others < links.limit
    }

    /// Whether a connection to the device is this gateway's, or may be at any moment.
    private func isLinked(_ index: Int, at time: Duration) -> Bool {
        if records[index].owner == 0, records[index].claim?.rssi != nil { return true }
        return records[index].askedAt.map { time - $0 < Self.answer } ?? false
    }

    /// Whether a gateway that hears the device with the average may take it.
    private func isOpen(_ index: Int, to average: SignalAverage) -> Bool {
        guard let owner = records[index].owner, let rssi = records[index].claim?.rssi else { return true }
        if !isAlive(owner, since: records[index].claimBeat) { return true }
        return average.count >= Self.minimumCount && average.value >= Double(rssi) + Self.hysteresis
    }

    /// The claim for a device that no gateway hears, where its owner is dead or missing: the next one publishes that it
    /// is gone.
    private mutating func adopt(_ index: Int, at time: Duration) -> Action? {
        let (owner, wasOwn) = (records[index].owner, records[index].wasOwn)
        let isOrphan =
            owner.map { !isAlive($0, since: records[index].claimBeat) } ?? (wasOwn || records[index].needsOwner)
        guard isOrphan else {
            records[index].orphanedSince = nil
            return nil
        }
        let since = records[index].orphanedSince ?? time
        records[index].orphanedSince = since
        var wait = Self.orphanage * (1 + Double(spread(records[index].device)) / 256)
        // The last owner knows more of it, if it is there.
        if owner == nil, !wasOwn { wait += Self.furtherOrphanage }
        return time - since >= wait ? claim(index, nil, at: time) : nil
    }

    private mutating func renew(_ index: Int, _ average: SignalAverage?, at time: Duration) -> Action? {
        let isOld = records[index].claimedAt.map { time - $0 >= Self.renewal } ?? true
        let isDue =
            switch (records[index].claim?.rssi, average) {
            case (let rssi?, let average?): isOld || abs(average.value - Double(rssi)) >= Double(Self.change)
            case (nil, nil): isOld && records[index].needsOwner
            default: true
            }
        return isDue ? claim(index, average, at: time) : nil
    }

    private mutating func claim(_ index: Int, _ average: SignalAverage?, at time: Duration) -> Action? {
        if let claimedAt = records[index].claimedAt, time - claimedAt < Self.pause { return nil }
        records[index].claimedAt = time
        records[index].askedAt = average.map { _ in time }
        // WIDTH: an average of signal strengths.
        let claim = DeviceClaim(owner: name, rssi: average.map { Int($0.value.rounded()) })
        return .claim(records[index].device, claim)
    }

    /// How long this gateway leaves the device to others, which hear it better: up to 0.2 s.
    private func wait(_ device: PeerIdentifier, _ average: SignalAverage) -> Duration {
        .milliseconds(Int64(min(max(-40 - average.value, 0), 60) * 3) + Int64(spread(device) / 13))
    }

    /// A number from 0 to 255 that differs between gateways, and between devices of one.
    private func spread(_ device: PeerIdentifier) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        for byte in device.text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return hash >> 24
    }

    private func isAlive(_ index: Int, since beat: UInt64) -> Bool {
        if index == 0 { return true }
        if gateways[index].isOffline { return false }
        return answeredCount - max(gateways[index].beat, beat) < Self.deadlyBeats
    }

    /// Whether the others may have taken this gateway for dead. It may also have stood still, and have sent no sign of
    /// life: what came meanwhile is behind it when the next one comes back.
    private func isSuspended(at time: Duration) -> Bool {
        if let oldest = unanswered.first, time - oldest.at > Self.lease { return true }
        return time - provenAt > Self.beat + Self.lease
    }

    private mutating func signOfLife(at time: Duration) -> [Action] {
        beatNumber += 1
        beatAt = time
        // The oldest tells the time; of the others a few.
        if unanswered.count >= 16 { unanswered.remove(at: 1) }
        unanswered.append((beatNumber, time))
        return [.signOfLife(beatNumber)]
    }

    // MARK: Tables

    private mutating func place(of device: PeerIdentifier, isHeard: Bool, isAdding: Bool = true) -> Int? {
        if let place = places[device] { return place }
        guard isAdding else { return nil }
        // The devices that are heard are bounded by the one who hears them.
        if !isHeard, records.count >= Self.maximumDevices {
            ignoredCount += 1
            return nil
        }
        places[device] = records.count
        records.append(Record(device: device))
        return records.count - 1
    }

    private mutating func remove(_ index: Int) {
        places[records[index].device] = nil
        records.swapAt(index, records.count - 1)
        records.removeLast()
        if index < records.count { places[records[index].device] = index }
    }

    /// The place of a gateway that one claim more names.
    private mutating func addClaim(of name: String) -> Int {
        let place = gatewayPlaces[name] ?? freePlaces.popLast() ?? gateways.count
        if gatewayPlaces.updateValue(place, forKey: name) == nil {
            let gateway = Gateway(name: name, beat: answeredCount)
            if place < gateways.count { gateways[place] = gateway } else { gateways.append(gateway) }
        }
        gateways[place].claimCount += 1
        return place
    }

    /// Forgets a gateway that no claim names any more.
    private mutating func removeClaim(ofGateway place: Int) {
        gateways[place].claimCount -= 1
        guard place != 0, gateways[place].claimCount == 0 else { return }
        gatewayPlaces[gateways[place].name] = nil
        freePlaces.append(place)
    }
}
