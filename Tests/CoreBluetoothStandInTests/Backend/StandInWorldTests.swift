// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import CoreBluetooth
import Testing

/// The conformance suite on the CoreBluetooth backend, over the stand-in.
@Suite("CoreBluetooth over the stand-in shows every behaviour", .serialized, .timeLimit(.minutes(60)))
struct StandInWorldTests {
    @Test(arguments: StandInLimits.possible(Conformance.central))
    func `of the central role`(_ behaviour: Behaviour) async throws { try await StandInWorld.run(behaviour) }

    @Test(arguments: StandInLimits.possible(Conformance.peripheral))
    func `of the peripheral role`(_ behaviour: Behaviour) async throws { try await StandInWorld.run(behaviour) }

    /// Habits of the phone that its documentation does not settle.
    @Test(arguments: StandInLimits.possible(Conformance.central))
    func `of the central role, with the habits that are read elsewhere`(_ behaviour: Behaviour) async throws {
        try await StandInWorld.run(
            behaviour, settings: .init(faults: [.attributesEnd, .answersInside, .silentForConnected]))
    }

    @Test(arguments: StandInLimits.possible(Conformance.peripheral))
    func `of the peripheral role, with the habits that are read elsewhere`(_ behaviour: Behaviour) async throws {
        try await StandInWorld.run(behaviour, settings: .init(faults: [.answersInside]))
    }

    @Test(
        arguments: StandInLimits.possible(ConformancePart.channels.behaviours),
        [[.joinsUnits], [.cutsUnits], [.answersInside, .joinsUnits, .endsEarly]] as [Set<StandInFault>])
    func `of channels, whose streams join and cut units`(
        _ behaviour: Behaviour, _ faults: Set<StandInFault>
    ) async throws {
        try await StandInWorld.run(behaviour, settings: .init(faults: faults))
    }

    @Test(arguments: StandInLimits.possible(Conformance.central), [300, 1000])
    func `of the central role, on links with so many milliseconds from one event to the next`(
        _ behaviour: Behaviour, _ interval: Int
    ) async throws {
        try await StandInWorld.run(behaviour, interval: .milliseconds(interval))
    }

    @Test func `a random program's far central takes each value once, however often it subscribes`() async throws {
        try await LampScene.run { lamp in
            let (base, level) = try await lamp.connected()
            let far = BufferedCentral(base, in: lamp.world)
            async let first: Void = far.subscribe(to: level.id, indications: false)
            async let second: Void = far.subscribe(to: level.id, indications: false)
            _ = try await (first, second)
            try await far.subscribe(to: level.id, indications: false)
            #expect(try await lamp.world.wait { lamp.level.subscribers.count == 1 })
            try lamp.level.update([1])
            try await lamp.world.elapse(.seconds(5))
            #expect(try await far.received(from: level.id, count: 0) == [[1]])
        }
    }

    @Test func `a random program's far central gives up an attempt to connect`() async throws {
        try await LampScene.run { lamp in
            let far = BufferedCentral(try await lamp.world.farCentral(0), in: lamp.world)
            let device = try await far.hear { $0.localName == "Lamp" }
            try await lamp.manager.stopAdvertising()
            await #expect(throws: PeripheralError.connectionTimeout) { try await far.connect(to: device) }
        }
    }

    @Test func `a peer's service that stays keeps its values when another one comes`() async throws {
        let services = (["FFE0", "FFE1"] as [BluetoothUUID]).map { uuid in
            TwinService(
                uuid, characteristics: [TwinCharacteristic("2A19", properties: .read, value: [1])])
        }
        try await StandInWorld.run { world in
            let peer = try await world.peer(0)
            _ = try await peer.configure(Twin(name: "Peer", services: services))
            for number in 0..<2 { try await peer.setValue([2], of: PeerAttribute(service: number)) }
            try await peer.changeServices([services[0], TwinService("FFE2"), services[1]])
            #expect(try await peer.value(of: PeerAttribute()) == [2])
            // At another place it is another service.
            #expect(try await peer.value(of: PeerAttribute(service: 2)) == [1])
            await world.close()
        }
    }

    @Test func `the claimed parts have at most 40 limits, each with its rule`() {
        #expect(StandInLimits.claimedCount <= 40)
        let rules = StandInLimits.all.map { String($0.reason.prefix { $0 != ":" }) } + StandInLimits.impossible.keys
        #expect(rules.allSatisfy { $0.count == 2 || $0.count == 3 })
    }

    @Test func `each behaviour that is left out is one of the suite`() {
        let all = Conformance.central + Conformance.peripheral
        let names = StandInLimits.impossible.values.joined()
        #expect(Set(names).subtracting(all.map(\.name)).isEmpty)
        #expect(StandInLimits.possible(all).count == all.count - names.count)
    }
}
