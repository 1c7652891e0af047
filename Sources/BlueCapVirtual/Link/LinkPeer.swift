// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A participant that advertises and takes connections.
///
/// A virtual peripheral is one; a program's own peripheral role on a virtual adapter is another.
protocol LinkPeer: AnyObject {
    /// A number that no other peer has or had, for the keys that others keep of it.
    var number: UInt64 { get }
    var identifier: PeerIdentifier { get }
    /// Whether it is another adapter of the radio, rather than a virtual peripheral.
    var isAdapter: Bool { get }
    /// Its GAP device name, which a central knows once it is connected.
    var name: String { get }
    /// Whether packets pass between it and the adapters at all.
    var isReachable: Bool { get }
    var connection: VirtualConnection { get }
    var answersWithKey: Bool { get }
    var server: ATTServer { get }
    /// Whether it sends nothing on the Attribute Protocol, answers neither, though its link layer does.
    var isMute: Bool { get }
    /// How long it takes to answer a request.
    var responseDelay: Duration { get }

    /// One measurement of its signal strength; nil where nothing is received.
    func sampleRSSI() -> Int?
    /// Whether chance takes the next packet.
    func losesPacket() -> Bool
    /// Its connections, as far as it knows them.
    var links: [VirtualLink] { get }
    /// The answer to a central that it has no connection to.
    func answerToConnection() -> ConnectionAnswer
    var pairingCapability: PairingCapability { get }
    func answerToPairing(
        by link: VirtualLink, _ kind: PairingRequest.Kind, _ answer: @escaping (PairingAnswer) -> Void)
    /// The passkey that it shows with each pairing; nil for another one each time.
    var ownPasskey: UInt32? { get }
    func showPasskey(_ passkey: UInt32, for link: VirtualLink)
    /// The pairing is over: its answer is not needed any more, and the peer shows nothing.
    func endPairing(by link: VirtualLink)
    /// The answer to a central that asks for a channel.
    func answer(toChannelOn psm: UInt16, over link: VirtualLink) -> ChannelAnswer
    func linkOpened(_ link: VirtualLink)
    /// The ATT_MTU or the security of a link changed.
    func linkChanged(_ link: VirtualLink)
    /// The central has set the timing of a link.
    func linkTimed(_ link: VirtualLink, _ parameters: ConnectionParameters)
    func linkClosed(_ link: VirtualLink)
}

extension LinkPeer {
    func linkChanged(_ link: VirtualLink) {}
    func linkTimed(_ link: VirtualLink, _ parameters: ConnectionParameters) {}
}

/// A peripheral's answer to a central's request to connect.
enum ConnectionAnswer {
    case accept
    /// It has as many connections as it takes: the central goes on trying.
    case ignore
    case refuse
}

/// The central's side of a link: a program's central role, on an adapter.
protocol LinkCentral: AnyObject {
    var address: String { get }
    /// The longest ATT packet that the adapter's stack takes.
    var maximumTransmissionUnit: Int { get }
    var pairing: PairingQuestions { get }
    /// Whether packets pass between its adapter and others at all.
    var isReachable: Bool { get }

    /// Whether chance takes the next packet.
    func losesPacket() -> Bool
    /// The part of a peer's database that the adapter has found.
    func view(of identifier: PeerIdentifier, version: Int) -> DatabaseView
    func received(_ value: Bytes, of handle: UInt16, on link: VirtualLink)
    func servicesChanged(_ services: [UInt16], on link: VirtualLink)
    func renamed(_ link: VirtualLink)
    func maximumTransmissionUnitChanged(_ link: VirtualLink)
    func bondChanged(_ identifier: PeerIdentifier, _ isBonded: Bool)
    func linkEnded(_ link: VirtualLink, _ reason: LinkEndReason)
}

/// The medium of links: their time, their numbers, the keys, and the radio's observer.
protocol LinkMedium: AnyObject {
    var timeline: Timeline { get }
    var isObserved: Bool { get }

    /// Reports an event to the observers of the radio. It is made only if there are any.
    func report(_ event: @autoclosure () -> AirEvent)
    func makeLinkNumber() -> UInt64
    /// Six digits for both sides of a pairing.
    func makePasskey() -> UInt32
    /// The security level of the key of an adapter and a peer; nil where they have none.
    func bondLevel(_ adapter: String, _ peer: any LinkPeer) -> SecurityLevel?
    /// Keeps the key of an adapter and a peer, with the name by which the adapter knows the peer.
    func bond(_ adapter: String, _ peer: any LinkPeer, as identifier: PeerIdentifier, _ level: SecurityLevel)
}

extension LinkPeer {
    /// The answer to a central. An advertiser ignores one that has ended its link unheard, until its own supervision
    /// timeout: it is connected to it still (Core Specification, Vol 6, Part B, 4.5).
    func answerToConnection(from central: any LinkCentral) -> ConnectionAnswer {
        links.contains { !$0.isOpen && $0.central.address == central.address } ? .ignore : answerToConnection()
    }
}
