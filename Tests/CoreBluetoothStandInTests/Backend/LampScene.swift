// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import CoreBluetooth
import Testing

/// A program with a peripheral manager over the backend, which offers a value and advertises.
struct LampScene: Sendable {
    let world: StandInWorld
    let backend: CoreBluetoothPeripheralBackend
    let manager: PeripheralManager
    let service: MutableService
    /// A value of every use.
    let level: MutableCharacteristic

    /// Runs `body` with the program, and ends everything.
    ///
    /// - Parameters:
    ///   - settings: The settings of the stand-in.
    ///   - properties: The properties of the value.
    static func run(
        settings: StandInSettings = .init(),
        _ properties: CharacteristicProperties = [.read, .write, .writeWithoutResponse, .notify, .indicate],
        _ body: @escaping @Sendable (LampScene) async throws -> Void
    ) async throws {
        try await StandInWorld.run(settings: settings) { world in
            let result: Result<Void, any Error>
            do {
                let backend = CoreBluetoothPeripheralBackend()
                let manager = world.makePeripheralManager(over: backend) { $0 }
                try await manager.whenPoweredOn(timeout: .seconds(10))
                let level = MutableCharacteristic(uuid: "2A19", properties: properties, value: [1, 2, 3])
                level.descriptors = [MutableDescriptor(uuid: "2901", permissions: .readable, value: [0x41])]
                let service = MutableService(uuid: "180F")
                service.characteristics = [level]
                try await manager.add(service)
                try await manager.startAdvertising("Lamp")
                try await body(
                    LampScene(world: world, backend: backend, manager: manager, service: service, level: level))
                result = .success(())
            } catch { result = .failure(error) }
            await world.close()
            try result.get()
        }
    }

    /// A far central that is connected, and the value as it has it.
    func connected() async throws -> (far: any FarCentral, level: FarCharacteristic) {
        let far = try await world.farCentral(0)
        let services = try await far.connect(to: far.hear { $0.localName == "Lamp" })
        return (far, try #require(services.flatMap(\.characteristics).first { $0.uuid == "2A19" }))
    }

    /// The values that a far central receives in half a simulated minute, if they are as many as expected.
    func received(_ count: Int, from attribute: AttributeID, by far: any FarCentral) async throws -> [Bytes] {
        let received = Locked<[Bytes]>([])
        let task = world.start {
            let values = try await far.received(from: attribute, count: count)
            received.withLock { $0 = values }
        }
        try await world.elapse(.seconds(30))
        task.cancel()
        return received.withLock { $0 }
    }
}
