// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// The advertisements of the peripheral role as a central hears them.
    static let advertising: [Behaviour] = [
        heard("a local name", Advertisement(localName: "Ours")) { $0.localName == "Ours" },
        heard("a 16-bit service UUID", Advertisement(localName: "Ours", serviceUUIDs: ["180D"])) {
            $0.serviceUUIDs.contains("180D")
        },
        heard("a 128-bit service UUID", Advertisement(localName: "Ours", serviceUUIDs: [.service(0)])) {
            $0.serviceUUIDs.contains(.service(0))
        },
        heard("manufacturer data", Advertisement(localName: "Ours", manufacturerData: [0xFFFF: [1, 2, 3]])) {
            $0.manufacturerData == [0xFFFF: [1, 2, 3]]
        },
        heard("service data", Advertisement(localName: "Ours", serviceData: ["180F": [0x64]])) {
            $0.serviceData["180F"] == [0x64]
        },
        heard("an appearance", Advertisement(localName: "Ours", appearance: 0x0341)) { $0.appearance == 0x0341 },
        heard(
            "a service that is sought", Advertisement(localName: "Ours", solicitedServiceUUIDs: ["1805"]),
            field: "solicitedServiceUUIDs"
        ) {
            $0.solicitedServiceUUIDs == ["1805"]
        },
        heard("that a transmit power is told", Advertisement(localName: "Ours", includesTxPower: true)) {
            $0.txPower != nil
        },
        heard(
            "a structure of any other type",
            Advertisement(localName: "Ours", structures: [ADStructure(type: 0x26, data: [1, 2, 3])])
        ) {
            $0.structures.contains(ADStructure(type: 0x26, data: [1, 2, 3]))
        },
        Behaviour("an advertisement that nobody can connect to is heard with its bytes") { world in
            let manager = try await world.makePoweredPeripheralManager()
            let frame = Bytes.pattern(count: 23)
            let advertisement = Advertisement(kind: .broadcast, manufacturerData: [0x004C: frame])
            try await manager.startAdvertising(advertisement)
            let heard = try await world.farCentral(0).hear { $0.manufacturerData[0x004C] != nil }
            try expectEqual(heard.advertisements.manufacturerData, [0x004C: frame], "the manufacturer data")
        },
        Behaviour("a second advertisement is refused while one is on the air") { world in
            let manager = try await world.makePoweredPeripheralManager()
            try await manager.startAdvertising("Ours")
            try expect(manager.isAdvertising, "the manager does not advertise")
            try await expectThrows(PeripheralManagerError.isAdvertising, "starting again") {
                try await manager.startAdvertising("Other")
            }
            let far = try await world.farCentral(0)
            _ = try await far.hear { $0.localName == "Ours" }
            try await expectSilence(far, about: "Other")
        },
        Behaviour("an advertisement that is stopped is not heard, and another can be started") { world in
            let manager = try await world.makePoweredPeripheralManager()
            try await manager.startAdvertising("Ours")
            let far = try await world.farCentral(0)
            _ = try await far.hear { $0.localName == "Ours" }
            try await manager.stopAdvertising()
            try expect(!manager.isAdvertising, "the manager still advertises")
            try await expectSilence(far)
            try await manager.startAdvertising("Second")
            _ = try await far.hear { $0.localName == "Second" }
        },
        Behaviour("stopping is done at once when nothing is advertised") { world in
            let manager = try await world.makePoweredPeripheralManager()
            try await manager.stopAdvertising()
            try expect(!manager.isAdvertising, "the manager advertises")
        },
        Behaviour("an advertisement is changed while it is on the air") { world in
            let manager = try await world.makePoweredPeripheralManager()
            try await manager.startAdvertising(Advertisement(localName: "Ours", manufacturerData: [0xFFFF: [1]]))
            let far = try await world.farCentral(0)
            _ = try await far.hear { $0.manufacturerData[0xFFFF] == [1] }
            try await manager.updateAdvertisement(Advertisement(localName: "Ours", manufacturerData: [0xFFFF: [2]]))
            let heard = try await far.hear { $0.manufacturerData[0xFFFF] == [2] }
            try expectEqual(heard.advertisements.localName, "Ours", "the name")
        },
        Behaviour("an advertisement that does not fit is refused with the bytes that are too many") { world in
            let manager = try await world.makePoweredPeripheralManager()
            // 3 bytes of flags and 4 + 60 of data: 36 more than 31.
            let long = Advertisement(manufacturerData: [0xFFFF: .pattern(count: 60)])
            try await expectThrows(PeripheralManagerError.advertisementTooLong(excess: 36), "starting it") {
                try await manager.startAdvertising(long)
            }
            let heard = try await world.farCentral(0).listen(for: .seconds(1))
            try expect(heard.allSatisfy { $0.advertisements.manufacturerData[0xFFFF] == nil }, "it is heard: \(heard)")
            try await manager.startAdvertising("Ours")
        },
        Behaviour("several advertisements are on the air at once") { world in
            let manager = try await world.makePoweredPeripheralManager()
            try await manager.startAdvertising(Advertisement(localName: "Ours", manufacturerData: [0xFFFF: [1]]))
            let second = try await manager.advertise(Advertisement(manufacturerData: [0xFFFE: [2]]))
            let far = try await world.farCentral(0)
            _ = try await far.hear { $0.manufacturerData[0xFFFE] == [2] }
            _ = try await far.hear { $0.manufacturerData[0xFFFF] == [1] }
            try await second.stop()
            try expect(manager.isAdvertising, "the first advertisement went with the second")
            let heard = try await far.listen(for: .seconds(1))
            try expect(
                heard.allSatisfy { $0.advertisements.manufacturerData[0xFFFE] == nil },
                "the second advertisement is still heard: \(heard)")
            _ = try await far.hear { $0.manufacturerData[0xFFFF] == [1] }
        },
    ]

    /// - Parameter field: The name of the field, under which a central that cannot see it has a limit.
    private static func heard(
        _ what: String, _ advertisement: Advertisement, field: String? = nil,
        _ isAsSent: @escaping @Sendable (PeripheralAdvertisements) -> Bool
    ) -> Behaviour {
        Behaviour("a central hears \(what)") { world in
            let manager = try await world.makePoweredPeripheralManager()
            try await manager.startAdvertising(advertisement)
            let far = try await world.farCentral(0)
            let isTold = !far.limits.contains { limit in field.map { limit.subject == .advertisingField($0) } ?? false }
            let heard = try await far.hear { $0.localName == "Ours" && (!isTold || isAsSent($0)) }
            try expect(
                isAsSent(heard.advertisements) == isTold, "\(what) is not as expected: \(heard.advertisements)")
        }
    }
}
