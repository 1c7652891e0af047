// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension CaptureAnalysis {
    // MARK: HCI

    /// The advertisements that the host gives its controller belong to the controller's own device.
    mutating func add(_ command: HCICommand, of packet: CapturedPacket) {
        let (part, isScanResponse) =
            switch command {
            case .advertise(let part): (part, false)
            case .answerScans(let part): (part, true)
            }
        let data = chains.add(part, adapter: packet.adapter, isScanResponse: isScanResponse)
        change(placeholder(adapter: packet.adapter)) { trace in
            trace.isOwn = true
            trace.seen(at: packet.time)
            guard let data else { return }
            if isScanResponse { trace.answersScans(with: Bytes(data)) } else { trace.advertises(Bytes(data)) }
        }
    }

    mutating func add(_ event: HCIEvent, of packet: CapturedPacket) {
        switch event {
        case .connected(let connection): connected(connection, of: packet)
        case .disconnected(let handle): end(.hci(adapter: packet.adapter, handle: handle))
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
        change(peer) { $0.isNamed(connection.peer) }
    }

    /// An end of a link has handed over its identity, which is the same device (Vol 3, Part H, 3.6.5).
    private mutating func learn(_ identity: DeviceAddress, of device: PeerIdentifier, on adapter: Int) {
        let own = placeholder(adapter: adapter)
        if self.identity(of: device) != self.identity(of: own) {
            alias(device, of: identity.identifier)
        } else if adapterNames[adapter] == nil {
            self.own(identity, adapter: adapter)
        } else {
            alias(identity.identifier, of: own)
        }
        if trace(of: identity.identifier) != nil { change(identity.identifier) { $0.isNamed(identity) } }
    }

    mutating func add(_ fragment: ACLFragment, _ direction: CapturedPacket.Direction?, of packet: CapturedPacket)
        -> [CapturedAccess]
    {
        let key = LinkKey.hci(adapter: packet.adapter, handle: fragment.handle)
        if links[key] == nil {
            // The capture begins within a link: this end is taken for the central.
            open(LinkTrace(central: placeholder(adapter: packet.adapter), peripheral: name("link", of: key)), key)
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
                trace.isNamed(central)
            }
            change(peripheral.identifier) { trace in
                trace.seen(at: packet.time)
                trace.isNamed(peripheral)
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
        if links[key] == nil {
            open(LinkTrace(central: name("central", of: key), peripheral: name("link", of: key)), key)
        }
        // Also packets that are encrypted again after a key was agreed on.
        if links[key]?.isRepetition(data, direction: reception.direction) == true { return [] }
        if links[key]?.isEncrypted == true, reception.encryption == nil, data.isPlain { links[key]?.isDecrypted = true }
        // Ciphertext, unless the sniffer says that it had the key, or the link shows that a program had it.
        let isCiphertext =
            reception.encryption == .encrypted
            || reception.encryption == nil && links[key]?.isEncrypted == true && links[key]?.isDecrypted == false
        if isCiphertext { return [] }
        if data.kind == 3 {
            // LL_TERMINATE_IND ends the link; from LL_START_ENC_RSP on it is encrypted (Vol 6, Part B, 2.4.2).
            switch data.payload.first {
            case 0x02: end(key)
            case 0x05, 0x06: links[key]?.isEncrypted = true
            default: break
            }
            return []
        }
        return use(key, of: packet) { $0.add(data, direction: reception.direction) }
    }

    // MARK: Both

    private mutating func heard(_ report: AdvertisingReport, at time: Timestamp?) {
        let address = report.address.identifier
        change(address) { $0.add(report, time: time) }
        sighted.append(address)
    }

    /// The name of a device at an end of a link whose beginning was not captured. A later link by the same handle or
    /// access address may be another device's, and has another name.
    private func name(_ end: String, of key: LinkKey) -> PeerIdentifier {
        let name =
            switch key {
            case .hci(let adapter, let handle): "hci\(adapter)/\(hexadecimal(handle, digits: 4))"
            case .air(let accessAddress): "\(end)/\(hexadecimal(accessAddress, digits: 8))"
            }
        return PeerIdentifier(endedCounts[key].map { "\(name)/\($0 + 1)" } ?? name)
    }

    private mutating func end(_ key: LinkKey) {
        guard let link = links.removeValue(forKey: key) else { return }
        endChannels(of: link)
        let name = name("link", of: key)
        guard link.peripheral == name, trace(of: name) != nil, endedCounts.count < limits.devices else { return }
        endedCounts[key, default: 0] += 1
    }

    private mutating func open(_ link: LinkTrace, _ key: LinkKey) {
        end(key)
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
        _ key: LinkKey, of packet: CapturedPacket, _ add: (inout LinkTrace) -> LinkTrace.Content?
    ) -> [CapturedAccess] {
        guard var link = links.removeValue(forKey: key) else { return [] }
        defer { links[key] = link }
        link.lastUse = packetCount
        switch add(&link) {
        case .attribute(let frame): return learn(frame, on: &link, of: packet)
        case .channel(let frame):
            learn(frame, on: &link, of: packet)
            return []
        case .identity(let address, let side):
            learn(address, of: link.device(side), on: packet.adapter)
            return []
        case nil: return []
        }
    }
}

/// The digits of a number, with zeros before them.
func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
