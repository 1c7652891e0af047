// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension CaptureAnalysis {
    // MARK: HCI

    /// What the host has its controller advertise belongs to the controller's own device.
    mutating func add(_ command: HCICommand, of packet: CapturedPacket) {
        change(placeholder(adapter: packet.adapter)) { trace in
            trace.isOwn = true
            trace.seen(at: packet.time)
            switch command {
            case .advertise(let data): trace.data = Bytes(data)
            case .answerScans(let data): trace.scanResponse = Bytes(data)
            }
        }
    }

    mutating func add(_ event: HCIEvent, of packet: CapturedPacket) {
        switch event {
        case .connected(let connection): connected(connection, of: packet)
        case .disconnected(let handle): links[.hci(adapter: packet.adapter, handle: handle)] = nil
        case .encryptionChanged(let handle, let isOn):
            links[.hci(adapter: packet.adapter, handle: handle)]?.isEncrypted = isOn
        case .advertised(let reports):
            for report in reports {
                if let whole = chains.add(report) { heard(whole, at: packet.time) }
            }
        case .ownAddress(let address): own(address, adapter: packet.adapter)
        }
    }

    private mutating func connected(_ connection: HCIConnection, of packet: CapturedPacket) {
        let peer = connection.peer.identifier
        if let alias = connection.peerAlias?.identifier { self.alias(alias, of: peer) }
        let own = placeholder(adapter: packet.adapter)
        change(own) { $0.isOwn = true }
        let link = LinkTrace(
            central: connection.isCentral ? own : peer, peripheral: connection.isCentral ? peer : own,
            isHostCentral: connection.isCentral)
        open(link, .hci(adapter: packet.adapter, handle: connection.handle))
        change(connection.isCentral ? peer : own) { trace in
            trace.seen(at: packet.time)
            trace.connectionCount += 1
        }
        change(peer) { $0.isRandom = connection.peer.isRandom }
    }

    mutating func add(_ fragment: ACLFragment, _ direction: CapturedPacket.Direction?, of packet: CapturedPacket)
        -> [CapturedAccess]
    {
        let key = LinkKey.hci(adapter: packet.adapter, handle: fragment.handle)
        if links[key] == nil {
            // The capture begins within a link: this end is taken for the central.
            let peer = PeerIdentifier("hci\(packet.adapter)/0x\(hexadecimal(fragment.handle, digits: 4))")
            open(LinkTrace(central: placeholder(adapter: packet.adapter), peripheral: peer), key)
        }
        return use(key, of: packet) { $0.add(fragment, direction: direction) }
    }

    // MARK: The air

    mutating func add(_ packet: CapturedPacket, _ reception: CapturedPacket.Reception) -> [CapturedAccess] {
        guard reception.isValid != false,
            let pdu = LinkLayerPDU(packet.bytes.array[...], isCoded: reception.isCoded, rssi: reception.rssi)
        else { return [] }
        switch pdu {
        case .advertisement(let report): heard(report, at: packet.time)
        case .extendedAdvertisement(let part):
            if let whole = chains.add(part) { heard(whole, at: packet.time) }
        case .connect(let central, let peripheral, let accessAddress):
            open(LinkTrace(central: central.identifier, peripheral: peripheral.identifier), .air(accessAddress))
            change(central.identifier) { trace in
                trace.seen(at: packet.time)
                trace.isRandom = central.isRandom
            }
            change(peripheral.identifier) { trace in
                trace.seen(at: packet.time)
                trace.isRandom = peripheral.isRandom
                trace.connectionCount += 1
            }
        case .data(let data): return add(data, reception, of: packet)
        }
        return []
    }

    private mutating func add(
        _ data: LinkLayerData, _ reception: CapturedPacket.Reception, of packet: CapturedPacket
    ) -> [CapturedAccess] {
        let key = LinkKey.air(data.accessAddress)
        if links[key] == nil { open(Self.unnamed(data.accessAddress), key) }
        // Of what is encrypted again after a key was agreed on, too.
        if links[key]?.isRepetition(data, direction: reception.direction) == true { return [] }
        if data.kind == 3, links[key]?.isEncrypted != true || reception.encryption == .decrypted {
            // LL_TERMINATE_IND ends the link; from LL_START_ENC_RSP on it is encrypted (Vol 6, Part B, 2.4.2).
            switch data.payload.first {
            case 0x02: links[key] = nil
            case 0x05, 0x06: links[key]?.isEncrypted = true
            default: break
            }
            return []
        }
        // Ciphertext, unless the sniffer says that it had the key.
        if reception.encryption == .encrypted { return [] }
        if reception.encryption == nil, links[key]?.isEncrypted == true { return [] }
        return use(key, of: packet) { $0.add(data, direction: reception.direction) }
    }

    /// A link whose beginning was not heard.
    private static func unnamed(_ accessAddress: UInt32) -> LinkTrace {
        let name = hexadecimal(accessAddress, digits: 8)
        return LinkTrace(
            central: PeerIdentifier("central/0x\(name)"), peripheral: PeerIdentifier("link/0x\(name)"))
    }

    // MARK: Both

    private mutating func heard(_ report: AdvertisingReport, at time: Timestamp?) {
        let address = report.address.identifier
        change(aliases[address] ?? address) { $0.add(report, time: time) }
    }

    private mutating func open(_ link: LinkTrace, _ key: LinkKey) {
        if links[key] == nil, links.count >= Self.maximumLinkCount,
            let oldest = links.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            links[oldest.key] = nil
        }
        links[key] = link
        links[key]?.lastUse = packetCount
    }

    /// Hands a fragment to its link, and learns from the frame that it completes.
    private mutating func use(
        _ key: LinkKey, of packet: CapturedPacket, _ add: (inout LinkTrace) -> LinkTrace.Frame?
    ) -> [CapturedAccess] {
        guard var link = links.removeValue(forKey: key) else { return [] }
        defer { links[key] = link }
        link.lastUse = packetCount
        guard let frame = add(&link) else { return [] }
        return learn(frame, on: &link, of: packet)
    }
}

/// The digits of a number, with zeros before them.
func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
