// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// A scan as a sequence of sightings: it starts with the first `next`, and ends when the loop is left.
///
/// ```swift
/// for try await sighting in central.scan(for: [BatteryService.uuid], timeout: .seconds(10)) {
///     print(sighting.peripheral.displayName)
///     if let rssi = sighting.rssi, rssi > -60 { break }   // near enough: the scan ends with its loop
/// }
/// ```
///
/// Sightings come in the order of the radio. If the loop has not yet taken a peripheral's sighting, only the newest
/// sighting is kept, so a slow loop is at most one sighting per peripheral behind; with a bounded capacity, further
/// sightings are dropped and counted (``droppedCount``). The sequence ends without an error when its timeout passes
/// after at least one sighting, and immediately for a cancelled task. It throws
/// `CentralManagerError.serviceScanTimeout` if the timeout passes without a sighting, and `.poweredOff`, `.invalidated`
/// or `.backend` if the radio goes off, the manager is invalidated or the platform fails. Every iteration is a separate
/// scan; any number of scans run concurrently.
public struct Scan: AsyncSequence, Sendable {
    /// The element of the sequence: one sighting.
    public typealias Element = Discovery
    /// The error that ends the sequence.
    public typealias Failure = CentralManagerError

    let manager: CentralManager
    let services: Set<BluetoothUUID>
    let options: ScanOptions
    let timeout: Duration?
    let capacity: StreamCapacity
    let drops = Locked(0)
    /// Whether all sightings of a peripheral are kept for a slow loop, up to the capacity.
    package var keepsAll = false

    /// The number of sightings that were dropped because there was no room, over all iterations.
    ///
    /// A running iteration counts its dropped sightings when the loop takes the next sighting.
    public var droppedCount: Int { drops.withLock { $0 } }

    /// Returns an iterator; its release ends the sequence.
    public func makeAsyncIterator() -> Iterator { Iterator(run: ScanRun(scan: self)) }

    /// The iterator of the sightings of one scan.
    public struct Iterator: AsyncIteratorProtocol {
        let run: ScanRun

        /// Returns the next element; nil at the end, and for a cancelled task.
        public mutating func next() async throws(CentralManagerError) -> Discovery? { try await run.next() }

        /// Returns the next element; nil at the end, and for a cancelled task.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(CentralManagerError) -> Discovery? {
            try await run.next()
        }
    }
}

@available(*, unavailable)
extension Scan.Iterator: Sendable {}

extension Scan: CustomStringConvertible {
    /// The services that the scan looks for: `scan for 180D, 180F`, or `scan for all`.
    public var description: String {
        services.isEmpty ? "scan for all" : "scan for \(services.map(\.description).sorted().joined(separator: ", "))"
    }
}

/// One run of a scan; its release ends it on the radio.
final class ScanRun: Sendable {
    typealias Box = Mailbox<Discovery, CentralManagerError>

    private let scan: Scan
    private let box: Box
    private let id = Locked(UInt64?.none)
    private let reportedDrops = Locked(0)

    init(scan: Scan) {
        self.scan = scan
        let coalescing = Box.Coalescing(key: Discovery.key, merge: Discovery.merge)
        box = Box(capacity: scan.capacity, coalescing: scan.keepsAll ? nil : coalescing)
    }

    nonisolated(nonsending) func next() async throws(CentralManagerError) -> Discovery? {
        if id.withLock({ $0 }) == nil {
            if Task.isCancelled { return nil }
            let started = try await begin(on: scan.manager)
            id.withLock { $0 = started }
        }
        defer { reportDrops() }
        return try await box.next()
    }

    private func begin(on manager: isolated CentralManager) throws(CentralManagerError) -> UInt64 {
        try manager.scans.begin(
            scan.services, scan.options, timeout: scan.timeout, into: box, manager)
    }

    private func reportDrops() {
        let count = box.droppedCount
        if count == 0 { return }
        let news = reportedDrops.withLock { reported in
            defer { reported = count }
            return count - reported
        }
        scan.drops.withLock { $0 += news }
    }

    deinit {
        reportDrops()
        guard let id = id.withLock({ $0 }) else { return }
        scan.manager.later { $0.scans.end(id, $0) }
    }
}
