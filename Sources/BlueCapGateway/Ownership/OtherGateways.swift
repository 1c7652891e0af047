// SPDX-License-Identifier: MIT

#if Gateway
/// The other gateways that claims of devices name, of which there are no more than devices.
///
/// A number of the own signs of life that have come back, a beat, tells the time.
struct OtherGateways {
    /// The place of a gateway, which stays the same for as long as a claim names it.
    struct Place: Hashable {
        fileprivate let index: Int
    }

    private struct Gateway {
        let name: String
        var isOffline = false
        /// The beat of its last sign of life.
        var beat: UInt64
        /// How many devices name it in their claims.
        var claimCount = 0
    }

    /// A gateway is dead of which nothing came in as many beats.
    private static let deadlyBeats: UInt64 = 4

    private var gateways: [Gateway] = []
    private var places: [String: Place] = [:]
    /// The places of gateways that no claim names any more.
    private var free: [Place] = []

    /// Takes one more claim that names a gateway.
    mutating func addClaim(of name: String, atBeat beat: UInt64) -> Place {
        let place = places[name] ?? free.popLast() ?? Place(index: gateways.count)
        if places.updateValue(place, forKey: name) == nil {
            let gateway = Gateway(name: name, beat: beat)
            if place.index < gateways.count { gateways[place.index] = gateway } else { gateways.append(gateway) }
        }
        gateways[place.index].claimCount += 1
        return place
    }

    /// Takes the end of a claim, and forgets a gateway that no claim names any more.
    mutating func removeClaim(of place: Place) {
        gateways[place.index].claimCount -= 1
        guard gateways[place.index].claimCount == 0 else { return }
        places[gateways[place.index].name] = nil
        free.append(place)
    }

    /// Takes a sign of life. A claim is one, too: a gateway that no claim names is not known.
    mutating func sawLife(of name: String, atBeat beat: UInt64) {
        if let place = places[name] { gateways[place.index].beat = beat }
    }

    /// Takes the status of a gateway: whether it has a connection, as far as the broker knows.
    mutating func saw(isOnline: Bool, of name: String, atBeat beat: UInt64) {
        guard let place = places[name] else { return }
        gateways[place.index].isOffline = !isOnline
        if isOnline { gateways[place.index].beat = beat }
    }

    /// Whether a gateway is alive.
    ///
    /// - Parameters:
    ///   - claimBeat: The beat of its last claim of a device.
    ///   - beat: The beat of now.
    func isAlive(_ place: Place, since claimBeat: UInt64, atBeat beat: UInt64) -> Bool {
        let gateway = gateways[place.index]
        return !gateway.isOffline && beat - max(gateway.beat, claimBeat) < Self.deadlyBeats
    }
}
#endif
