// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapRuntime
import CoreMetrics

/// The values of one metric with certain labels.
final class MetricSeries: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    enum Kind: String {
        case counter, gauge, summary
    }

    private let kind: Kind
    private let state = Locked((count: 0, value: 0.0))

    init(_ kind: Kind) { self.kind = kind }

    /// How many values there were and their sum; of a gauge the last value.
    var values: (count: Int, value: Double) { state.withLock { $0 } }

    private func add(_ value: Double) { state.withLock { $0 = ($0.count + 1, $0.value + value) } }

    // Counters only rise.
    func increment(by amount: Int64) { if amount > 0 { add(Double(amount)) } }
    func reset() { state.withLock { $0 = (0, 0) } }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0 = ($0.count + 1, value) } }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { if kind == .gauge { set(value) } else { add(value) } }
    func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }
}
#endif
