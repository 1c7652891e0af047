// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapRuntime
package import CoreMetrics

/// Keeps counts that come through swift-metrics, and writes them in the text format of Prometheus, version 0.0.4.
///
/// There is a limit to the number of time series. One beyond it counts nothing, and is counted itself.
package final class PrometheusMetrics: MetricsFactory {
    private struct Family {
        let kind: MetricSeries.Kind
        /// By their labels, as they are written.
        var series: [String: MetricSeries] = [:]
    }

    /// The counter of the time series that were refused.
    static let refused = "bluecap_gateway_metrics_refused_total"
    /// The longest name and the longest label, in bytes.
    private static let maximumLength = 200

    private let capacity: Int
    private let descriptions: [String: String]
    private let state = Locked((families: [String: Family](), count: 0, refused: 0))

    /// - Parameters:
    ///   - capacity: How many time series there may be.
    ///   - descriptions: A sentence for each metric, by its name.
    package init(capacity: Int = 256, descriptions: [String: String]) {
        (self.capacity, self.descriptions) = (capacity, descriptions)
    }

    /// All metrics by their names, with the values of this moment.
    package var text: String {
        let (families, _, refused) = state.withLock { $0 }
        var text = ""
        func begin(_ name: String, _ kind: MetricSeries.Kind) {
            let help = Self.escaped(descriptions[name] ?? "No description.", quotes: false)
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        }
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            begin(name, family.kind)
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                let (count, value) = series.values
                if family.kind == .summary {
                    text += "\(name)_count\(labels) \(count)\n\(name)_sum\(labels) \(Self.number(value))\n"
                } else {
                    text += "\(name)\(labels) \(Self.number(value))\n"
                }
            }
        }
        if refused > 0 {
            begin(Self.refused, .counter)
            text += "\(Self.refused) \(refused)\n"
        }
        return text
    }

    /// The series of a name and labels; nil where there is no room, or where the name is one of another kind.
    private func series(
        _ label: String, _ dimensions: [(String, String)], _ kind: MetricSeries.Kind
    ) -> MetricSeries? {
        let name = Self.name(label, mayHaveColons: true)
        let labels = Self.labels(dimensions)
        let isShort = name.utf8.count <= Self.maximumLength && labels.utf8.count <= Self.maximumLength
        return state.withLock { state in
            let family = state.families[name] ?? Family(kind: kind)
            if family.kind == kind, let series = family.series[labels] { return series }
            guard family.kind == kind, isShort, state.count < capacity, name != Self.refused else {
                state.refused += 1
                return nil
            }
            let series = MetricSeries(kind)
            state.families[name, default: family].series[labels] = series
            state.count += 1
            return series
        }
    }

    /// Labels in braces, in the order of their names, each once; empty for none.
    private static func labels(_ dimensions: [(String, String)]) -> String {
        let named = dimensions.map { (name($0.0, mayHaveColons: false), $0.1) }
        let values = Dictionary(named, uniquingKeysWith: { $1 }).sorted { $0.key < $1.key }
        if values.isEmpty { return "" }
        return "{\(values.map { "\($0.key)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ","))}"
    }

    /// A name of letters, digits and underscores, which does not begin with a digit.
    private static func name(_ text: String, mayHaveColons: Bool) -> String {
        let characters = text.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": Character(scalar)
            case ":" where mayHaveColons: ":"
            default: "_"
            }
        }
        return (characters.first.map { $0.isNumber ? "_" : "" } ?? "_") + String(characters)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter) ?? NOOPMetricsHandler.instance
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge) ?? NOOPMetricsHandler.instance
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        series(label, dimensions, aggregate ? .summary : .gauge) ?? NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .summary) ?? NOOPMetricsHandler.instance
    }

    // The counts are kept.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
#endif
