// SPDX-License-Identifier: MIT

/// The peripherals whose signal is strong, but not for long enough yet that a passive scan takes them for found.
struct StrongSignals {
    private struct Candidate {
        let since: Duration
        var last: Duration
    }

    /// More are not watched at a time: addresses cost their senders nothing.
    private static let limit = 1024

    private var candidates: [PeerIdentifier: Candidate] = [:]
    var count: Int { candidates.count }

    /// Takes the sighting of a peripheral that is not found yet.
    ///
    /// - Returns: Whether it is found now. A pause longer than both times begins its time anew.
    mutating func isFound(_ sighting: Sighting, by signal: SignalThresholds, at elapsed: Duration) -> Bool {
        let id = sighting.peripheral
        // A strength that was not measured says nothing.
        guard let rssi = sighting.rssi else { return false }
        guard rssi > signal.high else {
            candidates[id] = nil
            return false
        }
        let pause = max(signal.highTime, signal.lowTime)
        guard var candidate = candidates[id], elapsed - candidate.last <= pause else {
            if candidates.count >= Self.limit { candidates = candidates.filter { elapsed - $0.value.last <= pause } }
            if candidates.count < Self.limit { candidates[id] = Candidate(since: elapsed, last: elapsed) }
            return false
        }
        candidate.last = elapsed
        let isFound = elapsed - candidate.since >= signal.highTime
        candidates[id] = isFound ? nil : candidate
        return isFound
    }
}
