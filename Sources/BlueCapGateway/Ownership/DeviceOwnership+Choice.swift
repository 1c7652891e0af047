// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapCore

/// The claims of this gateway: when it takes a device, and when it renews or changes its claim.
extension DeviceOwnership {
    /// A gateway takes a device from another one that hears it worse by 6 dB.
    private static let hysteresis = 6.0
    /// The packets after which an average counts against another gateway's.
    private static let minimumCount = 5
    /// The change of its strength, in dB, after which an owner publishes it again.
    private static let change = 3.0
    private static let renewal = Duration.seconds(Int64(claimExpiry / 3))
    /// The time between two claims of this gateway for a device.
    private static let pause = Duration.milliseconds(500)
    /// A device that no gateway hears, and whose owner is dead, is taken by another one after this time or twice of it.
    private static let orphanage = Duration.seconds(5)
    /// How much later a gateway takes a device without an owner that it did not own last.
    private static let furtherOrphanage = Duration.seconds(10)
    /// A claim that has not come back by then is lost.
    private static let answer = Duration.seconds(5)

    /// Whether the owner may connect to the device: it stays connected to no more devices than it may. Devices that it
    /// does not hear have the connections that are left.
    package func mayConnect(_ device: PeerIdentifier, at time: Duration) -> Bool {
        guard own.contains(device), let index = places[device] else { return false }
        if !lasting.contains(device) || isLinked(index, at: time) { return hasRoom(index, at: time) }
        let others = lasting.count { other in
            guard other != device, let place = places[other] else { return false }
            return isLinked(place, at: time) || other < device && own.contains(other)
        }
        return others < lastingLimit
    }

    /// The devices that had no owner with a connection left for longer than a limit, as far as this gateway hears them.
    package func crowded(for limit: Duration, at time: Duration) -> [PeerIdentifier] {
        lasting.filter { places[$0].flatMap { records[$0].crowdedSince }.map { time - $0 > limit } ?? false }
    }

    /// Whether a claim may be due for a device without a packet of it: not where another gateway owns it.
    func isUnsettled(_ index: Int) -> Bool {
        guard case .other(let place) = records[index].owner, records[index].openSince == nil,
            records[index].claim?.rssi != nil
        else { return true }
        return !others.isAlive(place, since: records[index].claimBeat, atBeat: signs.beat)
    }

    /// The claim that is due for a device; nil for none.
    mutating func reconcile(_ index: Int, at time: Duration) -> Action? {
        guard isConnected, signs.isAnswered, !records[index].isReleased, !signs.isSuspended(at: time) else {
            return nil
        }
        let isHeard = records[index].isHeard(at: time)
        let hasRoom = hasRoom(index, at: time)
        let isCrowded = isHeard && !hasRoom && (records[index].claim?.rssi == nil)
        records[index].crowdedSince = isCrowded ? records[index].crowdedSince ?? time : nil
        let average = isHeard && hasRoom ? records[index].average : nil
        if records[index].owner == .thisGateway { return renew(index, average, at: time) }
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
    /// claims that were too many, as they crossed each other, the claims of the first devices stay.
    private func hasRoom(_ index: Int, at time: Duration) -> Bool {
        let device = records[index].device
        guard lasting.contains(device) else { return true }
        let isOwn = isLinked(index, at: time)
        let others = lasting.count { other in
            guard other != device, !isOwn || other < device else { return false }
            return places[other].map { isLinked($0, at: time) } ?? false
        }
        return others < lastingLimit
    }

    /// Whether a connection to the device is this gateway's, or may be at any moment.
    private func isLinked(_ index: Int, at time: Duration) -> Bool {
        if records[index].owner == .thisGateway, records[index].claim?.rssi != nil { return true }
        return records[index].askedAt.map { time - $0 < Self.answer } ?? false
    }

    /// Whether a gateway that hears the device with the average may take it.
    private func isOpen(_ index: Int, to average: SignalAverage) -> Bool {
        guard let rssi = records[index].claim?.rssi, isOwnerAlive(index) else { return true }
        return average.count >= Self.minimumCount && average.value >= Double(rssi) + Self.hysteresis
    }

    /// Whether the device has an owner that is alive.
    private func isOwnerAlive(_ index: Int) -> Bool {
        switch records[index].owner {
        case .none: false
        case .thisGateway: true
        case .other(let place): others.isAlive(place, since: records[index].claimBeat, atBeat: signs.beat)
        }
    }

    /// The claim for a device that no gateway hears, where its owner is dead or missing: the next one publishes that it
    /// is gone.
    private mutating func adopt(_ index: Int, at time: Duration) -> Action? {
        let record = records[index]
        // The last owner knows more of it, if it is there.
        let isLate = record.owner == .none && !record.wasOwn
        guard !isOwnerAlive(index), !isLate || record.needsOwner else {
            records[index].orphanedSince = nil
            return nil
        }
        let since = record.orphanedSince ?? time
        records[index].orphanedSince = since
        var wait = Self.orphanage * (1 + Double(spread(record.device)) / 256)
        if isLate { wait += Self.furtherOrphanage }
        return time - since >= wait ? claim(index, nil, at: time) : nil
    }

    private mutating func renew(_ index: Int, _ average: SignalAverage?, at time: Duration) -> Action? {
        let isOld = records[index].claimedAt.map { time - $0 >= Self.renewal } ?? true
        let isDue =
            switch (records[index].claim?.rssi, average) {
            case (let rssi?, let average?): isOld || abs(average.value - Double(rssi)) >= Self.change
            case (nil, nil): isOld && records[index].needsOwner
            default: true
            }
        return isDue ? claim(index, average, at: time) : nil
    }

    private mutating func claim(_ index: Int, _ average: SignalAverage?, at time: Duration) -> Action? {
        if let claimedAt = records[index].claimedAt, time - claimedAt < Self.pause { return nil }
        records[index].send(average?.value, at: time)
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
}
#endif
