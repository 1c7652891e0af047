// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import BlueCapVirtual

/// 500 sensors that are heard 20 times a second each, in simulated time, and a gateway to mosquitto.
struct SightingFlood: Sendable {
    private static let sensorCount = 500
    /// How much more memory the gateway may have at the end than after the first minute.
    private static let growthLimit = 1 << 20

    private let address: BrokerAddress
    private let minutes: Int

    /// - Parameters:
    ///   - address: Where mosquitto is.
    ///   - minutes: How long the sensors are heard.
    init(_ address: BrokerAddress, minutes: Int) { (self.address, self.minutes) = (address, minutes) }

    /// - Returns: Whether the memory stayed the same, and each sighting and each message was counted.
    func run() async throws -> Bool {
        try await VirtualRadio.run(seed: 1, limit: .seconds(60 * (minutes + 1))) { radio in
            try await flood(radio)
        }
    }

    private func flood(_ radio: VirtualRadio) async throws -> Bool {
        let sightings = Locked(0)
        let observation = radio.observe { if case .advertisement = $0 { sightings.withLock { $0 += 1 } } }
        let sensors = (0..<Self.sensorCount).map(Self.sensor)
        for sensor in sensors { radio.add(sensor) }
        let broker = CountingPublisher(try Broker(BrokerSettings(address: address, clientID: "flood")))
        broker.broker.open()
        let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
        let gateway = DeviceGateway(GatewayPlan(name: "cellar"), publisher: broker, clock: radio.clock)
        let isPassed = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await LastingScan(central: central, gateway: gateway, clock: radio.clock).run() }
            defer { group.cancelAll() }
            var first = 0
            for minute in 1...max(minutes, 1) {
                for second in 0..<60 {
                    try await radio.clock.sleep(for: .seconds(1))
                    await gateway.tick()
                    // Each second each value changes.
                    for (index, sensor) in sensors.enumerated() {
                        sensor.changeAdvertisement(to: Self.advertising(index, minute * 60 + second))
                    }
                }
                if minute == 1 { first = ResidentMemory.bytes }
            }
            let growth = ResidentMemory.bytes - first
            let heard = await gateway.readFrameCount
            let sent = sightings.withLock { $0 }
            print("\(sent) sightings, \(heard) heard; \(growth / 1024) kB more than after the first minute")
            return growth <= Self.growthLimit && heard == sent && sent > minutes * 60 * 9_900
        }
        radio.stopObserving(observation)
        await central.invalidate()
        let lost = await broker.broker.close(within: .seconds(20))
        let (made, counts) = (broker.count, broker.broker.statistics)
        print("\(made) messages: \(counts), \(lost) lost")
        return isPassed && lost == 0 && made == counts.published + counts.replaced + counts.dropped + counts.refused
    }

    private static func sensor(_ index: Int) -> VirtualPeripheral {
        let digits = String(0x1_0000 + index, radix: 16).dropFirst()
        return VirtualPeripheral(
            name: "Sensor \(index)", address: "A4:C1:38:00:\(digits.prefix(2)):\(digits.suffix(2))",
            advertising: advertising(index, 0))
    }

    /// An event every 50 ms, of which chance adds 5 on average.
    private static func advertising(_ index: Int, _ second: Int) -> VirtualAdvertising {
        let frame = BTHome(objects: [BTHomeObject(0x02, Double((index + second) % 1000) / 10)].compactMap(\.self))
        var advertisement = frame.advertisement
        advertisement.localName = "Sensor \(index)"
        var advertising = VirtualAdvertising(advertisement)
        advertising.interval = .milliseconds(45)
        return advertising
    }
}
