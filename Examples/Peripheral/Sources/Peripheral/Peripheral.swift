// SPDX-License-Identifier: MIT

import BlueCap

/// Is a peripheral with TI's accelerometer: offers the service, advertises it, answers writes and sends samples while
/// it is enabled, until Ctrl-C. With `--virtual` it does so on a virtual radio, to a central that takes twenty samples.
@main
struct Peripheral {
    static func main() async throws {
        let accelerometer = Accelerometer()
        if CommandLine.arguments.contains("--virtual") {
            let radio = VirtualRadio()
            let manager = PeripheralManager(backend: radio.peripheral())
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await accelerometer.serve(with: manager) }
                group.addTask { try await FarCentral.read(CentralManager(backend: radio.central())) }
                // The central is finished, or something failed.
                try await group.next()
                group.cancelAll()
            }
            await manager.invalidate()
        } else {
            try await accelerometer.serve(with: PeripheralManager())
        }
    }
}
