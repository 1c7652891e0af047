// SPDX-License-Identifier: MIT

import BlueCapGateway
import BlueCapPlatform

/// Trials of the gateway in simulated time, for Tests/Tool/gateway_trials.
@main
struct GatewayTrial {
    /// How much more memory may be allocated after the last day than after the first ones.
    private static let growthLimit = 256 << 10

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
        var (failed, done, first) = (0, 0, (days: 0, bytes: 0))
        var total = GatewaySimulation.Findings()
        while done < seeds.count {
            try await withThrowingTaskGroup(of: (UInt64, GatewaySimulation.Findings).self) { group in
                for seed in seeds.dropFirst(done).prefix(2) {
                    group.addTask { (seed, try await GatewaySimulation.run(seed: seed)) }
                }
                for try await (seed, found) in group {
                    done += 1
                    total.sightings += found.sightings
                    total.faults += found.faults
                    total.messages = total.messages + found.messages
                    if found.mistakes.isEmpty { continue }
                    failed += 1
                    print("seed \(seed) FAILED: \(found.mistakes.prefix(5).joined(separator: "; "))")
                }
            }
            // The first days make what is kept for all of them.
            if first.days == 0, done >= 4 { first = (done, AllocatedMemory.bytes) }
        }
        print("\(done) days: \(total.sightings) sightings, \(total.faults) faults, \(total.messages)")
        if done > first.days, first.days > 0 {
            let growth = AllocatedMemory.bytes - first.bytes
            print("\(growth / 1024) kB more are allocated than after \(first.days) of them")
            if growth > growthLimit || first.bytes == 0 { failed += 1 }
        }
        print("\(seeds.count - failed) passed, \(failed) failed")
        return failed == 0
    }
}
