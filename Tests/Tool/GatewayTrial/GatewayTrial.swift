// SPDX-License-Identifier: MIT

import BlueCapGateway
import BlueCapPlatform

/// Trials of the gateway that take too long in a debug build, for Tests/Tool/gateway_trials.
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
        default:
            print("usage: bluecap-gateway-trial flood PORT MINUTES")
            exit(64)
        }
        exit(isPassed ? 0 : 1)
    }
}
