// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What a scan looks for.
public struct ScanRequest: Sendable, Hashable {
    /// Sight only peripherals that advertise one of these services; empty sights all.
    public var services: Set<BluetoothUUID>
    /// Whether every packet counts, rather than each peripheral's first and its changes.
    public var allowsDuplicates: Bool

    /// A scan for the given services, or for all.
    public init(services: Set<BluetoothUUID> = [], allowsDuplicates: Bool = false) {
        self.services = services
        self.allowsDuplicates = allowsDuplicates
    }
}
