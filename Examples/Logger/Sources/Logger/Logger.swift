// SPDX-License-Identifier: MIT

import BlueCap
import Foundation

/// Logs the temperatures of all thermometers in reach as comma-separated values, until Ctrl-C. With `--virtual` there
/// are three virtual ones, of which one is carried away and back, and 300 lines are logged.
@main
struct Logger {
    typealias Temperature = EnvironmentalSensingService.Temperature

    static func main() async throws {
        let house = CommandLine.arguments.contains("--virtual") ? VirtualHouse() : nil
        let central = if let house { CentralManager(backend: house.radio.central()) } else { CentralManager() }
        let (rows, log) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listen(central) { log.yield($0) } }
            if let house { group.addTask { try await house.measure() } }
            group.addTask {
                print("time,device,celsius")
                for await row in rows.prefix(house == nil ? .max : 300) { print(row) }
            }
            // The first to end is the last row, or an error.
            try await group.next()
            group.cancelAll()
        }
        await central.invalidate()
    }

    /// Hands a row on for each value of each thermometer, with a child task for each, until the task is cancelled.
    static func listen(_ central: CentralManager, _ log: @escaping @Sendable (String) -> Void) async throws {
        let service = EnvironmentalSensingService.uuid
        try await central.whenPoweredOn(timeout: .seconds(5))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for try await discovery in central.scan(for: [service]) where discovery.kind == .discovered {
                let peripheral = discovery.peripheral
                group.addTask {
                    try await peripheral.stayConnected(discovering: [service]) { thermometer in
                        let temperature = try thermometer.characteristic(Temperature.self)
                        for try await value in try await temperature.notifications() {
                            log("\(Date.now.ISO8601Format()),\(thermometer.displayName),\(value.value ?? .nan)")
                        }
                    }
                }
            }
        }
    }
}
