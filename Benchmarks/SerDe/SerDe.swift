// SPDX-License-Identifier: MIT

import Benchmark
import SerDeRows

/// Every row of the table that `Benchmarks/instructions` counts, timed in samples of a thousand operations.
///
/// The C functions are benchmarks of the same run, and their names sort beside the rows that they are compared with.
let benchmarks: @Sendable () -> Void = {
    let configuration = Benchmark.Configuration(
        metrics: [.wallClock, .throughput],
        timeUnits: .nanoseconds,
        warmupIterations: 100,
        scalingFactor: .kilo,
        maxDuration: .milliseconds(200),
        maxIterations: 10_000)
    for row in Row.all() {
        Benchmark(row.name, configuration: configuration) { benchmark in
            blackHole(row.run(benchmark.scaledIterations.count))
        }
    }
}
