// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import BlueCapVirtual
import Testing

#if BlueZ && os(Linux)
import BlueCapFakeBlueZ
#endif

/// An app that does not read, and a central that does not wait for it.
@Suite("Write commands to an app that does not read", .serialized, .timeLimit(.minutes(60)))
struct WriteCommandTests {
    /// The commands that a stream keeps of 3,000, by its capacity.
    static let kept: [(StreamCapacity, Range<UInt16>)] = [
        (.newest(1024), 1976..<3000), (.oldest(100), 0..<100), (.unbounded, 0..<3000),
    ]

    /// Takes 3,000 commands of a far central without reading one, and then reads them.
    private static func flood(
        _ capacity: StreamCapacity, _ kept: Range<UInt16>, in world: some ConformanceWorld
    ) async throws {
        let commands = MutableCharacteristic(uuid: "FFF1", properties: .writeWithoutResponse)
        let marker = MutableCharacteristic(uuid: "FFF2", properties: .read, value: [7])
        let service = MutableService(uuid: "FFF0")
        service.characteristics = [commands, marker]
        let manager = try await world.makePeripheralManager()
        try await manager.whenPoweredOn()
        try await manager.add(service)
        let stream = commands.writeRequests(capacity: capacity)
        try await manager.startAdvertising("Ours")
        let far = try await world.farCentral(0)
        let found = try await far.connect(to: try await far.hear { $0.localName == "Ours" })
        let remote = found.flatMap(\.characteristics)
        let place = try #require(remote.first { $0.uuid == "FFF1" }).id
        for value in 0..<UInt16(3000) {
            _ = try await far.write(SerDe.serialize(value), to: place, isCommand: true)
        }
        // It comes behind them.
        #expect(try await far.read(try #require(remote.first { $0.uuid == "FFF2" }).id) == .success([7]))
        #expect(commands.droppedRequestCount == 3000 - kept.count)
        // A command is worth no less for the end of its link.
        try await far.disconnect()
        var accepted: [UInt16] = []
        for await request in stream.prefix(kept.count) where request.accept() {
            accepted.append(try SerDe.deserialize(request.value))
        }
        #expect(accepted == Array(kept))
        #expect(commands.value == SerDe.serialize(try #require(kept.last)))
    }

    @Test(arguments: kept)
    func `on the virtual radio the capacity is kept, and each other one is counted`(
        _ capacity: StreamCapacity, _ kept: Range<UInt16>
    ) async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(100_000)) { radio in
            let world = VirtualWorld(radio: radio)
            try await Self.flood(capacity, kept, in: world)
            await world.close()
        }
    }

    #if BlueZ && os(Linux)
    @Test(arguments: kept)
    func `over a scripted bluetoothd the capacity is kept, and each other one is counted`(
        _ capacity: StreamCapacity, _ kept: Range<UInt16>
    ) async throws {
        let world = try await FakeWorld()
        try await Self.flood(capacity, kept, in: world)
        await world.close()
    }
    #endif
}
