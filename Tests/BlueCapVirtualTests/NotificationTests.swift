// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Notifications and indications", .timeLimit(.minutes(60)))
struct NotificationTests {
    private static func notifying(_ properties: CharacteristicProperties = [.notify]) -> [VirtualService] {
        [service(VirtualCharacteristic("FFF1", properties: properties))]
    }

    @Test func `a thousand arrive all and in order, four at each connection event`() async throws {
        try await ConnectedWorld.run(connection: .init(interval: .milliseconds(50))) {
            Self.notifying()
        } _: { world in
            let values = (0..<1000).map { Bytes([UInt8($0 >> 8), UInt8($0 & 0xFF)]) }
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            let duration = await world.duration {
                #expect(await world.characteristic("FFF1").notifyAndFlush(values))
            }
            #expect(duration == .milliseconds(250 * 50))
            #expect(await world.recorder.values(of: world.found.characteristic("FFF1")) == values)
        }
    }

    @Test func `lose nothing over a link that loses half of its packets`() async throws {
        try await ConnectedWorld.run {
            Self.notifying()
        } _: { world in
            let values = (0..<100).map { Bytes([UInt8($0)]) }
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            world.peripheral.setPacketLoss(0.5)
            await world.characteristic("FFF1").notifyAndFlush(values)
            #expect(await world.recorder.values(of: world.found.characteristic("FFF1")) == values)
        }
    }

    @Test func `sent inside the subscription handler come before the subscription's reply`() async throws {
        try await ConnectedWorld.run {
            [
                service(
                    VirtualCharacteristic(
                        "FFF1", properties: [.notify],
                        onSubscribe: { characteristic, isOn in
                            if isOn { characteristic.notify([0xAA]) }
                            return .success(())
                        }))
            ]
        } _: { world in
            world.characteristic("FFF1").sendOnSubscription([[0xBB]])
            let count = await world.recorder.entries.count
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            let kinds = await world.recorder.entries.dropFirst(count).compactMap { entry -> String? in
                switch entry.event {
                case .valueChanged(_, _, let value): value.hex
                case .reply: "reply"
                default: nil
                }
            }
            #expect(kinds == ["bb", "aa", "reply"])
        }
    }

    @Test func `do not come without a subscription, nor after its end, nor after a refused one`() async throws {
        try await ConnectedWorld.run {
            Self.notifying()
        } _: { world in
            let characteristic = world.characteristic("FFF1")
            characteristic.notify([1])
            characteristic.setError(.insufficientResources, for: .subscribe)
            #expect(await world.setNotifying("FFF1", true) == .failure(.att(.insufficientResources)))
            characteristic.notify([2])
            characteristic.setError(nil, for: .subscribe)
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            #expect(characteristic.subscriptionCount == 1)
            #expect(await characteristic.notifyAndFlush([[3]]))
            #expect(await world.setNotifying("FFF1", false) == .success(.done))
            #expect(characteristic.subscriptionCount == 0)
            await characteristic.notifyAndFlush([[4]])
            #expect(await world.recorder.values(of: world.found.characteristic("FFF1")) == [[3]])
        }
    }

    @Test func `a subscription does not outlive its link`() async throws {
        try await ConnectedWorld.run {
            Self.notifying()
        } _: { world in
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            await world.recorder.disconnect(world.id)
            _ = await world.recorder.disconnection(of: world.id)
            #expect(world.characteristic("FFF1").subscriptionCount == 0)
            #expect(await world.recorder.connect(world.id) == nil)
            await world.characteristic("FFF1").notifyAndFlush([[1]])
            #expect(await world.recorder.values(of: world.found.characteristic("FFF1")).isEmpty)
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            #expect(world.characteristic("FFF1").totalSubscriptionCount == 2)
        }
    }

    @Test func `are cut to what a packet holds`() async throws {
        try await ConnectedWorld.run(connection: .init(maximumTransmissionUnit: 23)) {
            Self.notifying()
        } _: { world in
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            await world.characteristic("FFF1").notifyAndFlush([.counting(50)])
            #expect(await world.recorder.values(of: world.found.characteristic("FFF1")) == [.counting(20)])
        }
    }

    @Test func `indications wait for one another's confirmation`() async throws {
        try await ConnectedWorld.run(connection: .init(interval: .milliseconds(50))) {
            Self.notifying([.indicate])
        } _: { world in
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            let duration = await world.duration {
                for value: UInt8 in 0..<5 { #expect(await world.characteristic("FFF1").indicate([value]) == 1) }
            }
            #expect(duration == .milliseconds(500))
            #expect(await world.recorder.values(of: world.found.characteristic("FFF1")) == (0..<5).map { [$0] })
        }
    }

    @Test func `an indication that the end of its link overtakes is not confirmed`() async throws {
        try await ConnectedWorld.run {
            Self.notifying([.indicate])
        } _: { world in
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            world.peripheral.vanish()
            #expect(await world.characteristic("FFF1").indicate([1]) == 0)
            #expect(await world.recorder.values(of: world.found.characteristic("FFF1")).isEmpty)
        }
    }

    @Test func `an update goes out in the way that the central subscribed`() async throws {
        try await ConnectedWorld.run {
            Self.notifying([.read, .indicate])
        } _: { world in
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            world.characteristic("FFF1").update([8])
            #expect(await world.recorder.value(of: world.found.characteristic("FFF1")) == [8])
            #expect(await world.read("FFF1") == .success(.value([8])))
        }
    }

    @Test func `what was queued before the peripheral's own disconnect still arrives`() async throws {
        try await ConnectedWorld.run {
            Self.notifying()
        } _: { world in
            #expect(await world.setNotifying("FFF1", true) == .success(.done))
            world.characteristic("FFF1").notify((0..<10).map { [$0] })
            world.peripheral.disconnect()
            _ = await world.recorder.disconnection(of: world.id)
            #expect(await world.recorder.values(of: world.found.characteristic("FFF1")).count == 10)
        }
    }
}
