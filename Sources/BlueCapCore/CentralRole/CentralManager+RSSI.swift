// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// One stream of signal strengths.
struct RSSIPoll {
    let peripheral: PeerIdentifier
    let period: Duration
    let outlet: RSSIOutlet
    var next: CentralManager.Deadlines.Token?
    /// Whether a reading is under way: another would only queue behind it.
    var isReading = false
}

/// Where the readings of a poll go. Its release ends the stream: that of the poll, or of the manager, before the poll
/// began, too.
final class RSSIOutlet: Sendable {
    private let box: Mailbox<Int, Never>

    init(_ box: Mailbox<Int, Never>) { self.box = box }

    func push(_ rssi: Int) { box.push(rssi) }

    deinit { box.finish() }
}

extension CentralManager {
    /// How old a sighting may be to stand for a measurement where the platform measures no connection.
    static let sightingFreshness = Duration.seconds(15)

    func readRSSI(_ peripheral: Peripheral, timeout: Duration?) async throws(PeripheralError) -> Int {
        let record = try record(of: peripheral)
        if !backend.features.contains(.connectionRSSI) { return try sightedRSSI(record) }
        let outcome = await perform(.readRSSI(peripheral.identifier), in: .rssi, timeout: timeout)
        guard case .reply(.rssi(let rssi)) = outcome else { throw PeripheralError(outcome, timeout: .rssiTimeout) }
        peripheral.facts.withLock { $0.rssi = rssi }
        return rssi
    }

    private func sightedRSSI(_ record: PeripheralRecord) throws(PeripheralError) -> Int {
        if record.link != .connected { throw .disconnected }
        guard let sighting = record.lastSighting, let rssi = sighting.rssi,
            clock.elapsed - sighting.elapsed <= Self.sightingFreshness
        else { throw .rssiUnavailable }
        return rssi
    }

    func startRSSIPoll(_ peripheral: Peripheral, every period: Duration, into outlet: RSSIOutlet, id: UInt64) {
        guard records[peripheral.identifier]?.link == .connected else { return }
        rssiPolls[id] = RSSIPoll(
            peripheral: peripheral.identifier, period: max(period, .milliseconds(10)), outlet: outlet)
        poll(id)
    }

    func endRSSIPoll(_ id: UInt64) {
        guard let poll = rssiPolls.removeValue(forKey: id) else { return }
        if let next = poll.next { cancelDeadline(next) }
    }

    func endRSSIPolls(of peripheral: PeerIdentifier) {
        for (id, poll) in rssiPolls where poll.peripheral == peripheral { endRSSIPoll(id) }
    }

    /// Takes one reading and sets the time of the next: a reading that fails leaves a gap, it does not end the stream.
    private func poll(_ id: UInt64) {
        guard let poll = rssiPolls[id], let record = records[poll.peripheral] else { return }
        rssiPolls[id]?.next = after(poll.period) { $0.poll(id) }
        if !backend.features.contains(.connectionRSSI) {
            if let rssi = try? sightedRSSI(record) { poll.outlet.push(rssi) }
            return
        }
        if poll.isReading { return }
        rssiPolls[id]?.isReading = true
        begin(.readRSSI(poll.peripheral), in: .rssi) { manager, outcome in
            guard let poll = manager.rssiPolls[id] else { return }
            manager.rssiPolls[id]?.isReading = false
            guard case .reply(.rssi(let rssi)) = outcome else { return }
            manager.records[poll.peripheral]?.peripheral.facts.withLock { $0.rssi = rssi }
            poll.outlet.push(rssi)
        }
    }
}
