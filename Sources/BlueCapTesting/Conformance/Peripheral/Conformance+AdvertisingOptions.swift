// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// The ways in which the peripheral role sends its advertisements.
    static let advertisingOptions: [Behaviour] = [
        flags("an advertisement that centrals may connect to", Advertisement(localName: "Ours"), isDiscoverable: true),
        flags(
            "an advertisement that is discoverable", Advertisement(localName: "Ours", isDiscoverable: true),
            isDiscoverable: true),
        flags(
            "an advertisement that is not discoverable", Advertisement(localName: "Ours", isDiscoverable: false),
            isDiscoverable: false),
        flags("a broadcast", Advertisement(kind: .broadcast, localName: "Ours"), isDiscoverable: false),
        Behaviour("an advertisement with a timeout is off the air once it is over, and nothing is advertised any more")
        {
            world in
            let manager = try await world.makePoweredPeripheralManager()
            // Longer than a kernel that has to finish a discovery of before (10.24 s) keeps a central from scanning.
            let timeout = Duration.seconds(12)
            try await manager.startAdvertising(Advertisement(localName: "Ours", timeout: timeout))
            let far = try await world.farCentral(0)
            _ = try await far.hear { $0.localName == "Ours" }
            try expect(manager.isAdvertising, "the manager does not advertise")
            try await world.elapse(timeout)
            try await world.untilFalse { manager.isAdvertising }
            try await expectSilence(far)
            try await manager.startAdvertising("Second")
            _ = try await far.hear { $0.localName == "Second" }
        },
        Behaviour("an advertisement with a duration that is alone does not end after it") { world in
            let manager = try await world.makePoweredPeripheralManager()
            try await manager.startAdvertising(Advertisement(localName: "Ours", duration: .seconds(1)))
            let far = try await world.farCentral(0)
            _ = try await far.hear { $0.localName == "Ours" }
            _ = try await far.listen(for: .seconds(2))
            _ = try await far.hear { $0.localName == "Ours" }
            try expect(manager.isAdvertising, "the manager does not advertise any more")
        },
        Behaviour("an advertisement with an interval of a second is heard that seldom") { world in
            let interval = Duration.seconds(1)...(.milliseconds(1100))
            let (_, count) = try await countHeard(
                Advertisement(localName: "Ours", interval: interval), for: .seconds(6), in: world)
            // Five or six; the time may be longer than it was asked for, and the default is ten times as often.
            try expect((3...12).contains(count), "it was heard \(count) times in six seconds")
        },
        Behaviour("an advertisement with an interval of 25 ms is heard that often") { world in
            let interval = Duration.milliseconds(25)...(.milliseconds(30))
            let (far, count) = try await countHeard(
                Advertisement(localName: "Ours", interval: interval), for: .seconds(3), in: world)
            // Some hundred; at the shortest interval that is the default anywhere, 100 ms, it would be thirty. Where
            // several are one report, more than there would be at an interval of half a second.
            let least = far.limit(.advertisementCount) == nil ? 51 : 7
            try expect(count >= least, "it was heard \(count) times in three seconds")
        },
        Behaviour("an interval that is changed on the air, to longer, shorter and none, is the one that is heard") {
            world in
            let manager = try await world.makePoweredPeripheralManager()
            let far = try await world.farCentral(0)
            func advertisement(_ number: UInt8, _ milliseconds: Int?) -> Advertisement {
                let interval = milliseconds.map { Duration.milliseconds($0)...(.milliseconds($0)) }
                return Advertisement(localName: "Ours", manufacturerData: [0xFFFF: [number]], interval: interval)
            }
            try await manager.startAdvertising(advertisement(0, 100))
            for (number, milliseconds) in [(1, 2000), (2, 40), (3, 2000), (4, nil)] as [(UInt8, Int?)] {
                try await manager.updateAdvertisement(advertisement(number, milliseconds))
                _ = try await far.hear { $0.manufacturerData[0xFFFF] == [number] }
                let heard = try await far.listen(for: .seconds(4))
                let count = heard.filter { $0.advertisements.localName == "Ours" }.map(\.count).reduce(0, +)
                let least = far.limit(.advertisementCount) == nil ? 21 : 7
                let isAsOften = milliseconds == 2000 ? (1..<10).contains(count) : count >= least
                try expect(isAsOften, "update \(number) was heard \(count) times")
            }
        },
        Behaviour("what the scan response is to say is heard in it, beside the name, or refused") { world in
            let manager = try await world.makePoweredPeripheralManager()
            let (shown, asked) = (ADStructure(type: 0x26, data: .pattern(count: 24)), Bytes.pattern(count: 20))
            let advertisement = Advertisement(
                localName: "Ours", structures: [shown], scanResponse: [ADStructure(type: 0x24, data: asked)])
            if try await isRefused(.scanResponse, advertisement, by: manager, in: world) { return }
            let far = try await world.farCentral(0)
            let heard = try await far.hear { $0.localName == "Ours" }
            let expected = [shown, ADStructure(type: 0x24, data: asked)]
            // Where packets are heard unchanged, the name is a structure, too, and so are flags that the platform adds.
            // A platform that reports structures by type has no order.
            let types = Set(expected.map(\.type))
            func own(_ advertisements: PeripheralAdvertisements) -> [ADStructure] {
                advertisements.structures.filter { types.contains($0.type) }.sorted { $0.type > $1.type }
            }
            try expectEqual(own(heard.advertisements), expected, "the structures")
            if far.limit(.scanResponseApart) == nil {
                let response = try require(heard.scanResponse, "the scan response")
                try expectEqual(response.localName, "Ours", "the name in the scan response")
                try expectEqual(own(response), Array(expected.suffix(1)), "the structures of the scan response")
            } else {
                try expectEqual(heard.scanResponse, nil, "the scan response")
            }
        },
        Behaviour("a transmit power is asked for, or refused") { world in
            let manager = try await world.makePoweredPeripheralManager()
            let advertisement = Advertisement(localName: "Ours", includesTxPower: true, txPower: -12)
            if try await isRefused(.txPower, advertisement, by: manager, in: world) { return }
            let heard = try await world.farCentral(0).hear { $0.localName == "Ours" }
            try expectEqual(heard.advertisements.txPower, -12, "the transmit power")
        },
        Behaviour("what no advertisement can be is refused before anything is sent") { world in
            let manager = try await world.makePoweredPeripheralManager()
            for (advertisement, option) in [
                (Advertisement(kind: .broadcast, isDiscoverable: true), .isDiscoverable),
                (Advertisement(interval: .milliseconds(19)...(.seconds(1))), .interval),
                (Advertisement(interval: .seconds(1)...(.milliseconds(10_241))), .interval),
                (Advertisement(txPower: 21), .txPower), (Advertisement(txPower: -128), .txPower),
                (
                    Advertisement(scanResponse: [ADStructure(type: 0x24, data: [1])], secondaryPHY: .le1M),
                    .scanResponse
                ),
            ] as [(Advertisement, AdvertisingOption)] {
                try await expectThrows(
                    PeripheralManagerError.advertisingOptionNotSupported(option), "starting \(advertisement)"
                ) { try await manager.startAdvertising(advertisement) }
            }
            try expect(!manager.isAdvertising, "the manager advertises")
        },
    ]

    private static func flags(
        _ what: String, _ advertisement: Advertisement, isDiscoverable: Bool
    ) -> Behaviour {
        Behaviour("\(what) \(isDiscoverable ? "says" : "does not say") that it is in the flags") { world in
            let manager = try await world.makePoweredPeripheralManager()
            try await manager.startAdvertising(advertisement)
            let heard = try await world.farCentral(0).hear { $0.localName == "Ours" }
            let flags = heard.advertisements.flags ?? []
            try expectEqual(flags.contains(.generalDiscoverable), isDiscoverable, "the general discoverable flag")
            try expect(!flags.contains(.limitedDiscoverable), "the limited discoverable flag is set")
        }
    }

    /// The number of times that a central hears an advertisement within the time.
    private static func countHeard(
        _ advertisement: Advertisement, for duration: Duration, in world: any ConformanceWorld
    ) async throws -> (far: any FarCentral, count: Int) {
        let manager = try await world.makePoweredPeripheralManager()
        try await manager.startAdvertising(advertisement)
        let far = try await world.farCentral(0)
        let heard = try await far.listen(for: duration).filter {
            $0.advertisements.localName == advertisement.localName
        }
        return (far, heard.map(\.count).reduce(0, +))
    }

    /// Nothing with the suite's name is heard for a second.
    static func expectSilence(_ far: any FarCentral, about name: String = "Ours") async throws {
        let heard = try await far.listen(for: .seconds(1)).filter { $0.advertisements.localName == name }
        try expect(heard.isEmpty, "it is still heard: \(heard)")
    }

    /// If the platform cannot send an option, shows that the option is refused, that nothing is sent, and that the same
    /// advertisement without it can be sent; otherwise starts the advertisement.
    private static func isRefused(
        _ option: AdvertisingOption, _ advertisement: Advertisement, by manager: PeripheralManager,
        in world: any ConformanceWorld
    ) async throws -> Bool {
        guard let limit = world.limit(.advertising(option)) else {
            try await manager.startAdvertising(advertisement)
            return false
        }
        let error = PeripheralManagerError.advertisingOptionNotSupported(option)
        try expectEqual(error.reason, limit.error, "the reason")
        for _ in 0..<2 {
            try await expectThrows(error, "starting it") { try await manager.startAdvertising(advertisement) }
        }
        try expect(!manager.isAdvertising, "the manager advertises")
        let far = try await world.farCentral(0)
        try await expectSilence(far)
        try await manager.startAdvertising(Advertisement(localName: "Ours", manufacturerData: [0xFFFF: [1]]))
        _ = try await far.hear { $0.localName == "Ours" }
        // A refused change leaves the advertisement on the air as it was.
        try await expectThrows(error, "changing it") { try await manager.updateAdvertisement(advertisement) }
        try expect(manager.isAdvertising, "the manager does not advertise any more")
        _ = try await far.hear { $0.localName == "Ours" && $0.manufacturerData[0xFFFF] == [1] }
        return true
    }
}

extension FarCentral {
    fileprivate func limit(_ subject: WorldLimit.Subject) -> WorldLimit? { limits.first { $0.subject == subject } }
}

extension ConformanceWorld {
    /// Waits for a condition that comes about by itself.
    fileprivate func untilFalse(_ condition: () -> Bool) async throws {
        while condition() { try await deadlineClock.sleep(for: .milliseconds(20)) }
    }
}
