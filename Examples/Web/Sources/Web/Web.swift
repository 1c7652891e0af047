// SPDX-License-Identifier: MIT

import BlueCap
import CoreMetrics
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// Shows the heart rates of all straps in reach to browsers on this machine, until SIGINT or SIGTERM. `--port` chooses
/// a port other than 8080, and 0 any that is free. With `--virtual` there are two virtual straps.
@main
struct Web {
    static func main() async {
        // Before the manager is made, which takes the factory of that moment.
        let metrics = PrometheusMetrics()
        MetricsSystem.bootstrap(metrics)
        let gym = CommandLine.arguments.contains("--virtual") ? VirtualGym() : nil
        let central = if let gym { CentralManager(backend: gym.radio.central()) } else { CentralManager() }
        let logger = Logger(label: "web")
        let server = Application(
            router: HeartRates(central: central, logger: logger).router(metrics),
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { announce(port: $0.localAddress?.port) }, logger: logger)
        // The last one ends first: by the time the manager ends its links, nobody uses them.
        var services: [any ServiceLifecycle.Service] = [central, StrapScan(central: central, logger: logger), server]
        if let gym { services.insert(gym, at: 0) }
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigint, .sigterm, .sighup], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(15)
        do { try await ServiceGroup(configuration: configuration).run() } catch {
            // The port is taken, for example.
            logger.critical("\(error)")
            exit(1)
        }
    }

    private static var port: Int {
        let arguments = CommandLine.arguments
        let place = arguments.firstIndex(of: "--port").map { $0 + 1 }
        return place.flatMap { $0 < arguments.count ? Int(arguments[$0]) : nil } ?? 8080
    }

    /// Writes the address at once: where the output goes into a pipe, `print` would keep it back.
    private static func announce(port: Int?) {
        FileHandle.standardOutput.write(Data("http://127.0.0.1:\(port ?? 0)/\n".utf8))
    }
}
