// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The start of most behaviours of the peripheral role: a manager that is on, one service, a central that found it.
struct PeripheralScene: Sendable {
    let world: any ConformanceWorld
    let manager: PeripheralManager
    let service: MutableService
    let far: any FarCentral
    let device: HeardDevice
    let found: [FarService]

    /// The name under which the suite advertises.
    static let name = "Ours"

    /// A manager that is on, with a service of the given characteristics added and advertised.
    static func advertising(
        _ characteristics: [MutableCharacteristic], in world: any ConformanceWorld
    ) async throws -> (manager: PeripheralManager, service: MutableService) {
        let manager = try await world.makePoweredPeripheralManager()
        let service = MutableService(uuid: .service(0))
        service.characteristics = characteristics
        try await manager.add(service)
        try await manager.startAdvertising(name)
        return (manager, service)
    }

    /// The same, found and connected to by a far central.
    static func connected(
        _ characteristics: MutableCharacteristic..., in world: any ConformanceWorld
    ) async throws -> PeripheralScene {
        let (manager, service) = try await advertising(characteristics, in: world)
        return try await connected(to: manager, service, in: world)
    }

    /// A manager that advertises, and one of its services, found and connected to by a far central.
    static func connected(
        to manager: PeripheralManager, _ service: MutableService, in world: any ConformanceWorld
    ) async throws -> PeripheralScene {
        let far = try await world.farCentral(0)
        let device = try await far.hear { $0.localName == name }
        let found = try await far.connect(to: device)
        return PeripheralScene(
            world: world, manager: manager, service: service, far: far, device: device, found: found)
    }

    /// A scene with one characteristic, and the requests of the central to read it.
    static func readable(
        _ properties: CharacteristicProperties, value: Bytes? = nil, in world: any ConformanceWorld
    ) async throws -> (PeripheralScene, AsyncStream<AttributeReadRequest>) {
        let characteristic = MutableCharacteristic(0, properties, value: value)
        let requests = characteristic.readRequests()
        return (try await connected(characteristic, in: world), requests)
    }

    /// A scene with one characteristic, and the requests of the central to write it.
    static func writable(
        _ properties: CharacteristicProperties, permissions: AttributePermissions = [.readable, .writeable],
        value: Bytes? = nil, in world: any ConformanceWorld
    ) async throws -> (PeripheralScene, AsyncStream<WriteRequest>) {
        let characteristic = MutableCharacteristic(0, properties, permissions: permissions, value: value)
        let requests = characteristic.writeRequests()
        return (try await connected(characteristic, in: world), requests)
    }

    /// The characteristic with the suite's UUID of that number, as the central found it.
    func remote(_ number: Int = 0) throws -> FarCharacteristic {
        try require(found.characteristic(number), "characteristic \(number) at the central")
    }

    /// Our characteristic of that place.
    func local(_ number: Int = 0) -> MutableCharacteristic { service.characteristics[number] }

    func read(_ number: Int = 0) async throws -> Result<Bytes, ATTError> {
        try await far.read(try remote(number).id)
    }

    func write(_ value: Bytes, _ number: Int = 0, isCommand: Bool = false) async throws -> Result<Void, ATTError> {
        try await far.write(value, to: try remote(number).id, isCommand: isCommand)
    }

    func subscribe(_ number: Int = 0, indications: Bool = false) async throws {
        try await far.subscribe(to: try remote(number).id, indications: indications)
    }

    func received(_ number: Int = 0, count: Int) async throws -> [Bytes] {
        try await far.received(from: try remote(number).id, count: count)
    }
}

extension [FarService] {
    /// The first characteristic with the suite's UUID of that number.
    func characteristic(_ number: Int) -> FarCharacteristic? {
        flatMap(\.characteristics).first { $0.uuid == .characteristic(number) }
    }
}

extension ConformanceWorld {
    func makePoweredPeripheralManager() async throws -> PeripheralManager {
        let manager = try await makePeripheralManager()
        try await manager.whenPoweredOn()
        return manager
    }
}

extension MutableCharacteristic {
    /// A characteristic with the suite's UUID of that number.
    convenience init(
        _ number: Int = 0, _ properties: CharacteristicProperties,
        permissions: AttributePermissions = [.readable, .writeable], value: Bytes? = nil
    ) {
        self.init(uuid: .characteristic(number), properties: properties, permissions: permissions, value: value)
    }
}

/// Throws unless a write or read was answered with `expected`.
func expectAnswer<Value>(
    _ answer: Result<Value, ATTError>, _ expected: ATTError?, _ what: @autoclosure () -> String,
    file: StaticString = #fileID, line: UInt = #line
) throws {
    var actual: ATTError?
    if case .failure(let error) = answer { actual = error }
    try expectEqual(actual, expected, "the error of \(what())", file: file, line: line)
}
