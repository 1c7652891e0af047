// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The streams of signal strengths of a manager, each with a period of its own.
///
/// Used on the manager only.
final class SignalPolls: Sendable {
    private struct Poll {
        let peripheral: PeerIdentifier
        let period: Duration
        let readings: RSSIReadings
        var next: DeadlineToken?
        /// Whether a reading is under way: another would only queue behind it.
        var isReading = false
    }

    private let polls = Locked(OrderedTable<UInt64, Poll>())

    /// How many streams are read for.
    var count: Int { polls.withLock { $0.count } }

    /// Begins to read for a stream, if there is a connection.
    func begin(
        _ id: UInt64, of peripheral: PeerIdentifier, every period: Duration, into readings: RSSIReadings,
        _ owner: isolated some CentralOwner
    ) {
        guard owner.book.known(peripheral)?.link == .connected else { return }
        let poll = Poll(peripheral: peripheral, period: max(period, .milliseconds(10)), readings: readings)
        polls.withLock { $0[id] = poll }
        read(id, owner)
    }

    /// Ends a stream; does nothing if it has ended.
    func end(_ id: UInt64, _ owner: isolated some CentralOwner) {
        guard let poll = polls.withLock({ $0.removeValue(forKey: id) }) else { return }
        if let next = poll.next { owner.cancelDeadline(next) }
    }

    /// Ends the streams of a peripheral, or all streams there are.
    func endAll(of peripheral: PeerIdentifier? = nil, _ owner: isolated some CentralOwner) {
        for (id, poll) in polls.withLock({ $0 }) where peripheral == nil || poll.peripheral == peripheral {
            end(id, owner)
        }
    }

    /// Takes one reading and sets the time of the next: a reading that fails leaves a gap, it does not end the stream.
    private func read(_ id: UInt64, _ owner: isolated some CentralOwner) {
        guard let poll = polls.withLock({ $0[id] }), let record = owner.book.known(poll.peripheral) else { return }
        let next = owner.after(poll.period) { $0.connections.polls.read(id, $0) }
        polls.withLock { $0[id]?.next = next }
        if !owner.backend.features.contains(.connectionRSSI) {
            return pushSighted(record, to: poll, owner)
        }
        if poll.isReading { return }
        polls.withLock { $0[id]?.isReading = true }
        owner.begin(.readRSSI(poll.peripheral), over: .rssi) { $0.connections.polls.answered(id, $1, $2, $0) }
    }

    private func answered(
        _ id: UInt64, _ record: PeripheralRecord, _ outcome: Outcome, _ owner: isolated some CentralOwner
    ) {
        guard let poll = polls.withLock({ $0[id] }) else { return }
        polls.withLock { $0[id]?.isReading = false }
        if case .failed(.rssiUnavailable) = outcome { return pushSighted(record, to: poll, owner) }
        guard case .reply(.rssi(let rssi)) = outcome else { return }
        record.peripheral.facts.withLock { $0.rssi = rssi }
        poll.readings.push(rssi)
    }

    private func pushSighted(_ record: PeripheralRecord, to poll: Poll, _ owner: isolated some CentralOwner) {
        if let rssi = try? record.sightedRSSI(at: owner.clock.elapsed) { poll.readings.push(rssi) }
    }
}

/// Where the readings of a poll go. Its release ends the stream: that of the poll, or of the manager, before the poll
/// began, too.
final class RSSIReadings: Sendable {
    private let box: Mailbox<Int, Never>

    init(_ box: Mailbox<Int, Never>) { self.box = box }

    func push(_ rssi: Int) { box.push(rssi) }

    deinit { box.finish() }
}

/// How old a sighting may be to stand for a measurement where the platform measures no connection.
private let sightingFreshness = Duration.seconds(15)

extension PeripheralRecord {
    /// The signal strength of the last sighting, in the place of a measurement of the connection.
    func sightedRSSI(at elapsed: Duration) throws(PeripheralError) -> Int {
        if link != .connected { throw .disconnected }
        guard let sighting = lastSighting, let rssi = sighting.rssi, elapsed - sighting.elapsed <= sightingFreshness
        else { throw .rssiUnavailable }
        return rssi
    }
}
