// SPDX-License-Identifier: MIT

extension Characteristic {
    /// Returns the start time of a write that does not go through the queue.
    @inline(__always)
    func beginMetering() -> RadioMeter.Start? {
        #if Metrics
        return peripheral?.manager.map { $0.meter.begin($0.clock) }
        #else
        return nil
        #endif
    }

    /// Records that a write outside the queue was sent.
    @inline(__always)
    func endMetering(since start: RadioMeter.Start?) {
        #if Metrics
        guard let start, let manager = peripheral?.manager else { return }
        manager.meter.end(WriteKind.withoutResponseOverSocket.meterLabel, .success, since: start, manager.clock)
        #endif
    }
}
