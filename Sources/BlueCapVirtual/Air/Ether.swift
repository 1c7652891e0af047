// SPDX-License-Identifier: MIT

import BlueCapCore

/// A listener in the air: it scans, or tries to connect.
protocol Listener: AnyObject {
    /// Whether a packet from this address would be of use now.
    func listens(to address: PeerIdentifier) -> Bool
    /// Takes a packet that chance let pass.
    func hear(_ packet: AirPacket)
}

/// One advertising event as a listener receives it.
struct AirPacket {
    let sender: any LinkPeer
    let identifier: PeerIdentifier
    /// The content of the packet, and of the scan response where that was not lost.
    let advertisements: PeripheralAdvertisements
    /// The content of the packet.
    let advertisement: PeripheralAdvertisements
    /// The packet as it was sent, and the scan response where it was not lost.
    let data: PeripheralAdvertisements
    let scanResponse: PeripheralAdvertisements?
    let secondaryPHY: SecondaryPHY?
    let isConnectable: Bool
    let rssi: Int
}

/// Everything that is in the air: the advertisers, the listeners, and the time line of events.
///
/// Kinds of participant are known only by their parts: an ``Advertiser`` sends, a ``Listener`` hears, a ``LinkPeer``
/// takes connections. A virtual peripheral is an advertiser with a peer; an adapter has a central role that listens,
/// and can have a peripheral role that advertises.
final class Ether: LinkMedium {
    let seed: UInt64
    let timeline: Timeline
    /// The standard deviation of the noise on signal strengths, in dB.
    var noise: Double
    private(set) var listeners: [any Listener] = []
    private(set) var advertisers: [Advertiser] = []
    private var lastPeer: UInt64 = 0
    private var lastLink: UInt64 = 0
    var observers: [(number: UInt64, observer: (AirEvent) -> Void)] = []
    var isObserved: Bool { !observers.isEmpty }
    private lazy var passkeys = SeededGenerator(seed: seed, name: "passkeys")
    /// The keys, each with the name by which the central knows the peer, and the security level.
    private var bonds: [Bond: (identifier: PeerIdentifier, level: SecurityLevel)] = [:]

    private struct Bond: Hashable {
        let adapter: String
        let peer: UInt64
    }

    init(seed: UInt64, timeline: Timeline, noise: Double) {
        self.seed = seed
        self.timeline = timeline
        self.noise = noise
    }

    // MARK: Participants

    func makePeerNumber() -> UInt64 {
        lastPeer += 1
        return lastPeer
    }

    func makeLinkNumber() -> UInt64 {
        lastLink += 1
        return lastLink
    }

    func report(_ event: @autoclosure () -> AirEvent) {
        if observers.isEmpty { return }
        let event = event()
        for (_, observer) in observers { observer(event) }
    }

    func add(_ listener: any Listener) {
        listeners.append(listener)
        listenersChanged()
    }

    func remove(_ listener: any Listener) { listeners.removeAll { $0 === listener } }

    func add(_ advertiser: Advertiser) {
        advertisers.append(advertiser)
        advertiser.wake()
    }

    func remove(_ advertiser: Advertiser) { advertisers.removeAll { $0 === advertiser } }

    /// Called when a scanner or a central begins to listen: advertisers run only while they are heard.
    func listenersChanged() {
        for advertiser in advertisers { advertiser.wake() }
    }

    /// Called when a central begins to listen to one address.
    func listenersChanged(for address: PeerIdentifier) {
        for advertiser in advertisers where advertiser.isToWake(for: address) { advertiser.wake() }
    }

    func listens(to address: PeerIdentifier) -> Bool { listeners.contains { $0.listens(to: address) } }

    // MARK: Keys

    func makePasskey() -> UInt32 { UInt32.random(in: 0...999_999, using: &passkeys) }

    func isBonded(_ adapter: String, _ peer: any LinkPeer) -> Bool { bondLevel(adapter, peer) != nil }

    /// The security level of the key of the two; nil where they have none.
    func bondLevel(_ adapter: String, _ peer: any LinkPeer) -> SecurityLevel? {
        // Each packet asks.
        bonds.isEmpty ? nil : bonds[Bond(adapter: adapter, peer: peer.number)]?.level
    }

    func bonded(with adapter: String) -> Set<PeerIdentifier> {
        Set(bonds.lazy.filter { $0.key.adapter == adapter }.map(\.value.identifier))
    }

    func isBonded(_ adapter: String, with identifier: PeerIdentifier) -> Bool {
        bonds.contains { $0.key.adapter == adapter && $0.value.identifier == identifier }
    }

    func bond(_ adapter: String, _ peer: any LinkPeer, as identifier: PeerIdentifier, _ level: SecurityLevel) {
        bonds[Bond(adapter: adapter, peer: peer.number)] = (identifier, level)
    }

    func forgetBonds(of peer: any LinkPeer) { bonds = bonds.filter { $0.key.peer != peer.number } }

    func forgetBonds(of adapter: String, with identifier: PeerIdentifier) {
        bonds = bonds.filter { $0.key.adapter != adapter || $0.value.identifier != identifier }
    }

    // MARK: End

    /// Releases everything: the radio has ended.
    func clear() {
        timeline.clear()
        listeners = []
        advertisers = []
    }
}
