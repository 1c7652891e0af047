// SPDX-License-Identifier: MIT

import BlueCap

/// Prints the Bluetooth adapters of this machine.
struct AdaptersSession: Sendable {
    /// Returns the adapters that there are.
    let adapters: @Sendable () async throws -> [AdapterReport]
    var isJSON = false
    let output: any LineOutput

    /// - Throws: ``CommandFailure`` with ``ToolStatus/noRadio`` where there is none.
    func run() async throws {
        let adapters: [AdapterReport]
        do {
            adapters = try await self.adapters()
        } catch CentralManagerError.powerOnTimeout {
            throw CommandFailure(.noRadio, "bluetoothd does not run: 'bluecap doctor' says how to start it")
        }
        for adapter in adapters {
            if isJSON {
                try output.line(JSONLine.text(adapter))
            } else {
                for line in adapter.lines { try output.line(line) }
            }
        }
        if adapters.isEmpty {
            throw CommandFailure(.noRadio, "bluetoothd has no adapter: 'bluecap doctor' says what to do about it")
        }
    }
}
