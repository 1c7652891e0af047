// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import WireRadio

/// The device as the suite moves it.
extension WireDevice: ConformancePeer {
    func configure(_ device: Twin, pairing: PeerPairing) async throws -> PeerIdentifier {
        let address = become(device)
        try arrive()
        return address
    }

    func advertise(_ isOn: Bool) async throws {
        isAdvertising = isOn
        advertise()
    }

    func updateAdvertisement(_ advertisement: TwinAdvertisement) async throws {
        self.advertisement = advertisement
        advertise()
    }

    func setRSSI(_ rssi: Int) async throws {
        self.rssi = rssi
        advertise()
    }

    // MARK: Attributes

    func setValue(_ value: Bytes, of attribute: PeerAttribute) async throws {
        try database.setValue(value, of: attribute)
    }

    func value(of attribute: PeerAttribute) async throws -> Bytes { try database.value(of: attribute) }

    func writes(to attribute: PeerAttribute) async throws -> [PeerWrite] { try database.writes(to: attribute) }

    func setError(_ error: ATTError?, of attribute: PeerAttribute, on access: PeerAccess) async throws {
        try database.setError(error, of: attribute, on: access)
    }

    func hold(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        held[AttributeAccessKey(try database.number(of: attribute), access)] = []
    }

    func answerHeld(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        let key = AttributeAccessKey(try database.number(of: attribute), access)
        let messages = held.updateValue([], forKey: key) ?? []
        for message in messages { answer(message) }
    }

    func release(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        let messages = held.removeValue(forKey: AttributeAccessKey(try database.number(of: attribute), access)) ?? []
        for message in messages { answer(message) }
    }

    // MARK: Values

    func notify(_ attribute: PeerAttribute, _ values: [Bytes]) async throws {
        guard try database.subscriptions(to: attribute).current > 0 else { return }
        let number = try database.number(of: attribute)
        for value in values { send(.notification(attribute: number, value: value)) }
    }

    func notifyMany(_ attribute: PeerAttribute, count: Int, size: Int) async throws {
        let values = (0..<count).map { number in
            Bytes((0..<size).map { $0 < 4 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 })
        }
        try await notify(attribute, values)
    }

    func indicate(_ attribute: PeerAttribute, _ values: [Bytes]) async throws -> Int {
        let number = try database.number(of: attribute)
        let before = confirmationCount
        for (index, value) in values.enumerated() {
            guard try database.subscriptions(to: attribute).current > 0 else { break }
            send(.indication(attribute: number, value: value))
            try await wait { confirmationCount > before + index || link == nil }
        }
        return confirmationCount - before
    }

    func notifyOnSubscribe(_ attribute: PeerAttribute, _ value: Bytes?) async throws {
        try database.setGreeting(value, of: attribute)
    }

    func subscriptions(to attribute: PeerAttribute) async throws -> PeerSubscriptions {
        try database.subscriptions(to: attribute)
    }

    // MARK: Trouble

    func disconnect() async throws {
        guard let link else { return }
        send(.disconnected(link: link))
        endLink()
        advertise()
    }

    func vanish() async throws { leave() }

    func mute() async throws { isMuted = true }

    func comeBack() async throws {
        isMuted = false
        try arrive()
        advertise()
    }

    func wait(forConnection parameters: ConnectionParameters) async throws {
        throw ConformanceFailure("the wire has no parameters")
    }

    func refuseConnections(_ refuses: Bool) async throws { refusesConnections = refuses }

    func connections() async throws -> PeerConnections {
        PeerConnections(current: link == nil ? 0 : 1, total: totalConnectionCount)
    }

    func changeServices(_ services: [TwinService]) async throws {
        database = DeviceDatabase(services)
        held = [:]
        send(.services(database.services))
    }

    func wait(until condition: PeerCondition) async throws {
        try await wait { (try? meets(condition)) ?? false }
    }

    private func meets(_ condition: PeerCondition) throws -> Bool {
        switch condition {
        case .connected: link != nil
        case .disconnected: link == nil
        case .held(let attribute, let access):
            held[AttributeAccessKey(try database.number(of: attribute), access)]?.isEmpty == false
        case .subscribed(let attribute): try database.subscriptions(to: attribute).current > 0
        case .unsubscribed(let attribute): try database.subscriptions(to: attribute).current == 0
        case .written(let attribute, let count): try database.writes(to: attribute).count >= count
        }
    }
}
