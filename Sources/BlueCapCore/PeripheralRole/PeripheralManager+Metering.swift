// SPDX-License-Identifier: MIT

extension PeripheralManager {
    /// Counts the updates of a characteristic that were dropped since this was last called.
    nonisolated func meterDrops(of characteristic: MutableCharacteristic) {
        #if Metrics
        meter.dropped(.update, characteristic.facts.withLock { $0.queue.takeUnmeteredCount() })
        #endif
    }
}
