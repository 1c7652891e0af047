// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCapture
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import Foundation

/// A far device of the test bed: another Bluetooth stack in another process.
final class BedPeer: ConformancePeer {
    private let client: BedClient
    private let device: Int
    /// The bed hands out each write once; the writes that it has handed out are kept here.
    private let taken = Locked([PeerAttribute: [PeerWrite]]())
    /// The same for units of channels, by their PSM.
    let units = Locked([UInt16: [Bytes]]())

    init(client: BedClient, device: Int) {
        self.client = client
        self.device = device
    }

    @discardableResult
    func send(_ command: String, _ parameters: [String: JSON] = [:]) async throws -> Data {
        try await client.request(command, parameters.merging(["device": .int(device)]) { $1 })
    }

    func send<Answer: Decodable>(
        _ command: String, _ parameters: [String: JSON] = [:], as type: Answer.Type
    ) async throws -> Answer {
        try JSONDecoder().decode(type, from: try await send(command, parameters))
    }

    // MARK: The device

    func configure(_ device: Twin, pairing: PeerPairing) async throws -> PeerIdentifier {
        struct Answer: Decodable { let address: String }
        taken.withLock { $0 = [:] }
        units.withLock { $0 = [:] }
        return PeerIdentifier(
            try await send(
                "configure", ["peer": .object(device), "pairing": .object(pairing)], as: Answer.self
            ).address)
    }

    func advertise(_ isOn: Bool) async throws { try await send("advertise", ["enabled": .bool(isOn)]) }

    /// Advertises under the controller's own address, which is public.
    func advertisePublicly() async throws -> PeerIdentifier {
        struct Answer: Decodable { let address: String }
        let parameters: [String: JSON] = ["enabled": .bool(true), "public": .bool(true)]
        return PeerIdentifier(try await send("advertise", parameters, as: Answer.self).address)
    }

    func updateAdvertisement(_ advertisement: TwinAdvertisement) async throws {
        try await send("update_advertisement", ["advertisement": .object(advertisement)])
    }

    func setRSSI(_ rssi: Int) async throws { try await send("rssi", ["value": .int(rssi)]) }

    func disconnect() async throws { try await send("disconnect") }

    func vanish() async throws { try await send("vanish") }

    func mute() async throws { try await send("mute") }

    func holdDiscovery() async throws { try await send("hold_discovery") }

    func comeBack() async throws { try await send("return") }

    func refuseConnections(_ refuses: Bool) async throws {
        try await send("refuse_connections", ["enabled": .bool(refuses)])
    }

    func connections() async throws -> PeerConnections {
        struct Answer: Decodable {
            let connections: Int
            let total: Int
        }
        let answer = try await send("connections", as: Answer.self)
        return PeerConnections(current: answer.connections, total: answer.total)
    }

    func wait(forConnection parameters: ConnectionParameters) async throws {
        let interval = parameters.intervalUnits
        try await send(
            "timing",
            [
                "interval": .list([.int(Int(interval.lowerBound)), .int(Int(interval.upperBound))]),
                "latency": .int(parameters.latency), "supervision": .int(Int(parameters.supervisionTimeoutUnits)),
            ])
    }

    /// Returns the number of advertisements that were sent, once there are `more` than now.
    func advertisementCount(after more: Int = 0) async throws -> Int {
        struct Answer: Decodable { let sent: Int }
        return try await send("advertised", ["more": .int(more)], as: Answer.self).sent
    }

    func changeServices(_ services: [TwinService]) async throws {
        try await send("service_changed", ["services": .object(services)])
    }

    // MARK: Attributes

    func setValue(_ value: Bytes, of attribute: PeerAttribute) async throws {
        try await send("set_value", ["attribute": .object(attribute), "value": .bytes(value)])
    }

    func value(of attribute: PeerAttribute) async throws -> Bytes {
        struct Answer: Decodable { let value: String }
        return try Bytes(hex: try await send("value", ["attribute": .object(attribute)], as: Answer.self).value)
    }

