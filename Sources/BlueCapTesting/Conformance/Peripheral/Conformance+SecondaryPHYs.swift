// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Extended advertising.
    static let secondaryPHYs: [Behaviour] =
        SecondaryPHY.allCases.map { phy in
            Behaviour("an advertisement on the secondary PHY \(phy.rawValue) is heard with its name, or refused") {
                world in
                let manager = try await world.makePoweredPeripheralManager()
                let advertisement = Advertisement(
                    localName: "Ours", manufacturerData: [0xFFFF: [7, 8]], secondaryPHY: phy)
                if try await isExtendedRefused(advertisement, by: manager, in: world) { return }
                let heard = try await world.farCentral(0).hear { $0.manufacturerData[0xFFFF] == [7, 8] }
                try expectEqual(heard.advertisements.localName, "Ours", "the name")
                if let found = heard.secondaryPHY { try expectEqual(found, phy, "the PHY") }
                try expect(heard.scanResponse?.localName == nil, "the name is in a scan response")
            }
        } + [
            Behaviour("an advertisement of 102 bytes on each secondary PHY is heard whole, or refused as too long") {
                world in
                let manager = try await world.makePoweredPeripheralManager()
                for phy in SecondaryPHY.allCases {
                    // 6 for the name, 4 and 92 of data, and 3 more for the flags.
                    let data = Bytes.pattern(count: 92)
                    let advertisement = Advertisement(
                        localName: "Ours", manufacturerData: [0xFFFF: data], secondaryPHY: phy)
                    if world.limit(.longAdvertisement) != nil {
                        try await expectThrows(
                            PeripheralManagerError.advertisementTooLong(excess: 74), "starting it"
                        ) { try await manager.startAdvertising(advertisement) }
                        continue
                    }
                    if try await isExtendedRefused(advertisement, by: manager, in: world) { return }
                    let heard = try await world.farCentral(0).hear { $0.manufacturerData[0xFFFF] == data }
                    try expectEqual(heard.advertisements.localName, "Ours", "the name")
                    if let found = heard.secondaryPHY { try expectEqual(found, phy, "the PHY") }
                    try await manager.stopAdvertising()
                }
            },
            Behaviour("an advertisement keeps its kind of advertising on the air, and takes another after a stop") {
                world in
                let manager = try await world.makePoweredPeripheralManager()
                let extended = Advertisement(localName: "Other", secondaryPHY: .le1M)
                try await manager.startAdvertising("Ours")
                try await expectThrows(
                    PeripheralManagerError.advertisingOptionNotSupported(.secondaryPHY), "changing it"
                ) { try await manager.updateAdvertisement(extended) }
                let far = try await world.farCentral(0)
                _ = try await far.hear { $0.localName == "Ours" }
                try await manager.stopAdvertising()
                if try await isExtendedRefused(extended, by: manager, in: world) { return }
                _ = try await far.hear { $0.localName == "Other" }
                try await manager.updateAdvertisement(
                    Advertisement(localName: "Third", manufacturerData: [0xFFFF: [3]], secondaryPHY: .le1M))
                let heard = try await far.hear { $0.manufacturerData[0xFFFF] == [3] }
                try expectEqual(heard.advertisements.localName, "Third", "the name")
            },
        ]

    /// Where the platform has no extended advertising, shows that it is refused and that nothing is sent; otherwise
    /// starts the advertisement.
    private static func isExtendedRefused(
        _ advertisement: Advertisement, by manager: PeripheralManager, in world: any ConformanceWorld
    ) async throws -> Bool {
        guard let limit = world.limit(.advertising(.secondaryPHY)) else {
            try await manager.startAdvertising(advertisement)
            return false
        }
        let error = PeripheralManagerError.advertisingOptionNotSupported(.secondaryPHY)
        try expectEqual(error.reason, limit.error, "the reason")
        try await expectThrows(error, "starting it") { try await manager.startAdvertising(advertisement) }
        try expect(!manager.isAdvertising, "the manager advertises")
        let far = try await world.farCentral(0)
        try await expectSilence(far, about: advertisement.localName ?? "")
        try await manager.startAdvertising("Ours")
        _ = try await far.hear { $0.localName == "Ours" }
        return true
    }
}
