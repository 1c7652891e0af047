// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What a scan looks for.
public struct ScanRequest: Sendable, Hashable {
    /// Sight only peripherals that advertise one of these services; empty sights all.
    public var services: Set<BluetoothUUID>
    /// Whether every packet counts, rather than each peripheral's first and its changes.
    public var allowsDuplicates: Bool

    /// Creates a request to scan.
    ///
    /// - Parameters:
    ///   - services: The services of which a peripheral has to advertise one; empty for every peripheral.
    ///   - allowsDuplicates: Whether the backend reports every packet, rather than a peripheral's first and its
    ///     changes.
    public init(services: Set<BluetoothUUID> = [], allowsDuplicates: Bool = false) {
        self.services = services
        self.allowsDuplicates = allowsDuplicates
    }
}
