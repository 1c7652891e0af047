import CBaseline
import Foundation
import SerDeRows

/// Prints the shortest of many times of every row, and how that compares to the same work in C.
///
/// Times depend on the machine and on what else it does: ratios move by a third from run to run. `instructions` is exact.
@main
enum WallClock {
    static func main() {
        guard CommandLine.arguments.count == 1 else {
            print("usage: wall-clock\nPrints nanoseconds per operation and the ratio to C, best of 20 samples.")
            exit(CommandLine.arguments.contains("--help") ? 0 : 64)
        }
        print("row".padded(to: 46), "    ns", "  x C")
        var times: [String: Double] = [:]
        for row in Row.all() {
            let time = shortest(of: 20, row)
            times[row.name] = time
            let inC = row.nameInC.flatMap { times[$0] }
            print(row.name.padded(to: 46), time.text, inC.map { (time / $0).text } ?? "")
        }
    }

    /// Nanoseconds of one operation in the fastest of some samples of about 2 ms.
    private static func shortest(of samples: Int, _ row: Row) -> Double {
        let probe = nanoseconds(row, 1000)
        let count = max(100, Int(2_000_000 / max(probe, 0.5)))
        return (0..<samples).reduce(.infinity) { best, _ in min(best, nanoseconds(row, count)) }
    }

    private static func nanoseconds(_ row: Row, _ count: Int) -> Double {
        let start = benchmark_nanoseconds()
        let sum = row.run(count)
        let end = benchmark_nanoseconds()
        withUnsafePointer(to: sum) { benchmark_consume($0) }
        return Double(end - start) / Double(count)
    }
}

extension Double {
    fileprivate var text: String { String(format: "%6.1f", self) }
}

extension String {
    fileprivate func padded(to width: Int) -> String { padding(toLength: width, withPad: " ", startingAt: 0) }
}
