// SPDX-License-Identifier: MIT

import BlueCapCore

/// Scanning, measuring, and calls that concern a manager as a whole.
extension RandomProgram {
    func resetCentral() async {
        let central = central
        _ = await journal.call("reset the central manager") { () async throws(CentralManagerError) in
            await central.reset()
        }
    }

    func scan(_ duration: Duration) async {
        let central = central
        _ = await journal.call("scan", timeout: duration) { () async throws(CentralManagerError) in
            var count = 0
            for try await _ in central.scan(options: ScanOptions(allowsDuplicates: true), timeout: duration) {
                count += 1
            }
            return count
        }
    }

    func retrieve(connected isConnected: Bool) async {
        let (central, identifiers) = (central, devices.map(\.identifier))
        _ = await journal.call("retrieve peripherals") { () async throws(CentralManagerError) -> [String] in
            let found =
                isConnected
                ? try await central.retrieveConnectedPeripherals()
                : try await central.retrievePeripherals(withIdentifiers: identifiers)
            return found.map(\.identifier.text)
        }
    }

    func measure(_ device: Int) async {
        guard let peripheral = await linked(device) else { return }
        _ = await journal.call("measure device \(device)", link: peripheral.identifier, timeout: .seconds(5)) {
            () async throws(PeripheralError) in
            try await peripheral.readRSSI(timeout: .seconds(5))
        }
    }

    /// Measures every half a second. The stream ends with the link, and with the task at the latest.
    func measure(_ device: Int, for duration: Duration) async {
        guard let peripheral = await linked(device) else { return }
        _ = await journal.call(
            "measure device \(device) again and again", link: peripheral.identifier, cancellation: duration
        ) { () async throws(PeripheralError) -> Int in
            var count = 0
            for await _ in peripheral.rssiUpdates(every: .milliseconds(500)) { count += 1 }
            return count
        }
    }
}
