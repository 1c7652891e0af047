// SPDX-License-Identifier: MIT

import CoreMetrics
import Synchronization

/// Keeps the program's counters, and writes them in the text format that Prometheus reads, version 0.0.4.
final class PrometheusMetrics: MetricsFactory {
    /// By the name of the metric, and the dimensions as they are written.
    private let series = Mutex<[String: [String: Series]]>([:])

    /// All metrics, with the values of this moment.
    var text: String {
        let series = series.withLock { $0 }
        var text = ""
        for (name, all) in series.sorted(by: { $0.key < $1.key }) {
            guard let kind = all.values.first?.kind else { continue }
            text += "# TYPE \(name) \(kind.rawValue)\n"
            for (labels, one) in all.sorted(by: { $0.key < $1.key }) {
                let labels = labels.isEmpty ? "" : "{\(labels)}"
                let (count, sum) = one.values
                if kind == .summary { text += "\(name)_count\(labels) \(count)\n\(name)_sum\(labels) \(sum)\n" }
                if kind != .summary { text += "\(name)\(labels) \(sum)\n" }
            }
        }
        return text
    }

    private func series(_ label: String, _ dimensions: [(String, String)], _ kind: Series.Kind) -> Series {
        let labels = dimensions.map { "\(Self.name($0))=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        return series.withLock { all in
            let name = Self.name(label)
            let one = all[name]?[labels] ?? Series(kind)
            all[name, default: [:]][labels] = one
            return one
        }
    }

    /// Letters, digits and underscores.
    private static func name(_ label: String) -> String {
        String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private static func escaped(_ value: String) -> String {
        value.map { ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"][$0] ?? String($0) }.joined()
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions, aggregate ? .summary : .gauge)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .summary)
    }

    // The counts are kept.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// The values of one metric with certain dimensions.
private final class Series: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    enum Kind: String {
        case counter
        case gauge
        case summary
    }

    let kind: Kind
    private let state = Mutex<(count: Int, sum: Double)>((0, 0))

    init(_ kind: Kind) { self.kind = kind }

    /// The number of values and their sum, or the last value of a gauge.
    var values: (count: Int, sum: Double) { state.withLock { $0 } }

    private func add(_ value: Double) { state.withLock { $0 = ($0.count + 1, $0.sum + value) } }

    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func reset() { state.withLock { $0 = (0, 0) } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0 = ($0.count + 1, value) } }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { kind == .gauge ? set(value) : add(value) }
    func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }
}
