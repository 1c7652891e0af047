// SPDX-License-Identifier: MIT

import BlueCap
import Foundation

/// Logs the temperatures of all thermometers in reach as comma-separated values, until Ctrl-C. With `--virtual` there
/// are three virtual ones, of which one is carried away and back, and 600 lines are logged.
@main
struct Logger {
    typealias Temperature = EnvironmentalSensingService.Temperature

    static func main() async throws {
        // Until the links are ended: a terminal that is closed takes no more output first, and sends its signal then.
        async let _ = Interruption.wait()
        let house = CommandLine.arguments.contains("--virtual") ? VirtualHouse() : nil
        let central = if let house { CentralManager(backend: house.radio.central()) } else { CentralManager() }
        let (rows, log) = AsyncStream.makeStream(of: String.self)
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let first = await withThrowingTaskGroup(of: Void.self) { group in
            // On the radio's thread, child tasks included. To write may be to wait, so another task does that.
            group.addTask { try await central.run { try await listen(central) { log.yield($0) } } }
            if let house { group.addTask { try await house.measure() } }
            group.addTask {
                do {
                    try write("time,device,celsius")
                    for await row in rows.prefix(house == nil ? .max : 600) { try write(row) }
                } catch  where isTerminal {
                    // It was closed, which is an end in order.
                }
            }
            group.addTask { await Interruption.wait() }
            // The first to end is the last row, Ctrl-C, or an error.
            defer { group.cancelAll() }
            return await group.nextResult()
        }
        await central.invalidate()
        try first?.get()
    }

    /// Hands a row on for each value of each thermometer, with a child task for each, until the task is cancelled. A
    /// failure is printed to standard error, and the work begins again five seconds later.
    static func listen(_ central: CentralManager, _ log: @escaping @Sendable (String) -> Void) async throws {
        let served = ServedDevices()
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                do {
                    try await central.whenPoweredOn()
                    let options = ScanOptions(allowsDuplicates: true)
                    for try await discovery in central.scan(for: [EnvironmentalSensingService.uuid], options: options) {
                        let peripheral = discovery.peripheral
                        guard discovery.kind != .lost else { continue }
                        guard await served.begin(peripheral.identifier) else { continue }
                        group.addTask {
                            try await listen(to: peripheral, clock: central.clock, log)
                            await served.end(peripheral.identifier)
                        }
                    }
                } catch let error where !Task.isCancelled {
                    report("scan", error)
                }
                try await central.clock.sleep(for: .seconds(5))
            }
        }
    }

    /// Hands a row on for each value of one thermometer, until it has been away for a minute or an operation fails.
    private static func listen(
        to peripheral: Peripheral, clock: BlueCapClock, _ log: @escaping @Sendable (String) -> Void
    ) async throws {
        let policy = ReconnectPolicy(maximumAbsence: .seconds(60))
        do {
            try await peripheral.stayConnected(policy, discovering: [EnvironmentalSensingService.uuid]) { thermometer in
                let temperature = try thermometer.characteristic(Temperature.self)
                for try await value in try await temperature.notifications() {
                    log("\(Date.now.ISO8601Format()),\(thermometer.displayName),\(value.value ?? .nan)")
                }
            }
        } catch let error where !Task.isCancelled {
            report(peripheral.displayName, error)
        }
        try await clock.sleep(for: .seconds(5))
    }

    /// Writes a row at once: where the output goes into a file, `print` would keep it back.
    private static func write(_ row: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data("\(row)\n".utf8))
    }

    private static func report(_ name: String, _ error: any Error) {
        try? FileHandle.standardError.write(contentsOf: Data("\(name): \(error)\n".utf8))
    }
}
