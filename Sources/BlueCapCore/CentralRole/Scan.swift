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
/// Sightings come in the order of the radio. Of a peripheral whose sighting was not taken yet only the newest is kept,
/// so a slow loop falls behind by one sighting a peripheral at most; with a bounded capacity, more than that is dropped
/// and counted (``droppedCount``). The sequence ends quietly when its timeout passes after at least one sighting, and,
/// at once, for a task that is cancelled; it throws `CentralManagerError.serviceScanTimeout` when the timeout passes
/// without one, and `.poweredOff`, `.invalidated` or `.backend` when the radio goes off, the manager is invalidated or
/// the platform fails. Every iteration is a scan of its own; any number of scans run side by side.
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

    /// How many sightings were dropped because there was no room, over all iterations that have ended or been taken
    /// from.
    public var droppedCount: Int { drops.withLock { $0 } }

    /// An iterator; its release ends what it iterates over.
    public func makeAsyncIterator() -> Iterator { Iterator(run: ScanRun(scan: self)) }

    /// Takes the sightings of one scan.
    public struct Iterator: AsyncIteratorProtocol {
        let run: ScanRun

        /// The next element; nil at the end, and for a task that is cancelled.
        public mutating func next() async throws(CentralManagerError) -> Discovery? {
            try await run.next()
        }

        /// The next element; nil at the end, and for a task that is cancelled.
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
    /// What it looks for: `scan for 180D, 180F`, or `scan for all`.
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
        box = Box(capacity: scan.capacity, coalescing: .init(key: Discovery.key, merge: Discovery.merge))
    }

    nonisolated(nonsending) func next() async throws(CentralManagerError) -> Discovery? {
        if id.withLock({ $0 }) == nil {
            if Task.isCancelled { return nil }
            let started = try await scan.manager.startScan(scan, into: box)
            id.withLock { $0 = started }
        }
        defer { reportDrops() }
        return try await box.next()
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
        scan.manager.later { $0.endScan(id) }
    }
}
