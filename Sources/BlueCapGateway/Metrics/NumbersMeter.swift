// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapRuntime
package import CoreMetrics

/// The numbers of a part of the program at one moment, in an order that is always the same.
package struct MetricNumbers {
    /// Counters, which only rise; a label divides those of a name.
    package var counters: [(name: String, label: (name: String, value: String)?, value: Int)]
    package var levels: [(name: String, value: Int)]

    package init(
        counters: [(name: String, label: (name: String, value: String)?, value: Int)],
        levels: [(name: String, value: Int)]
    ) {
        (self.counters, self.levels) = (counters, levels)
    }
}

/// Reports numbers through swift-metrics.
///
/// No name, address or text off the radio, of a client, of the broker or of a file is a label.
package final class NumbersMeter: Sendable {
    private let counters: [Counter]
    private let levels: [Meter]
    /// The counts of the last report.
    private let reported: Locked<[Int]>

    /// - Parameters:
    ///   - factory: Makes the metrics, all of them at once.
    ///   - none: The numbers before the start.
    package init(factory: any MetricsFactory, none: MetricNumbers) {
        counters = none.counters.map { name, label, _ in
            Counter(label: name, dimensions: label.map { [($0.name, $0.value)] } ?? [], factory: factory)
        }
        levels = none.levels.map { Meter(label: $0.name, factory: factory) }
        reported = Locked(counters.map { _ in 0 })
    }

    /// Reports numbers: counters rise by the difference to the last call.
    package func report(_ numbers: MetricNumbers) {
        let values = numbers.counters.map(\.value)
        let before = reported.withLock { reported in
            defer { reported = values }
            return reported
        }
        for (counter, (new, old)) in zip(counters, zip(values, before)) where new > old {
            counter.increment(by: new - old)
        }
        for (level, new) in zip(levels, numbers.levels) { level.set(new.value) }
    }
}
#endif
