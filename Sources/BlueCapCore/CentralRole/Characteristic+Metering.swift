// SPDX-License-Identifier: MIT

extension Characteristic {
    /// When a write begins that does not go through the queue.
    @inline(__always)
    func beginMetering() -> RadioMeter.Start? {
        #if Metrics
        return peripheral?.manager.map { $0.meter.begin($0.clock) }
        #else
        return nil
        #endif
    }

    /// Such a write has gone out.
    @inline(__always)
    func endMetering(since start: RadioMeter.Start?) {
        #if Metrics
        guard let start, let manager = peripheral?.manager else { return }
        manager.meter.end(WriteKind.withoutResponseOverSocket.meterLabel, .success, since: start, manager.clock)
        #endif
    }
}
