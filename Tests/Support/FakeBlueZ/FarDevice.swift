// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
package import BlueCapSerDe
package import BlueCapTesting

/// The device at the far end, as far as the daemon's view of it needs; on the fake's thread only.
package final class FarDevice {
    /// An attribute: its value, and the errors and delays that a test gave it.
    package struct Attribute {
        var value: Bytes
        var errors: [PeerAccess: ATTError] = [:]
        var held: Set<PeerAccess> = []
        var waiting: [PeerAccess: [() -> Void]] = [:]
        var writes: [PeerWrite] = []
        var valueOnSubscribe: Bytes?
        var isSubscribed = false
        var subscriptionCount = 0
    }

    package let address: PeerIdentifier
    package private(set) var twin: Twin
    package private(set) var advertisement: TwinAdvertisement
    package let pairing: PeerPairing
    private var attributes: [PeerAttribute: Attribute] = [:]
    private unowned let air: FakeAir

    package private(set) var isAdvertising = false
    package private(set) var isRetired = false
    package var isInRange = true { didSet { air.changed(self) } }
    package var isMuted = false { didSet { air.changed(self) } }
    /// Whether it answers no request for its database, which the daemon makes by itself.
    package var holdsDiscovery = false
    package var refusesConnections = false
    package var rssi = -50
    package var isConnected = false { didSet { if isConnected { connectionCount += 1 }; air.changed(self) } }
    package private(set) var connectionCount = 0
    let channels = FarChannels()
    /// Called with notified and indicated values.
    var onNotify: (PeerAttribute, Bytes) -> Void = { _, _ in }
    /// Called when the device has ended the connection.
    var onDisconnect: () -> Void = {}
    /// Called with the old database after the database has changed.
    var onServicesChanged: ([TwinService]) -> Void = { _ in }

    init(_ twin: Twin, pairing: PeerPairing, address: PeerIdentifier, air: FakeAir) {
        self.twin = twin
        self.pairing = pairing
        advertisement = twin.advertisement ?? TwinAdvertisement(data: PeripheralAdvertisements(localName: twin.name))
        self.address = address
        self.air = air
        fill()
        channels.changed = { [weak self] in if let self { air.changed(self) } }
    }

    var services: [TwinService] { twin.services }

    /// Whether a scan hears it now.
    var isHeard: Bool { isAdvertising && isInRange && !isMuted && !isConnected && !isRetired }

    /// Whether requests reach it and answers come back.
    var isReachable: Bool { isInRange && !isMuted && !isRetired }

    package func advertise(_ isOn: Bool) {
        isAdvertising = isOn
        air.changed(self)
    }

    package func update(_ advertisement: TwinAdvertisement) {
        self.advertisement = advertisement
        air.changed(self)
    }

    package func change(_ services: [TwinService]) {
        let old = twin.services
        twin.services = services
        fill(over: old)
        onServicesChanged(old)
    }

    func retire() {
        isAdvertising = false
        isRetired = true
        if isConnected { onDisconnect() }
    }

    // MARK: Attributes

    package func change<Result>(_ attribute: PeerAttribute, _ body: (inout Attribute) -> Result) throws -> Result {
        guard var found = attributes[attribute] else { throw FakeError.unknown("attribute \(attribute)") }
        let result = body(&found)
        attributes[attribute] = found
        return result
    }

    func attribute(_ attribute: PeerAttribute) -> Attribute { attributes[attribute] ?? Attribute(value: []) }

    /// Asks for an access; `answer` is called when the device answers, which may be never.
    func access(_ attribute: PeerAttribute, _ access: PeerAccess, _ answer: @escaping (ATTError?) -> Void) {
        guard isReachable else { return }
        let state = self.attribute(attribute)
        let finish = { [self] in answer(self.attribute(attribute).errors[access]) }
        if !state.held.contains(access) { return finish() }
        attributes[attribute]?.waiting[access, default: []].append(finish)
        air.changed(self)
    }

    func write(_ attribute: PeerAttribute, _ value: Bytes, kind: PeerWrite.Kind) {
        attributes[attribute]?.value = value
        attributes[attribute]?.writes.append(PeerWrite(value, kind: kind))
        air.changed(self)
    }

    func setSubscribed(_ attribute: PeerAttribute, _ isOn: Bool) {
        if isOn, attributes[attribute]?.isSubscribed == false { attributes[attribute]?.subscriptionCount += 1 }
        attributes[attribute]?.isSubscribed = isOn
        air.changed(self)
    }

    /// The link ended: subscriptions, waiting requests and channels are dropped.
    func endLink() {
        channels.linkEnded()
        for attribute in attributes.keys {
            attributes[attribute]?.isSubscribed = false
            attributes[attribute]?.waiting = [:]
        }
        isConnected = false
    }

    package func answerHeld(_ attribute: PeerAttribute, _ access: PeerAccess) {
        let waiting = attributes[attribute]?.waiting.removeValue(forKey: access) ?? []
        for answer in waiting { answer() }
    }

    package func notify(_ attribute: PeerAttribute, _ value: Bytes) {
        guard isReachable, isConnected, self.attribute(attribute).isSubscribed else { return }
        onNotify(attribute, value)
    }

    /// Makes the attributes of the twin; those of unchanged services keep their state.
    private func fill(over old: [TwinService] = []) {
        var kept: [PeerAttribute: Attribute] = [:]
        for (s, service) in twin.services.enumerated() {
            let stays = old.indices.contains(s) && old[s] == service
            func keep(_ place: PeerAttribute, _ value: Bytes) {
                kept[place] = (stays ? attributes[place] : nil) ?? Attribute(value: value)
            }
            for (c, characteristic) in service.characteristics.enumerated() {
                keep(PeerAttribute(service: s, characteristic: c), characteristic.value ?? [])
                for (d, descriptor) in characteristic.descriptors.enumerated() {
                    keep(PeerAttribute(service: s, characteristic: c, descriptor: d), descriptor.value ?? [])
                }
            }
        }
        attributes = kept
    }
}
#endif
