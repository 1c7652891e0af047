// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import Testing

@testable import BlueCapCoreBluetooth
@testable import CoreBluetooth

/// Rules of the peripheral role that the backend follows, seen by a far central.
@Suite(.timeLimit(.minutes(60)))
struct PeripheralRuleTests {
    @Test func `G2: a service and one that it includes are added in order, and removed the other way`() async throws {
        try await LampScene.run { lamp in
            let outer = MutableService(uuid: "FFE0")
            outer.includedServices = [lamp.service]
            try await lamp.manager.add(outer)
            let (far, _) = try await lamp.connected()
            #expect(try await Set(far.discover().map(\.uuid)).isSuperset(of: ["180F", "FFE0"]))
            try await lamp.manager.removeAllServices()
            try await lamp.world.elapse(.seconds(1))
            #expect(try await Set(far.discover().map(\.uuid)).isDisjoint(with: ["180F", "FFE0"]))
            #expect(lamp.world.host.misuses.isEmpty)
        }
    }

    @Test func `G5: a change of a published service counts from its next publication on`() async throws {
        try await LampScene.run { lamp in
            lamp.service.characteristics = [MutableCharacteristic(uuid: "2A1A", properties: .read, value: [5])]
            let far = try await lamp.world.farCentral(0)
            let before = try await far.connect(to: far.hear { $0.localName == "Lamp" })
            #expect(before.filter { $0.uuid == "180F" }.flatMap(\.characteristics).map(\.uuid) == ["2A19"])
            try await lamp.manager.remove(lamp.service)
            try await lamp.manager.add(lamp.service)
            try await lamp.world.elapse(.seconds(1))
            let after = try await far.discover()
            #expect(after.filter { $0.uuid == "180F" }.flatMap(\.characteristics).map(\.uuid) == ["2A1A"])
        }
    }

    @Test func `G6: properties that a local characteristic cannot have are left out, and trap nothing`() async throws {
        try await LampScene.run([.read, .broadcast, .extendedProperties, .notify]) { lamp in
            let (_, level) = try await lamp.connected()
            #expect(level.properties.contains([.read, .notify]))
            #expect(level.properties.isDisjoint(with: [.broadcast, .extendedProperties]))
        }
    }

    @Test func `H4: an advertisement ends in time`() async throws {
        try await LampScene.run { lamp in
            try await lamp.manager.stopAdvertising()
            try await lamp.manager.startAdvertising(Advertisement(localName: "Lamp", timeout: .seconds(2)))
            #expect(lamp.manager.isAdvertising)
            try await lamp.world.elapse(.seconds(3))
            #expect(!lamp.manager.isAdvertising)
            let far = try await lamp.world.farCentral(0)
            #expect(try await far.listen(for: .seconds(3)).isEmpty)
        }
    }

    @Test func `I4: an access that the program does not answer is answered within 30 s`() async throws {
        try await LampScene.run { lamp in
            let (far, level) = try await lamp.connected()
            let requests = lamp.level.readRequests()
            let before = lamp.world.clock.elapsed
            let answer = try await far.read(level.id)
            #expect(answer != .success([1, 2, 3]))
            #expect(lamp.world.clock.elapsed - before < .seconds(30))
            #expect(lamp.backend.accessTimeLimit == .seconds(30))
            withExtendedLifetime(requests) {}
        }
    }

    @Test func `I5: an answer after the central has left does no harm`() async throws {
        try await LampScene.run { lamp in
            let (far, level) = try await lamp.connected()
            var requests = lamp.level.readRequests().makeAsyncIterator()
            let read = lamp.world.start { try await far.read(level.id) }
            let request = try #require(await requests.next())
            try await far.disconnect()
            _ = await read.result
            request.respond([9])
            try await lamp.world.elapse(.seconds(1))
            let (_, again) = try await lamp.connected()
            let next = lamp.world.start { try await far.read(again.id) }
            let second = try #require(await requests.next())
            second.respond([8])
            #expect(try await next.value == .success([8]))
        }
    }

    @Test func `I6: errors of an application reach the central as they are`() async throws {
        try await LampScene.run { lamp in
            let (far, level) = try await lamp.connected()
            var requests = lamp.level.readRequests().makeAsyncIterator()
            for code in [0x02, 0x11, 0x80, 0x9F, 0xFC, 0xFF] as [UInt8] {
                let error = ATTError(rawValue: code)
                #expect(lamp.backend.isSendable(error))
                let read = lamp.world.start { try await far.read(level.id) }
                let request = try #require(await requests.next())
                request.respond(error)
                #expect(try await read.value == .failure(error))
            }
            for code in [0x00, 0x12, 0xA0, 0xFB] as [UInt8] {
                #expect(!lamp.backend.isSendable(ATTError(rawValue: code)))
            }
        }
    }

    @Test func `I7: a subscriber is one central, with the length that it takes`() async throws {
        try await LampScene.run { lamp in
            let (far, level) = try await lamp.connected()
            try await far.subscribe(to: level.id, indications: false)
            #expect(try await lamp.world.wait { lamp.level.subscribers.count == 1 })
            let subscriber = try #require(lamp.level.subscribers.first)
            #expect(!subscriber.isAggregate)
            #expect(subscriber.maximumUpdateLength == 182)
            try lamp.level.update([7], for: subscriber)
            #expect(try await lamp.received(1, from: level.id, by: far) == [[7]])
        }
    }

    @Test func `I8: a descriptor is answered by the system`() async throws {
        try await LampScene.run { lamp in
            let (far, level) = try await lamp.connected()
            let text = try #require(level.descriptors["2901"])
            #expect(try await far.read(text) == .success([0x41]))
            #expect(lamp.world.host.liveCount(.requests) == 0)
        }
    }

    @Test func `J2: updates without a subscriber are not lost in CoreBluetooth, and reach the next one`() async throws {
        try await LampScene.run { lamp in
            let early = (0..<20).map { Bytes([UInt8($0)]) }
            lamp.level.updatePolicy = .newest(100)
            for value in early { try lamp.level.update(value) }
            try await lamp.world.elapse(.seconds(1))
            let (far, level) = try await lamp.connected()
            try await far.subscribe(to: level.id, indications: false)
            #expect(try await lamp.world.wait { lamp.level.subscribers.count == 1 })
            try lamp.level.update([99])
            #expect(try await lamp.received(21, from: level.id, by: far) == early + [[99]])
        }
    }

    @Test func `J4: an indication is over when it is handed over, and reaches the central`() async throws {
        try await LampScene.run([.read, .indicate]) { lamp in
            let (far, level) = try await lamp.connected()
            try await far.subscribe(to: level.id, indications: true)
            #expect(try await lamp.world.wait { lamp.level.subscribers.count == 1 })
            for number in 0..<10 { try lamp.level.update([UInt8(number)]) }
            #expect(try await lamp.received(10, from: level.id, by: far) == (0..<10).map { [UInt8($0)] })
        }
    }
}
