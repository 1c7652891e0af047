// SPDX-License-Identifier: MIT

#if Metrics
import BlueCapRuntime
import CoreMetrics

/// A metrics factory that keeps every value it is given.
final class RecordingMetrics: MetricsFactory {
    /// A metric: its label and its dimensions.
    struct Key: Hashable {
        let label: String
        let dimensions: [String: String]

        init(_ label: String, _ dimensions: [(String, String)]) {
            self.label = label
            self.dimensions = Dictionary(uniqueKeysWithValues: dimensions)
        }
    }

    private let handlers = Locked<[Key: Handler]>([:])

    /// Every metric that was made, with any value or none.
    var keys: [Key] { handlers.withLock { Array($0.keys) } }

    /// The current value of a counter or a level; nil for one that was never made.
    func sum(_ label: String, _ dimensions: (String, String)...) -> Double? {
        handlers.withLock { $0[Key(label, dimensions)] }.map { $0.values.reduce(0, +) }
    }

    /// The durations of the operations of one name and outcome, in seconds.
    func seconds(of operation: String, _ outcome: String, role: String = "central") -> [Double] {
        let dimensions = [("role", role), ("operation", operation), ("outcome", outcome)]
        return handlers.withLock { $0[Key("bluecap_operation_duration_seconds", dimensions)] }?.values ?? []
    }

    private func handler(_ label: String, _ dimensions: [(String, String)]) -> Handler {
        handlers.withLock { handlers in
            let key = Key(label, dimensions)
            let handler = handlers[key] ?? Handler()
            handlers[key] = handler
            return handler
        }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { handler(label, dimensions) }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { handler(label, dimensions) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { handler(label, dimensions) }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// One metric of any kind.
private final class Handler: CounterHandler, MeterHandler, TimerHandler {
    private let recorded = Locked<[Double]>([])

    /// The steps of a counter or a level, or a timer's durations in seconds, in the order in which they came.
    var values: [Double] { recorded.withLock { $0 } }

    private func add(_ value: Double) { recorded.withLock { $0.append(value) } }

    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }
    func reset() {}
    func set(_ value: Int64) {}
    func set(_ value: Double) {}
}
#endif
