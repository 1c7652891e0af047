// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// One participant's advertising: an event every interval, for as long as a scanner or a central listens.
final class Advertiser {
    /// The packets as a listener receives them, which are the same each time.
    private struct Heard {
        let isConnectable: Bool
        let packet: PeripheralAdvertisements
        /// The packet with the scan response.
        let whole: PeripheralAdvertisements
    }

    /// The most that chance adds to each interval (Core Specification, Vol 6, Part B, 4.4.2.2.1).
    private static let delayLimit = Duration.milliseconds(10)

    private let ether: Ether
    private(set) weak var peer: (any LinkPeer)?
    private var generator: SeededGenerator
    private var next: Timeline.Entry?
    private var start = Duration.zero
    private var isSending = false
    private(set) var advertising: VirtualAdvertising { didSet { heard = nil } }
    private var heard: Heard?
    private(set) var isOn = false
    /// Whether the participant takes another connection now.
    var isFree = true {
        didSet { if isFree != oldValue { wake() } }
    }

    /// - Parameter number: A number that no other advertiser of the peer has: their events must not coincide.
    init(ether: Ether, peer: any LinkPeer, advertising: VirtualAdvertising, number: UInt32 = 0) {
        self.ether = ether
        self.peer = peer
        self.advertising = advertising
        let name = "advertiser " + peer.identifier.text + (number == 0 ? "" : " \(number)")
        generator = SeededGenerator(seed: ether.seed, name: name)
    }

    func turnOn() {
        guard !isOn else { return }
        isOn = true
        start = ether.timeline.now + min(max(advertising.delay, .zero), .longestWait)
        wake()
    }

    func turnOff() {
        isOn = false
        ether.timeline.cancel(next)
        next = nil
    }

    /// Sends other packets from the next event on.
    func change(to advertising: VirtualAdvertising) {
        self.advertising = advertising
        ether.timeline.cancel(next)
        next = nil
        wake()
    }

    private var isHeard: Bool {
        guard isOn, isFree || advertising.alsoWhenConnected, let peer, peer.isReachable else { return false }
        return ether.listens(to: peer.identifier)
    }

    /// Whether it stands still and sends from this address. Each connection asks this of all advertisers.
    func isToWake(for address: PeerIdentifier) -> Bool { isOn && next == nil && peer?.identifier == address }

    /// Begins to send if a scanner or a central listens.
    func wake() {
        guard next == nil, !isSending, isHeard else { return }
        let now = ether.timeline.now
        let pause = now < start ? start - now : generator.nextDuration(upTo: interval)
        next = ether.timeline.schedule(after: pause, isPatient: true) { [weak self] in self?.send() }
    }

    private var interval: Duration { min(max(advertising.interval, .milliseconds(20)), .longestWait) }

    private func send() {
        next = nil
        guard isHeard, let peer else { return }
        isSending = true
        reach(peer)
        isSending = false
        // A central that connects takes the advertiser off the air.
        guard isHeard else { return }
        let pause = interval + generator.nextDuration(upTo: Self.delayLimit)
        next = ether.timeline.schedule(after: pause, isPatient: true) { [weak self] in self?.send() }
    }

    private func heard(isConnectable: Bool) -> Heard {
        if let heard, heard.isConnectable == isConnectable { return heard }
        var packet = advertising.data
        var whole = advertising.scanResponse.map { packet.merging($0) } ?? packet
        packet.isConnectable = isConnectable
        whole.isConnectable = isConnectable
        let new = Heard(isConnectable: isConnectable, packet: packet, whole: whole)
        heard = new
        return new
    }

    private func reach(_ peer: any LinkPeer) {
        let identifier = peer.identifier
        for listener in ether.listeners where listener.listens(to: identifier) {
            guard !peer.losesPacket(), let rssi = peer.sampleRSSI() else { continue }
            let losesResponse = advertising.scanResponse != nil && peer.losesPacket()
            let isConnectable = advertising.isConnectable && isFree
            let heard = heard(isConnectable: isConnectable)
            listener.hear(
                AirPacket(
                    sender: peer, identifier: identifier, advertisements: losesResponse ? heard.packet : heard.whole,
                    advertisement: heard.packet, data: advertising.data,
                    scanResponse: losesResponse ? nil : advertising.scanResponse,
                    secondaryPHY: advertising.secondaryPHY, isConnectable: isConnectable, rssi: rssi))
            if !isFree && !advertising.alsoWhenConnected { return }
        }
    }
}
