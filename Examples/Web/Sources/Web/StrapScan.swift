// SPDX-License-Identifier: MIT

import BlueCap
import Logging
import ServiceLifecycle

/// Looks for straps for as long as the server runs; the manager keeps the found ones.
struct StrapScan: ServiceLifecycle.Service {
    let central: CentralManager
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await central.whenPoweredOn()
                    for try await _ in central.scan(for: [HeartRateService.uuid]) {}
                } catch {
                    // The radio was switched off, for example.
                    if !Task.isCancelled { logger.warning("scan: \(error)") }
                }
                try? await central.clock.sleep(for: .seconds(5))
            }
        }
    }
}
