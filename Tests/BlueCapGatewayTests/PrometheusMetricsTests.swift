// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapGateway
import CoreMetrics
import Testing

@Suite("Metrics as Prometheus reads them", .timeLimit(.minutes(60)))
struct PrometheusMetricsTests {
    private func metrics(capacity: Int = 16) -> PrometheusMetrics {
        PrometheusMetrics(capacity: capacity, descriptions: ["a_total": "Both \"a\" and \\,\non lines."])
    }

    private func lines(_ metrics: PrometheusMetrics, of name: String) -> [String] {
        metrics.text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") && $0.hasPrefix(name) }
    }

    @Test func `are ordered by name and labels, each with its help and its type`() {
        let metrics = metrics()
        Meter(label: "b", factory: metrics).set(-0.5)
        for kind in ["z", "y"] {
            Counter(label: "a_total", dimensions: [("kind", kind)], factory: metrics).increment(by: 2)
        }
        #expect(
            metrics.text == """
                # HELP a_total Both "a" and \\\\,\\non lines.
                # TYPE a_total counter
                a_total{kind="y"} 2
                a_total{kind="z"} 2
                # HELP b No description.
                # TYPE b gauge
                b -0.5

                """)
    }

    @Test func `have the number and the sum of what is timed`() {
        let metrics = metrics()
        let timer = Timer(label: "t_seconds", factory: metrics)
        timer.recordSeconds(1.5)
        timer.recordSeconds(0.25)
        #expect(metrics.text.contains("# TYPE t_seconds summary\n"))
        #expect(lines(metrics, of: "t_") == ["t_seconds_count 2", "t_seconds_sum 1.75"])
    }

    @Test func `have the last value of a recorder that is not aggregated`() {
        let metrics = metrics()
        let recorder = Recorder(label: "r", dimensions: [], aggregate: false, factory: metrics)
        recorder.record(3)
        recorder.record(2)
        #expect(lines(metrics, of: "r") == ["r 2"])
    }

    @Test func `have no character in a label that would end it`() {
        let metrics = metrics()
        Counter(label: "a_total", dimensions: [("kind", "\"\\\r\n} 1")], factory: metrics).increment()
        #expect(lines(metrics, of: "a_total") == ["a_total{kind=\"\\\"\\\\\r\\n} 1\"} 1"])
    }

    @Test func `have names without other characters than Prometheus takes`() {
        let metrics = metrics()
        Counter(label: "1.a:é", dimensions: [("2:b", "c")], factory: metrics).increment()
        #expect(lines(metrics, of: "_") == ["_1_a:_{_2_b=\"c\"} 1"])
    }

    @Test func `have each label once, whatever their order`() {
        let metrics = metrics()
        Counter(label: "a_total", dimensions: [("x", "1"), ("y", "2")], factory: metrics).increment()
        Counter(label: "a_total", dimensions: [("y", "1"), ("y", "2"), ("x", "1")], factory: metrics).increment()
        #expect(lines(metrics, of: "a_total") == ["a_total{x=\"1\",y=\"2\"} 2"])
    }

    @Test func `have numbers that are none as Prometheus writes them`() {
        let metrics = metrics()
        for (name, value) in [("x", Double.nan), ("y", .infinity), ("z", -.infinity), ("w", 1e300)] {
            Meter(label: name, factory: metrics).set(value)
        }
        #expect(lines(metrics, of: "") == ["w 1e+300", "x NaN", "y +Inf", "z -Inf"])
    }

    @Test func `never fall where they are counters`() {
        let metrics = metrics()
        let counter = Counter(label: "a_total", factory: metrics)
        counter.increment(by: 3)
        counter.increment(by: -2)
        #expect(lines(metrics, of: "a_total") == ["a_total 3"])
    }

    @Test func `are refused and counted where there are too many`() {
        let metrics = metrics(capacity: 2)
        for kind in 0..<1000 {
            Counter(label: "a_total", dimensions: [("kind", "\(kind)")], factory: metrics).increment()
        }
        #expect(lines(metrics, of: "a_total") == ["a_total{kind=\"0\"} 1", "a_total{kind=\"1\"} 1"])
        #expect(lines(metrics, of: "bluecap") == ["bluecap_gateway_metrics_refused_total 998"])
    }

    @Test func `are refused where a name or a label is long`() {
        let metrics = metrics()
        Counter(label: String(repeating: "a", count: 300), factory: metrics).increment()
        Counter(label: "a", dimensions: [("k", String(repeating: "v", count: 300))], factory: metrics).increment()
        #expect(metrics.text.utf8.count < 300)
        #expect(lines(metrics, of: "bluecap") == ["bluecap_gateway_metrics_refused_total 2"])
    }

    @Test func `are refused where their name is one of another kind`() {
        let metrics = metrics()
        Counter(label: "a_total", factory: metrics).increment()
        Meter(label: "a_total", dimensions: [("kind", "x")], factory: metrics).set(7)
        #expect(lines(metrics, of: "a_total") == ["a_total 1"])
    }
}
#endif
