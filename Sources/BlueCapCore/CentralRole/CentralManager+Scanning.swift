// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

extension CentralManager {
    /// A scan for peripherals that advertise one of the services, or for all.
    ///
    /// It starts when the loop over it starts and ends when the loop is left; see ``Scan``. Any number of scans with
    /// different filters run side by side on one radio.
    ///
    /// - Parameters:
    ///   - services: The services of which a peripheral has to advertise one, in its service lists or service data;
    ///     empty for all peripherals.
    ///   - options: The further filters of sightings, and how repeated sightings are reported.
    ///   - timeout: How long the scan runs, from its first `next`; nil until the loop is left.
    ///   - capacity: How many sightings of different peripherals are kept for a slow loop.
    public nonisolated func scan(
        for services: [BluetoothUUID] = [], options: ScanOptions = ScanOptions(), timeout: Duration? = nil,
        capacity: StreamCapacity = .newest(4096)
    ) -> Scan {
        Scan(manager: self, services: Set(services), options: options, timeout: timeout, capacity: capacity)
    }

    /// The first sighting of a scan; the scan ends with it.
    ///
    /// - Parameters:
    ///   - services: The services of which the peripheral has to advertise one; empty for any peripheral.
    ///   - options: The further conditions that a sighting has to fulfil.
    ///   - timeout: How long to scan, from the call; nil until a sighting comes.
    /// - Throws: `.serviceScanTimeout` when the timeout passes first, `.cancelled`, and the errors of a ``Scan``.
    public nonisolated func firstDiscovery(
        for services: [BluetoothUUID] = [], options: ScanOptions = ScanOptions(), timeout: Duration? = nil
    ) async throws(CentralManagerError) -> Discovery {
        var sightings = scan(for: services, options: options, timeout: timeout).makeAsyncIterator()
        guard let discovery = try await sightings.next() else {
            throw Task.isCancelled ? .cancelled : .serviceScanTimeout
        }
        return discovery
    }
}

/// Names of the first BlueCap, for the compiler to say what they are called now.
extension CentralManager {
    /// The old name of ``states()``.
    @available(*, unavailable, renamed: "states()")
    public nonisolated func whenStateChanges() {}

    /// The old name of ``scan(for:options:timeout:capacity:)``.
    @available(*, unavailable, renamed: "scan(for:options:timeout:capacity:)")
    public nonisolated func startScanning(capacity: Int = .max, timeout: Double = .infinity) {}

    /// The old name of ``scan(for:options:timeout:capacity:)``.
    @available(*, unavailable, renamed: "scan(for:options:timeout:capacity:)")
    public nonisolated func startScanning(
        forServiceUUIDs services: [BluetoothUUID], capacity: Int = .max, timeout: Double = .infinity
    ) {}

    /// A scan ends when its loop is left.
    @available(*, unavailable, message: "leave the loop over scan(for:options:timeout:capacity:)")
    public nonisolated func stopScanning() {}
}
