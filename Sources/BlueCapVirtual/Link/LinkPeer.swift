// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A participant that advertises and takes connections.
///
/// A virtual peripheral is one; a program's own peripheral role on a virtual adapter is another.
protocol LinkPeer: AnyObject {
    /// A number that no other peer has or had, for the keys that others keep of it.
    var number: UInt64 { get }
    /// The address that it uses now.
    var identifier: PeerIdentifier { get }
    /// Whether it is another adapter of the radio, rather than a virtual peripheral.
    var isAdapter: Bool { get }
    /// Its GAP device name, which a central knows once it is connected.
    var name: String { get }
    /// Whether packets pass between it and the adapters at all.
    var isReachable: Bool { get }
    var connection: VirtualConnection { get }
    /// Whether it encrypts with a key that it has.
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
    /// Answers a central that wants to connect.
    func answerToConnection() -> ConnectionAnswer
    /// Its input and output capability for pairing.
    var pairingCapability: PairingCapability { get }
    /// Answers a question of pairing with a central.
    func answerToPairing(
        by link: VirtualLink, _ kind: PairingRequest.Kind, _ answer: @escaping (PairingAnswer) -> Void)
    /// Shows a passkey that is to be typed at the central.
    func showPasskey(_ passkey: UInt32, for link: VirtualLink)
    /// The pairing is over: its answer is not needed any more, and the peer shows nothing.
    func endPairing(by link: VirtualLink)
    func linkOpened(_ link: VirtualLink)
    func linkClosed(_ link: VirtualLink)
}

/// A peripheral's answer to a central's request to connect.
enum ConnectionAnswer {
    case accept
    /// It has as many connections as it takes: the central goes on trying.
    case ignore
    case refuse
}
