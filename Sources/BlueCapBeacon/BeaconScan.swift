// SPDX-License-Identifier: MIT

import BlueCapCore

/// A scan that goes on after the radio was off.
final class BeaconScan {
    enum Event {
        /// The radio is on: a scan begins.
        case began
        case sighted(Discovery)
        case radioOff
    }

    private let central: CentralManager
    private let options: ScanOptions
    /// Whether it waits until the radio is on; otherwise it ends when the radio is off.
    private let waitsForRadio: Bool
    private var iterator: Scan.Iterator?

    init(central: CentralManager, options: ScanOptions, waitsForRadio: Bool = true) {
        self.central = central
        self.options = options
        self.waitsForRadio = waitsForRadio
    }

    /// The next event; nil after the last one, and for a cancelled task.
    func next() async -> Event? {
        do {
            // A copy shares its scan with the original.
            if var iterator { return try await iterator.next().map { .sighted($0) } }
            if waitsForRadio { try await central.whenPoweredOn() }
            iterator = central.scan(options: options).makeAsyncIterator()
            return .began
        } catch {
            let wasScanning = iterator != nil
            iterator = nil
            return waitsForRadio && wasScanning && isRadioOff(error) && !Task.isCancelled ? .radioOff : nil
        }
    }

    /// Whether a scan ended because the radio went off: with that error, or with an error of the platform.
    private func isRadioOff(_ error: CentralManagerError) -> Bool {
        switch error {
        case .poweredOff: true
        case .backend: !central.isPoweredOn
        default: false
        }
    }
}
