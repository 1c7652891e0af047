// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import BlueCapFakeBlueZ
import Testing

/// The conformance suite on the BlueZ backend, over a real message bus with a scripted `org.bluez`.
@Suite("BlueZ over a scripted daemon shows every behaviour", .serialized, .timeLimit(.minutes(60)))
struct FakeWorldTests {
    @Test(arguments: Conformance.central)
    func `of the central role`(_ behaviour: Behaviour) async throws {
        try await Conformance.run(behaviour, in: FakeWorld(), limit: .seconds(3600))
    }

    @Test(arguments: Conformance.peripheral)
    func `of the peripheral role`(_ behaviour: Behaviour) async throws {
        try await Conformance.run(behaviour, in: FakeWorld(), limit: .seconds(3600))
    }

    @Test func `time passes there only when what the daemon has sent was received`() async throws {
        let world = try await FakeWorld()
        let central = try await world.makeCentral()
        try await central.whenPoweredOn()
        let peer = try await world.peer(0)
        _ = try await peer.configure(Twin(name: "Peer"))
        try await peer.advertise(true)
        let received = try await withEventRecorder(of: central.scan()) { sightings in
            try await sightings.first(1)
            try await world.fake.withAir { air in
                let far = try air.device(0)
                for count in 1...200 {
                    far.update(
                        TwinAdvertisement(
                            data: PeripheralAdvertisements(
                                localName: "Peer", manufacturerData: [0xFFFF: [UInt8(count)]])))
                }
                far.advertise(false)
            }
            let before = world.clock.date
            try await world.elapse(.seconds(40))
            let last = try await sightings.first { $0.advertisements.manufacturerData == [0xFFFF: [200]] }
            return last.date.sinceEpoch - before.sinceEpoch
        }
        await world.close()
        #expect(received < .seconds(40))
    }
}
#endif
