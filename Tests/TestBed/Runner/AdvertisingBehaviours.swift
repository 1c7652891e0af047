// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting

/// The behaviours of advertising that depend on the daemon and the kernel.
enum AdvertisingBehaviours {
    private static let company: UInt16 = 0xFFFF

    /// Those of the bed's controllers.
    static let all = BedWorld.isExtended ? common : [takingTurns] + common

    /// A controller with extended advertising sends each of its sets.
    private static let takingTurns = DaemonBehaviour(
        "two advertisements take turns where the controller sends one, each for its duration"
    ) { world in
        let manager = try await world.makePeripheralManager()
        try await manager.whenPoweredOn()
        func advertisement(_ number: UInt8, _ duration: Duration) -> Advertisement {
            Advertisement(
                manufacturerData: [company: [number]], interval: .milliseconds(30)...(.milliseconds(30)),
                duration: duration)
        }
        try await manager.startAdvertising(advertisement(1, .seconds(4)))
        let second = try await manager.advertise(advertisement(2, .seconds(1)))
        let turns = try await fullTurns(heardBy: try await world.farCentral(0))
        try await second.stop()
        let (long, short) = (turns[1] ?? .zero, turns[2] ?? .zero)
        // Without durations both are two seconds long.
        guard long > .seconds(3), short < long / 2 else {
            throw ConformanceFailure("turns of 4 s and 1 s took \(long) and \(short)")
        }
    }

    private static let common: [DaemonBehaviour] = [
        DaemonBehaviour(
            "without -E, an interval is refused where bluetoothd does not look at it, and what needs none is advertised"
        ) { world in
            try await world.killDaemon()
            try await world.startDaemon(experimental: false)
            let manager = try await world.makePeripheralManager()
            try await manager.whenPoweredOn()
            let isTaken = try await AdvertisingTrial.reads("MinInterval")
            do throws(PeripheralManagerError) {
                try await manager.startAdvertising(
                    Advertisement(localName: "Ours", interval: .milliseconds(30)...(.milliseconds(30))))
                guard isTaken else { throw .isAdvertising }
                try await manager.stopAdvertising()
            } catch {
                guard !isTaken, error == .advertisingOptionNotSupported(.interval) else {
                    throw ConformanceFailure("the interval gave \(error)")
                }
            }
            try await manager.startAdvertising("Ours")
            _ = try await world.farCentral(0).hear { $0.localName == "Ours" }
        },
        DaemonBehaviour("with extended advertising, an advertisement outlives a switched-off radio") { world in
            try await world.setExtendedAdvertising(true)
            let manager = try await world.makePeripheralManager()
            try await manager.whenPoweredOn()
            try await manager.startAdvertising("Ours")
            let far = try await world.farCentral(0)
            _ = try await far.hear { $0.localName == "Ours" }
            try await world.setPower(false)
            for await state in manager.states() where state == .poweredOff { break }
            try await world.setPower(true)
            _ = try await far.hear { $0.localName == "Ours" }
        },
        DaemonBehaviour("with extended advertising, 102 bytes arrive whole on each PHY, or are refused as too long") {
            world in
            try await world.setExtendedAdvertising(true)
            let manager = try await world.makePeripheralManager()
            try await manager.whenPoweredOn()
            let far = try await world.farCentral(0)
            for phy in SecondaryPHY.allCases {
                try await expectShort(phy, manager, far)
                // 6 of a name, 4 and 92 of data, and the 3 of flags that bluetoothd adds.
                let data = Bytes((0..<92 as Range<UInt8>).map { $0 })
                let advertisement = Advertisement(
                    localName: "Ours", manufacturerData: [company: data], secondaryPHY: phy)
                do throws(PeripheralManagerError) {
                    try await manager.startAdvertising(advertisement)
                } catch {
                    let isLong = BedWorld.bluetoothd >= BlueZVersion(5, 82)
                    guard !isLong, error == .advertisementTooLong(excess: 74) else {
                        throw ConformanceFailure("102 bytes on \(phy) gave \(error)")
                    }
                    continue
                }
                let heard = try await far.hear { $0.manufacturerData[company] == data }
                guard heard.secondaryPHY == phy, heard.advertisements.localName == "Ours" else {
                    throw ConformanceFailure("102 bytes on \(phy) were heard as \(heard)")
                }
                try await manager.stopAdvertising()
            }
        },
    ]

    /// A short advertisement of each kind is on the PHY that was asked for.
    private static func expectShort(
        _ phy: SecondaryPHY, _ manager: PeripheralManager, _ far: any FarCentral
    ) async throws {
        for kind in [Advertisement.Kind.connectable, .broadcast] {
            // A broadcast with a name is refused.
            let advertisement = Advertisement(
                kind: kind, localName: kind == .connectable ? "Ours" : nil, manufacturerData: [company: [1]],
                secondaryPHY: phy)
            try await manager.startAdvertising(advertisement)
            let heard = try await far.hear { $0.manufacturerData[company] == [1] }
            guard heard.secondaryPHY == phy, heard.advertisements.localName == advertisement.localName else {
                throw ConformanceFailure("a short advertisement on \(phy) was heard as \(heard)")
            }
            try await manager.stopAdvertising()
        }
    }

    /// The duration of the first turn of each of two advertisements that was heard from its beginning to its end.
    private static func fullTurns(heardBy far: any FarCentral) async throws -> [UInt8: Duration] {
        var lengths: [UInt8: Duration] = [:]
        var current: (number: UInt8, start: ContinuousClock.Instant?)?
        while lengths.count < 2 {
            try Task.checkCancellation()
            let heard = try await far.listen(for: .milliseconds(100))
            let now = ContinuousClock.now
            guard let number = heard.lazy.compactMap({ $0.advertisements.manufacturerData[company]?.first }).first,
                number != current?.number
            else { continue }
            if let current, let start = current.start, lengths[current.number] == nil {
                lengths[current.number] = now - start
            }
            // The beginning of the first turn that is heard is not known.
            current = (number, current == nil ? nil : now)
        }
        return lengths
    }
}
#endif
