// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import BlueCapVirtual
import BlueCapFakeBlueZ
import BlueCapPrivateBus
import Testing

/// A program that serves for weeks must not grow.
@Suite("A peripheral leaves nothing behind", .serialized, .timeLimit(.minutes(60)))
struct PeripheralLeakTests {
    fileprivate static let rounds = 1000

    private static func makeService() -> MutableService {
        let service = MutableService(uuid: "FFF0")
        service.characteristics = [
            MutableCharacteristic(
                uuid: "FFF1", properties: [.read, .notify], permissions: .readable, value: [1])
        ]
        return service
    }

    /// Registers, is connected to and subscribed to, loses the central, and unregisters.
    ///
    /// - Returns: The service, of which nothing may be left.
    @discardableResult
    fileprivate static func round(_ manager: PeripheralManager, _ far: any FarCentral) async throws -> Weak {
        let service = makeService()
        try await manager.add(service)
        try await manager.startAdvertising("Ours")
        let found = try await far.connect(to: try await far.hear { $0.localName == "Ours" })
        let remote = try #require(found.flatMap(\.characteristics).first { $0.uuid == "FFF1" })
        #expect(try await far.read(remote.id) == .success([1]))
        try await far.subscribe(to: remote.id, indications: false)
        try await far.disconnect()
        try await manager.stopAdvertising()
        try await manager.remove(service)
        return Weak(service)
    }

    @Test func `over a thousand rounds on the virtual radio`() async throws {
        let left = Locked<[Weak]>([])
        try await VirtualRadio.run(seed: 1, limit: .seconds(100_000)) { radio in
            let world = VirtualWorld(radio: radio)
            let manager = try await world.makePeripheralManager()
            try await manager.whenPoweredOn()
            let far = try await world.farCentral(0)
            var services = [try await Self.round(manager, far)]
            // Work that a round leaves to the radio's own time, such as the end of a scan, is over by then.
            try await radio.clock.sleep(for: .seconds(60))
            let timers = radio.manualClock?.timerCount
            for _ in 1..<Self.rounds {
                services.append(try await Self.round(manager, far))
                #expect(manager.services.isEmpty)
            }
            #expect(services.count { $0.object != nil } == 0, "services that outlived their round")
            #expect(await manager.remains == [:])
            try await radio.clock.sleep(for: .seconds(60))
            #expect(radio.manualClock?.timerCount == timers, "timers of the radio")
            #expect(await radio.remains() == [:])
            left.withLock { $0.append(Weak(manager)) }
            await world.close()
        }
        #expect(left.withLock { $0.allSatisfy { $0.object == nil } })
    }

    @Test func `over a thousand rounds on the scripted daemon, descriptors and objects counted`() async {
        // In a process of its own, in which no other test opens descriptors.
        await #expect(processExitsWith: .success) {
            let world = try await FakeWorld()
            let manager = try await world.makePeripheralManager()
            try await manager.whenPoweredOn()
            let far = try await world.farCentral(0)
            try await PeripheralLeakTests.round(manager, far)
            let before = await Process.descriptorsAtFirst()
            for _ in 0..<PeripheralLeakTests.rounds { try await PeripheralLeakTests.round(manager, far) }
            // A socket that its other end has closed is closed a moment later.
            #expect(await Process.settles { Process.descriptorCount <= before })
            #expect(try await world.fake.with { $0.registrationCount } == 0)
            await world.close()
        }
    }

    fileprivate struct Weak: Sendable {
        // Written once, before it is shared.
        private final class Box: Sendable {
            weak let object: (any AnyObject & Sendable)?
            init(_ object: any AnyObject & Sendable) { self.object = object }
        }
        private let box: Box
        init(_ object: any AnyObject & Sendable) { box = Box(object) }
        var object: (any AnyObject & Sendable)? { box.object }
    }
}
#endif
