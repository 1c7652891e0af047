// SPDX-License-Identifier: MIT

import BlueCap

/// Prints the Bluetooth adapters of this machine.
struct AdaptersSession: Sendable {
    /// Returns the adapters that there are.
    let adapters: @Sendable () async throws -> [AdapterReport]
    var isJSON = false
    let output: any LineOutput

    /// - Throws: ``CommandFailure`` with ``ToolStatus/noRadio`` where there is no adapter, or no bluetoothd to ask for
    ///   it; ``ToolStatus/notAuthorized`` where the bus refuses to.
    func run() async throws {
        let adapters: [AdapterReport]
        do {
            adapters = try await self.adapters()
        } catch CentralManagerError.powerOnTimeout {
            throw CommandFailure(.noRadio, "bluetoothd does not run: 'bluecap doctor' says how to start it")
        } catch let error as CentralManagerError where error != .cancelled {
            // There is no bus, or it does not answer.
            throw CommandFailure(noRadio: error, isTimeout: false, .unknown)
        }
        for adapter in adapters {
            if isJSON {
                try output.event(adapter)
            } else {
                for line in adapter.lines { try output.line(line) }
            }
        }
        if adapters.isEmpty {
            throw CommandFailure(.noRadio, "bluetoothd has no adapter: 'bluecap doctor' says what to do about it")
        }
    }
}
