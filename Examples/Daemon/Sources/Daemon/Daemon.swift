// SPDX-License-Identifier: MIT

import BlueCap
import Foundation

/// A sensor gateway: connects to every thermometer in the air, keeps it, and offers the mean of all under one service,
/// until SIGTERM or SIGINT.
///
/// With `--virtual` it does so on a virtual radio with two thermometers, to a central that prints twenty values; with
/// `--virtual --stay` until a signal.
@main
struct Daemon {
    /// The name under which the managers find their state from before the process was killed.
    static let identifier = "sensor-mean"

    static func main() async {
        let readings = Readings(folder: ProcessInfo.processInfo.environment["STATE_DIRECTORY"])
        let systemd = SystemdNotifier(environment: ProcessInfo.processInfo.environment)
        guard CommandLine.arguments.contains("--virtual") else {
            let gateway = Gateway(
                central: CentralManager(configuration: .init(restoreIdentifier: identifier)),
                peripherals: PeripheralManager(configuration: .init(restoreIdentifier: identifier)), readings: readings)
            return await gateway.run(systemd)
        }
        let world = VirtualSensors()
        let gateway = Gateway(
            central: CentralManager(backend: world.radio.central(on: world.adapter)),
            peripherals: PeripheralManager(backend: world.radio.peripheral(on: world.adapter)), readings: readings)
        let count = CommandLine.arguments.contains("--stay") ? Int.max : 20
        await gateway.run(systemd) { await world.run(count: count) }
    }
}

/// Writes a line at once: where the output goes into a log, `print` would keep it back. A log that takes nothing more,
/// as a terminal that was closed, does not end the program.
func log(_ line: String) { try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) }
