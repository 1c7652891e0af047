// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCapture
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation

/// A far device of the test bed in the central role: another Bluetooth stack in another process.
final class BedCentral: FarCentral {
    private let client: BedClient
    private let device: Int
    /// The longest ATT packet.
    private let unit: Int
    let address: PeerIdentifier

    /// The far device is put on the air first: it needs an address of its own.
    init(client: BedClient, device: Int, unit: Int, pairing: PeerPairing) async throws {
        struct Answer: Decodable { let address: String }
        self.client = client
        self.device = device
        self.unit = unit
        let peer = Twin(name: "Far", mtu: unit)
        let parameters: [String: JSON] = [
            "device": .int(device), "peer": .object(peer), "pairing": .object(pairing),
        ]
        let answer = try await client.request("configure", parameters, as: Answer.self)
        address = PeerIdentifier(answer.address)
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

    // MARK: The air

    func listen(for duration: Duration) async throws -> [HeardDevice] {
        struct Heard: Decodable {
            let address: String
            let isPublic: Bool
            let advertisement: String
            let scanResponse: String
            let count: Int
            let phy: SecondaryPHY?

            enum CodingKeys: String, CodingKey {
                case address, advertisement, scanResponse, count, phy
                case isPublic = "public"
            }
        }
        struct Answer: Decodable { let devices: [Heard] }
        let parameters: [String: JSON] = ["duration": .double(duration / .seconds(1))]
        return try await send("central_listen", parameters, as: Answer.self).devices.map { heard in
            let (packet, response) = (try Bytes(hex: heard.advertisement), try Bytes(hex: heard.scanResponse))
            return HeardDevice(
                identifier: PeerIdentifier(heard.address), isPublic: heard.isPublic,
                advertisements: PeripheralAdvertisements(packets: [packet, response]),
                scanResponse: PeripheralAdvertisements(packets: [response]), count: heard.count,
                secondaryPHY: heard.phy)
        }
    }

    func hear(
        _ isWanted: @escaping @Sendable (PeripheralAdvertisements) -> Bool
    ) async throws -> HeardDevice {
        while true {
            try Task.checkCancellation()
            let devices = try await listen(for: .milliseconds(300))
            if let heard = devices.first(where: { isWanted($0.advertisements) }) { return heard }
        }
    }

    // MARK: The database

    private struct Database: Decodable {
        struct Service: Decodable {
            let uuid: String
            let characteristics: [Characteristic]
        }
        struct Characteristic: Decodable {
            let uuid: String
            let handle: UInt16
            let properties: UInt16
            let descriptors: [Descriptor]
        }
        struct Descriptor: Decodable {
            let uuid: String
            let handle: UInt16
        }
        let services: [Service]
        let mtu: Int?

        var found: [FarService] {
            get throws {
                try services.map { service in
                    FarService(
                        uuid: try BluetoothUUID(text: service.uuid),
                        characteristics: try service.characteristics.map { characteristic in
                            let descriptors = try characteristic.descriptors.map {
                                (try BluetoothUUID(text: $0.uuid), AttributeID(handle: $0.handle))
                            }
                            return FarCharacteristic(
                                uuid: try BluetoothUUID(text: characteristic.uuid),
                                id: AttributeID(handle: characteristic.handle),
                                properties: CharacteristicProperties(rawValue: characteristic.properties),
                                descriptors: Dictionary(descriptors) { first, _ in first })
                        })
                }
            }
        }
    }

    func connect(to device: HeardDevice) async throws -> [FarService] {
        let parameters: [String: JSON] = [
            "address": .string(device.identifier.text), "public": .bool(device.isPublic), "mtu": .int(unit),
        ]
        let database = try await send("central_connect", parameters, as: Database.self)
        guard database.mtu == unit else { throw BedError(description: "the MTU is \(database.mtu ?? 0)") }
        return try database.found
    }

    func discover() async throws -> [FarService] { try await send("central_discover", as: Database.self).found }

    func serviceChange() async throws -> ClosedRange<AttributeID>? {
        struct Answer: Decodable {
            let first: UInt16
            let last: UInt16
        }
        let change = try await send("central_service_change", ["timeout": .int(20)], as: Answer.self)
        guard change.first <= change.last else {
            throw BedError(description: "Service Changed of \(change.first) to \(change.last)")
        }
        return AttributeID(handle: change.first)...AttributeID(handle: change.last)
    }

    func pair() async throws -> Bool {
        struct Answer: Decodable { let isPaired: Bool }
        return try await send("central_pair", as: Answer.self).isPaired
    }

    func disconnect() async throws { try await send("central_disconnect") }

    // MARK: Values

    func read(_ attribute: AttributeID) async throws -> Result<Bytes, ATTError> {
        struct Answer: Decodable { let value: String }
        return try await outcome {
            try Bytes(hex: try await send("central_read", ["attribute": .int(attribute)], as: Answer.self).value)
        }
    }

    func write(
        _ value: Bytes, to attribute: AttributeID, isCommand: Bool
    ) async throws -> Result<Void, ATTError> {
        try await outcome {
            _ = try await send(
                "central_write",
                ["attribute": .int(attribute), "value": .string(value.hex), "response": .bool(!isCommand)])
        }
    }

    /// An answer with a code is an outcome; any other error is a failure of the bed.
    private func outcome<Value>(_ operation: () async throws -> Value) async throws -> Result<Value, ATTError> {
        do {
            return .success(try await operation())
        } catch let error as BedError {
            guard let code = error.code else { throw error }
            return .failure(ATTError(rawValue: code))
        }
    }

    func subscribe(to attribute: AttributeID, indications: Bool) async throws {
        try await send("central_subscribe", ["attribute": .int(attribute), "indicate": .bool(indications)])
    }

    func unsubscribe(from attribute: AttributeID) async throws {
        try await send("central_unsubscribe", ["attribute": .int(attribute)])
    }

    func received(from attribute: AttributeID, count: Int) async throws -> [Bytes] {
        try await received(from: attribute, count: count, within: 140)
    }

    /// The same, if they come within some seconds.
    func received(from attribute: AttributeID, count: Int, within seconds: Int) async throws -> [Bytes] {
        struct Answer: Decodable { let values: [String] }
        let parameters: [String: JSON] = ["attribute": .int(attribute), "count": .int(count), "timeout": .int(seconds)]
        return try await send("central_received", parameters, as: Answer.self).values.map { try Bytes(hex: $0) }
    }
}

extension JSON {
    fileprivate static func int(_ attribute: AttributeID) -> JSON { .int(Int(attribute.rawValue)) }
}
#endif