    func writes(to attribute: PeerAttribute) async throws -> [PeerWrite] {
        struct Write: Decodable {
            let value: String
            let kind: PeerWrite.Kind
        }
        struct Answer: Decodable { let writes: [Write] }
        let answer = try await send("writes", ["attribute": .object(attribute)], as: Answer.self)
        let new = try answer.writes.map { PeerWrite(try Bytes(hex: $0.value), kind: $0.kind) }
        return taken.withLock { taken in
            taken[attribute, default: []] += new
            return taken[attribute, default: []]
        }
    }

    func setError(_ error: ATTError?, of attribute: PeerAttribute, on access: PeerAccess) async throws {
        let code = error.map { JSON.int(Int($0.rawValue)) } ?? .null
        try await send(
            "set_error", ["attribute": .object(attribute), "on": .string(access.rawValue), "code": code])
    }

    func hold(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        try await send("hold", ["attribute": .object(attribute), "on": .string(access.rawValue)])
    }

    func answerHeld(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        try await send("release", ["attribute": .object(attribute), "keep": .bool(true)])
    }

    func release(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        try await send("release", ["attribute": .object(attribute)])
    }

    func wait(until condition: PeerCondition) async throws {
        var parameters: [String: JSON] = ["timeout": .int(120)]
        switch condition {
        case .connected: parameters["event"] = .string("connected")
        case .disconnected: parameters["event"] = .string("disconnected")
        case .subscribed(let attribute):
            parameters["event"] = .string("subscribed")
            parameters["attribute"] = .object(attribute)
        case .unsubscribed(let attribute):
            parameters["event"] = .string("unsubscribed")
            parameters["attribute"] = .object(attribute)
        case .held(let attribute, _):
            parameters["event"] = .string("held")
            parameters["attribute"] = .object(attribute)
        case .written(let attribute, let count):
            parameters["event"] = .string("written")
            parameters["attribute"] = .object(attribute)
            parameters["count"] = .int(count - taken.withLock { $0[attribute]?.count ?? 0 })
        }
        try await send("wait", parameters)
    }

    func notify(_ attribute: PeerAttribute, _ values: [Bytes]) async throws {
        try await send("notify", ["attribute": .object(attribute), "values": .list(values.map(JSON.bytes))])
    }

    func notifyMany(_ attribute: PeerAttribute, count: Int, size: Int) async throws {
        try await send(
            "notify_many", ["attribute": .object(attribute), "count": .int(count), "size": .int(size)])
    }

    func indicate(_ attribute: PeerAttribute, _ values: [Bytes]) async throws -> Int {
        struct Answer: Decodable { let confirmed: Int }
        let parameters: [String: JSON] = ["attribute": .object(attribute), "values": .list(values.map(JSON.bytes))]
        return try await send("indicate", parameters, as: Answer.self).confirmed
    }

    func notifyOnSubscribe(_ attribute: PeerAttribute, _ value: Bytes?) async throws {
        let value = value.map(JSON.bytes) ?? .null
        try await send("notify_on_subscribe", ["attribute": .object(attribute), "value": value])
    }

    func subscriptions(to attribute: PeerAttribute) async throws -> PeerSubscriptions {
        struct Answer: Decodable {
            let current: Int
            let total: Int
        }
        let answer = try await send("subscriptions", ["attribute": .object(attribute)], as: Answer.self)
        return PeerSubscriptions(current: answer.current, total: answer.total)
    }

    /// Ends the advertisements and links of the device, and brings it back into range.
    func quieten() async {
        // A device that was not configured refuses all of this.
        _ = try? await send("return")
        _ = try? await send("advertise", ["enabled": .bool(false)])
        if let connections = try? await connections(), connections.current > 0 { _ = try? await send("disconnect") }
    }
}
#endif
