// SPDX-License-Identifier: MIT

import BlueCapGateway
import BlueCapPlatform

/// Trials of the gateway in simulated time, for Tests/Tool/gateway_trials.
@main
struct GatewayTrial {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.compactMap { UInt64($0) }
        let isPassed: Bool
        switch (arguments.first, numbers.count) {
        case ("flood", 2):
            let address = try BrokerAddress(text: "mqtt://127.0.0.1:\(numbers[0])")
            isPassed = try await SightingFlood(address, minutes: Int(numbers[1])).run()
            print("\(isPassed ? 1 : 0) passed, \(isPassed ? 0 : 1) failed")
        case ("days", 2):
            isPassed = try await days(numbers[0]..<numbers[0] + max(numbers[1], 1))
        default:
            print("usage: bluecap-gateway-trial flood PORT MINUTES | days FIRST-SEED COUNT")
            exit(64)
        }
        exit(isPassed ? 0 : 1)
    }

    /// Plays a day for each seed, two at a time.
    private static func days(_ seeds: Range<UInt64>) async throws -> Bool {
        var (failed, done, firstMemory) = (0, 0, 0)
        var total = GatewaySimulation.Findings()
        try await withThrowingTaskGroup(of: (UInt64, GatewaySimulation.Findings).self) { group in
            var left = seeds.makeIterator()
            let add = { (seed: UInt64) in group.addTask { (seed, try await GatewaySimulation.run(seed: seed)) } }
            for _ in 0..<2 { left.next().map(add) }
            for try await (seed, found) in group {
                left.next().map(add)
                if !found.mistakes.isEmpty {
                    failed += 1
                    print("seed \(seed) FAILED: \(found.mistakes.prefix(5).joined(separator: "; "))")
                }
                done += 1
                if done == 20 { firstMemory = ResidentMemory.bytes }
                total.sightings += found.sightings
                total.faults += found.faults
                total.messages.made += found.messages.made
                total.messages.published += found.messages.published
                total.messages.replaced += found.messages.replaced
                total.messages.dropped += found.messages.dropped
            }
        }
        print("\(done) days: \(total.sightings) sightings, \(total.faults) faults, \(total.messages)")
        if done > 20 {
            // Two days at a time may hold copies of payloads of 10 MB, which the allocator keeps.
            let growth = ResidentMemory.bytes - firstMemory
            print("\(growth / 1024) kB more than after 20 of them")
            if growth > 48 << 20 { failed += 1 }
        }
        print("\(seeds.count - failed) passed, \(failed) failed")
        return failed == 0
    }
}
